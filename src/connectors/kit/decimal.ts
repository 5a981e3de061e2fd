import { type Currency, currencies, isCurrency } from '../../base/currencies.ts'
import { decimalOf, type Money } from '../../base/money.ts'

/**
 * Amounts in major units, as many processors write them: 12.50 USD, 1250 JPY. They are converted exactly, or not at
 * all.
 */

/** Returns an amount with all decimals of its currency: `12.50`. */
export const majorOf = ({ amount, currency }: Money): string => decimalOf(amount, currency)

/** Returns the same as a JSON number: none of its digits goes through floating point. */
export const majorNumberOf = (money: Money): object => (JSON as unknown as { rawJSON(text: string): object }).rawJSON(majorOf(money))

/**
 * Reads money that was written as a number or a text; null if it is no amount, or has more decimals than its currency.
 */
export function moneyOf(value: unknown, currency: unknown): Money | null {
  if (typeof currency !== 'string' || !isCurrency(currency)) return null
  const [, whole, fraction = ''] =
    (typeof value === 'string' || typeof value === 'number' ? /^(\d{1,16})(?:\.(\d{1,6}))?$/.exec(String(value)) : null) ?? []
  if (whole === undefined) return null
  const decimals = currencies[currency as Currency]
  const places = fraction.replace(/(?<!0)0+$/, '')
  if (places.length > decimals) return null
  const amount = Number(whole + places.padEnd(decimals, '0'))
  return Number.isSafeInteger(amount) ? { amount, currency: currency as Currency } : null
}
