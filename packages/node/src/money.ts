import { decimals } from './made/tables.ts'

export type Currency = keyof typeof decimals

/** An amount in the lowest denomination of its currency, as requests contain it. */
export type Money = { amount: number; currency: Currency }

function decimalsOf(currency: string): number {
  if (!Object.hasOwn(decimals, currency)) throw new RangeError(`${currency} is not a currency of the service`)
  return decimals[currency as Currency]
}

/**
 * Returns an amount in the lowest denomination: `money('12.50', 'EUR')` is `{ amount: 1250, currency: 'EUR' }`. Takes
 * a decimal in major units as text, because a number such as 1.005 is stored inexactly. Throws a RangeError for any
 * other text: more decimals than the currency has (unless they are zeros), or an amount beyond the safe integers.
 */
export function money(text: string, currency: Currency): Money {
  const count = decimalsOf(currency)
  const [, sign, whole, rest = ''] = (typeof text === 'string' && /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)) || []
  if (whole === undefined) throw new RangeError(`'${text}' is not a decimal number such as '12.50'`)
  if (/[^0]/.test(rest.slice(count))) throw new RangeError(`${currency} has ${count} decimals: '${text}' has more`)
  const amount = Number(BigInt(`${sign}${whole}${rest.slice(0, count).padEnd(count, '0')}`))
  if (!Number.isSafeInteger(amount)) throw new RangeError(`'${text}' is too large`)
  return { amount: amount === 0 ? 0 : amount, currency }
}

/**
 * Returns an amount in major units as text: `decimal(1250, 'EUR')` is `'12.50'`. Throws a RangeError if the amount is
 * not a safe integer.
 */
export function decimal(amount: number, currency: Currency): string {
  const count = decimalsOf(currency)
  if (!Number.isSafeInteger(amount)) throw new RangeError('amount must be a whole number of the lowest denomination')
  const digits = String(Math.abs(amount)).padStart(count + 1, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, digits.length - count)}${count > 0 ? `.${digits.slice(-count)}` : ''}`
}
