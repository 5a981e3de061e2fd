import { isCurrency } from '../../base/currencies.ts'
import type { Money } from '../../base/money.ts'
import type { Time } from '../../context.ts'

/** What readers of processors' answers share: what a value is, before anything is made of it. */

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A table that is looked up by words of others: `__proto__` is in none. */
export const tableOf = <Value>(entries: Record<string, Value>): Readonly<Record<string, Value | undefined>> =>
  Object.assign(Object.create(null), entries)

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isOneOf = <Word extends string>(words: readonly Word[], value: unknown): value is Word => words.includes(value as Word)
export const isId = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value)
export const isWord = (value: unknown): value is string => typeof value === 'string' && /^[\w.:/+-]{1,64}$/.test(value)
export const isAmount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
/** An address that a browser may be sent to. */
export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 2048 && /^https?:\/\//.test(value) && URL.canParse(value)

const which =
  <T>(is: (value: unknown) => value is T) =>
  (value: unknown): T | null =>
    is(value) ? value : null
export const readId = which(isId)
export const readWord = which(isWord)
export const readAmount = which(isAmount)

/** Null where it is absent; undefined where it is there, and not understood. */
export function optional<T>(value: unknown, read: (value: unknown) => T | null): T | null | undefined {
  return value === null || value === undefined ? null : (read(value) ?? undefined)
}

/** An address that a browser may be sent to, in its normal form; null if it is none. */
export function readUrl(value: unknown, longest = 2048): string | null {
  const url = typeof value === 'string' && value.length <= longest ? URL.parse(value) : null
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null
}

/** A time as by ISO 8601; null if it is none. */
export function parseTime(value: unknown): Time | null {
  const time =
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{5,18}(?:Z|[+-]\d\d:?\d\d)?$/.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(time)) return null
  const said = new Date(time).toISOString()
  // Years of more than four digits are no times that could be kept.
  return said.length === 24 ? said : null
}

/** Money in the lowest denomination; null if it is none. */
export function readMoney(amount: unknown, currency: unknown): Money | null {
  return isAmount(amount) && typeof currency === 'string' && isCurrency(currency) ? { amount, currency } : null
}

/** What is said in texts; other members say nothing to us. Null where it is no object. */
export function readTexts(value: unknown): Record<string, string> | null {
  if (value === undefined || value === null) return {}
  if (!isRecord(value)) return null
  return Object.fromEntries(Object.entries(value).filter((member): member is [string, string] => typeof member[1] === 'string'))
}
