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
