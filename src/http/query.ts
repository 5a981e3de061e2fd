import type { TSchema } from 'typebox'
import { holdsCardNumber } from '../base/card-number.ts'
import { combinedRefusal, type FactsOf, Refusal, refuse } from '../base/refusal.ts'
import { misplaced } from './body.ts'
import { checkShape } from './shape.ts'

type Declared = { type?: string; items?: Declared }

/**
 * By declared types: `true`, `false`, whole numbers; the rest stays text for its schema. Empty is absent. Lists are
 * `status=a&status=b`, `status[]=a` or `status=a,b`; others may be given once only.
 */
export function readQuery(schema: TSchema | undefined, given: Record<string, unknown>): Record<string, unknown> {
  try {
    return read(schema, given)
  } catch (error) {
    throw ofQuery(error)
  }
}

/** Checks query parameters against their schema. Refuses in the words for queries. */
export function checkQuery(schema: TSchema, query: Record<string, unknown>): void {
  try {
    checkShape(schema, query)
  } catch (error) {
    throw ofQuery(error)
  }
}

/** Returns the error with the words that the ecosystem's query parser uses for unreadable parameters. */
function ofQuery(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error
  return combinedRefusal((error.all ?? [error]).map(one => (one.refusal === 'unreadable' ? unreadable(one) : one)))
}

function unreadable({ facts }: Refusal): Refusal {
  const given = facts as FactsOf<'unreadable'>
  const sentence = given.sentence?.replace(/^Json/, 'Query')
  return new Refusal('unreadable', { help: 'Correct or remove the named query parameter', ...given, sentence, of: 'Query' })
}

function read(schema: TSchema | undefined, given: Record<string, unknown>): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  const properties = (schema as { properties?: Record<string, Declared> } | undefined)?.properties ?? {}
  for (const [written, value] of Object.entries(given)) {
    if (written === '__proto__') refuse('unreadable', { field: written, problem: 'is not a known parameter' })
    if (holdsCardNumber(written)) misplaced('the name of a query parameter')
    const bare = written.replace(/\[\]$/, '')
    const name = properties[bare]?.type === 'array' ? bare : written
    const texts = [value].flat().filter(text => text !== '')
    if (texts.length === 0) continue
    for (const text of texts) checkText(name, text)
    const { type, items } = properties[name] ?? {}
    if (type === 'array') query[name] = [...((query[name] as unknown[]) ?? []), ...texts.flatMap(text => split(text, items))]
    else if (texts.length > 1) refuse('unreadable', { field: name, problem: 'is given more than once' })
    else query[name] = typed(texts[0], type)
  }
  return query
}

const split = (text: unknown, items: Declared | undefined): unknown[] =>
  String(text)
    .split(',')
    .map(part => typed(part, items?.type))

function typed(text: unknown, type: string | undefined): unknown {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (type === 'integer' && typeof text === 'string' && /^-?\d{1,15}$/.test(text)) return Number(text)
  return text
}

function checkText(field: string, text: unknown): void {
  if (typeof text !== 'string') return
  if (text.includes('\u0000')) refuse('unreadable', { field, problem: 'must not contain U+0000' })
  if (holdsCardNumber(text)) misplaced(field)
}
