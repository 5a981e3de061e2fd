import { type Currency, currencies } from '../base/currencies.ts'
import { decimalOf } from '../base/money.ts'

/**
 * Returns an amount in the lowest denomination in the format of this locale, with the decimals of ISO 4217. `by`:
 * whether the currency is shown as its symbol or its code.
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
