import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonLines } from '../lines.ts'

/** The path and query parameters of an example request, and the answer: a body, a text, an address, or nothing. */
export type ExampleAnswer = { asked: Record<string, string>; json?: unknown; text?: string; location?: string }

const file = join(import.meta.dirname, 'answers.json')

/**
 * Returns the answers to the examples of operations, and to operations that need no body. `tools/answers.test.ts`
 * records them, and checks that they are up to date.
 */
export const answers = (): Readonly<Record<string, ExampleAnswer>> => JSON.parse(readFileSync(file, 'utf8'))

export const writeAnswers = (recorded: Readonly<Record<string, ExampleAnswer>>): void => writeFileSync(file, `${jsonLines(recorded, 1)}\n`)

/** An example shows how the entries of a list look, not how many there are. */
const SHOWN_ENTRIES = 2

/** Returns the first entries of each list within a value. */
export function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, SHOWN_ENTRIES).map(shortened)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]))
}
