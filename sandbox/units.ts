// Amounts in major units (for example 12.50 instead of 1250), as people and many processors write them.

import { Refusal } from './refusals.ts'

/**
 * The decimals of currencies that `Intl` writes without the decimals of ISO 4217, which would make an amount look a
 * hundred times larger.
 */
const decimals: Record<string, number> = { IQD: 3 }
for (const currency of 'AFN ALL COP HUF IDR IRR KPW LAK LBP MGA MMK PKR SLL SOS STD SYP YER'.split(' ')) decimals[currency] = 2

export const decimalsOf = (currency: string): number =>
  decimals[currency] ?? new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** Returns an amount in major units as text, with all its decimals. */
export function majorText(amount: number, currency: string): string {
  const places = decimalsOf(currency)
  const digits = String(amount).padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

export const majorOf = (amount: number, currency: string): number => Number(majorText(amount, currency))

/** Reads an amount in major units, written as a number or as text. Returns it in minor units. */
export function minorOf(value: unknown, currency: string): number {
  const [, whole, fraction = ''] = /^(\d{1,16})(?:\.(\d{1,6}))?$/.exec(String(value)) ?? []
  const places = decimalsOf(currency)
  if (whole === undefined || fraction.replace(/(?<!0)0+$/, '').length > places)
    throw new Refusal('invalid_request', `amount must be a number with at most ${places} decimals`, 'amount')
  return Number(whole + fraction.slice(0, places).padEnd(places, '0'))
}

/** The same of an amount that may be negative. */
export const signed = (amount: number, currency: string): string => (amount < 0 ? '-' : '') + majorText(Math.abs(amount), currency)
