import { type Currency, currencies } from '../base/currencies.ts'
import { decimalOf } from '../base/money.ts'

/**
 * An amount in the lowest denomination as people of this locale write it, with the decimals of ISO 4217. `by`: which
 * currency it is stands there as its sign, or as its code.
 */
export function price(amount: number, currency: string, locale: string, by: 'symbol' | 'code' = 'symbol'): string {
  const decimals = currencies[currency as Currency]
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: by,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return format.format(decimalOf(amount, currency) as `${number}`)
}
