import { isCurrency } from '../../base/currencies.ts'
import type { Money } from '../../base/money.ts'
import type { Time } from '../../context.ts'

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Without a prototype, to look up words from outside: `__proto__` is in none. */
export const tableOf = <Value>(entries: Record<string, Value>): Readonly<Record<string, Value | undefined>> =>
  Object.assign(Object.create(null), entries)

/** The same table by its values: for each of our words, all of the processor's words that mean it. */
export function meaningsOf<Value extends string>(
  words: Readonly<Partial<Record<Value, string>>>,
): Readonly<Record<string, Value | undefined>> {
  const all = Object.entries<string>(words as Record<Value, string>)
  return tableOf(Object.fromEntries(all.flatMap(([value, written]) => written.split(/\s+/).map(word => [word, value as Value]))))
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isOneOf = <Word extends string>(values: readonly Word[], value: unknown): value is Word => values.includes(value as Word)
export const isId = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value)
export const isWord = (value: unknown): value is string => typeof value === 'string' && /^[\w.:/+-]{1,64}$/.test(value)
export const isAmount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 2048 && /^https?:\/\//.test(value) && URL.canParse(value)

const which =
  <T>(is: (value: unknown) => value is T) =>
  (value: unknown): T | null =>
    is(value) ? value : null
export const readId = which(isId)
export const readWord = which(isWord)
export const readAmount = which(isAmount)

/** Null if absent, undefined if present and invalid. */
export function optional<T>(value: unknown, read: (value: unknown) => T | null): T | null | undefined {
  return value === null || value === undefined ? null : (read(value) ?? undefined)
}

/** In its normal form. */
export function readUrl(value: unknown, longest = 2048): string | null {
  const url = typeof value === 'string' && value.length <= longest ? URL.parse(value) : null
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null
}

export function parseTime(value: unknown): Time | null {
  const time =
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{5,18}(?:Z|[+-]\d\d:?\d\d)?$/.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(time)) return null
  const iso = new Date(time).toISOString()
  // A year of more than four digits does not fit the format in which times are stored.
  return iso.length === 24 ? iso : null
}

export function readMoney(amount: unknown, currency: unknown): Money | null {
  return isAmount(amount) && typeof currency === 'string' && isCurrency(currency) ? { amount, currency } : null
}

/** Other members are ignored. */
export function readTexts(value: unknown): Record<string, string> | null {
  if (value === undefined || value === null) return {}
  if (!isRecord(value)) return null
  return Object.fromEntries(Object.entries(value).filter((member): member is [string, string] => typeof member[1] === 'string'))
}
