import type { TSchema } from 'typebox'
import { holdsCardNumber } from '../base/card-number.ts'
import { refuse } from '../base/refusal.ts'
import { misplaced } from './body.ts'

/** Query parameters by their declared types: `true` and `false`, whole numbers; anything else stays text and is refused by its schema. Empty ones are absent. */
export function readQuery(schema: TSchema | undefined, given: Record<string, unknown>): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  const properties = (schema as { properties?: Record<string, { type?: string }> } | undefined)?.properties ?? {}
  for (const [name, value] of Object.entries(given)) {
    if (name === '__proto__') refuse('unreadable', { field: name, words: 'is not a known member' })
    if (holdsCardNumber(name)) misplaced('the name of a query parameter')
    if (value === '') continue
    const type = properties[name]?.type
    if (type === 'boolean' && (value === 'true' || value === 'false')) query[name] = value === 'true'
    else if (type === 'integer' && typeof value === 'string' && /^-?\d{1,15}$/.test(value)) query[name] = Number(value)
    else query[name] = value
    for (const text of [value].flat()) {
      if (typeof text !== 'string') continue
      if (text.includes('\u0000')) refuse('unreadable', { field: name, words: 'must not hold U+0000' })
      if (holdsCardNumber(text)) misplaced(name)
    }
  }
  return query
}
