import { type Currency, currencies } from '../base/currencies.ts'

/** An amount in the lowest denomination as people of this locale write it, with the decimals of ISO 4217. */
export function price(amount: number, currency: string, locale: string): string {
  const decimals = currencies[currency as Currency]
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const decimal = `${amount < 0 ? '-' : ''}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  // As text: a number of more than 15 digits would be rounded.
  return format.format(decimal as `${number}`)
}
