import type { ReactElement } from 'react'
import { type Currency, currencies, isCurrency } from '../../../../src/base/currencies.ts'

// Amounts are whole numbers of the lowest denomination. The number of decimals of a currency comes from the service's
// own table, never from Intl. Amounts of several currencies are never added up and never converted.

export const decimalsOf = (currency: string): number => (isCurrency(currency) ? currencies[currency as Currency] : 2)

/** Formats an amount exactly, at any size: 124900 of EUR is `1,249.00`. Negative amounts have a true minus sign. */
export function formatAmount(amount: number | bigint, currency: string): string {
  const decimals = decimalsOf(currency)
  const whole = BigInt(amount)
  const digits = String(whole < 0n ? -whole : whole).padStart(decimals + 1, '0')
  const major = digits.slice(0, digits.length - decimals).replace(/\B(?=(?:\d{3}){1,9}$)/g, ',')
  return `${whole < 0n ? '−' : ''}${major}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`
}

/** Formats an amount with its currency: `1,249.00 EUR`. */
export const withCurrency = (amount: number | bigint, currency: string): string => `${formatAmount(amount, currency)} ${currency}`

/**
 * Reads a typed amount into the lowest denomination: `12.5` of EUR is 1250. Returns null if the text is no amount of
 * this currency: more decimals than the currency has, letters, or nothing.
 */
export function amountFrom(typed: string, currency: string): number | null {
  const decimals = decimalsOf(currency)
  const plain = typed.trim().replace(/(?<=\d),(?=\d{3}(\D|$))/g, '')
  const [, major, minor = ''] = /^(\d+)(?:\.(\d*))?$/.exec(plain) ?? []
  if (major === undefined || minor.length > decimals) return null
  const amount = Number(major + minor.padEnd(decimals, '0'))
  return Number.isSafeInteger(amount) ? amount : null
}

/** Formats an amount for a text field, without thousands separators. */
export const forField = (amount: number, currency: string): string => formatAmount(amount, currency).replaceAll(',', '')

export function Money({ amount, currency, large }: { amount: number | null | undefined; currency: string; large?: boolean }): ReactElement {
  if (amount === null || amount === undefined) return <span className="faint">unknown</span>
  return (
    <span className={large ? 'money large' : 'money'}>
      {formatAmount(amount, currency)} <i>{currency}</i>
    </span>
  )
}
