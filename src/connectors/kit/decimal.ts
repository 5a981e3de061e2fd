import { type Currency, currencies, isCurrency } from '../../base/currencies.ts'
import { decimalOf, type Money } from '../../base/money.ts'

/** Amounts in major units: 12.50 USD, 1250 JPY. They are converted exactly, or not at all. */

export const majorOf = ({ amount, currency }: Money): string => decimalOf(amount, currency)

/** None of the digits goes through floating point. */
export const majorNumberOf = (money: Money): object => (JSON as unknown as { rawJSON(text: string): object }).rawJSON(majorOf(money))

/** Null if it is no amount, or has more decimals than its currency. */
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
