import { type Currency, currencies } from '../base/currencies.ts'
import { decimalOf } from '../base/money.ts'

/** From the lowest denomination, with the decimals of ISO 4217. `by`: the currency as symbol or code. */
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
