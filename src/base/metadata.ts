import { refuse } from './refusal.ts'
import { lengthOf, METADATA } from './shapes.ts'

/** The API's limits: 50 keys of 40 characters, values of 500 (text as it is, other values as JSON). */
export function checkMetadata(field: string, metadata: Record<string, unknown> | undefined): void {
  if (!metadata) return
  const names = Object.keys(metadata)
  if (names.length > METADATA.keys)
    refuse('unacceptable', { field, problem: `may have at most ${METADATA.keys} keys, but has ${names.length}` })
  for (const name of names) {
    const length = lengthOf(name)
    if (length > METADATA.name)
      refuse('unacceptable', {
        field,
        problem: `keys may have at most ${METADATA.name} characters; ${name.slice(0, METADATA.name).toWellFormed()}… has ${length}`,
      })
    const value: unknown = metadata[name]
    const size = lengthOf(typeof value === 'string' ? value : JSON.stringify(value))
    if (size > METADATA.value) refuse('too_long', { field: `${field}.${name}`, limit: METADATA.value, received: size })
  }
}
