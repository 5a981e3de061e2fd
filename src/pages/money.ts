import { type Currency, currencies } from '../base/currencies.ts'
import { decimalOf } from '../base/money.ts'

/** An amount in the lowest denomination as people of this locale write it, with the decimals of ISO 4217. */
export function price(amount: number, currency: string, locale: string): string {
  const decimals = currencies[currency as Currency]
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return format.format(decimalOf(amount, currency) as `${number}`)
}
