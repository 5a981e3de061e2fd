import { type Currency, currencies } from './currencies.ts'

/** In the lowest denomination of its currency (cents for USD, yen for JPY): a safe integer, never a float. */
export type Money = { amount: number; currency: Currency }

/** The largest amount the API accepts: larger integers are rounded when JSON is parsed. */
export const LARGEST_AMOUNT = Number.MAX_SAFE_INTEGER

/** In major units: `1250` of USD is `12.50`. As text: a number of more than 15 digits would be rounded. */
export function decimalOf(amount: number, currency: string): string {
  const decimals = currencies[currency as Currency]
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, digits.length - decimals)}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`
}
