import { refusalMessage, refusedByName } from '../payments/fields/all.ts'
import { keptOnlyMembers } from './kept-only.ts'
import type { Schema } from './openapi-schemas.ts'

const capital = (name: string): string => name[0]!.toUpperCase() + name.slice(1)

/** Returns the title of the shape of an operation's body. */
export const requestTitle = (operation: string): string => `${capital(operation)}Request`

/**
 * Adds notes to the descriptions of an operation's members: which of them are only stored, and which are refused
 * unless they ask for nothing. `x-kept-only` marks the former for programs: the whole member (`true`), or the listed
 * members within it.
 */
export function sayKept(operation: string, properties: Record<string, Schema> = {}): void {
  const add = (property: Schema | undefined, note: string) => {
    if (property) property.description = property.description === undefined ? note : `${property.description.replace(/\.?$/, '.')} ${note}`
  }
  for (const { member, why } of keptOnlyMembers(operation)) {
    const [outer, ...inner] = member.split('.')
    add(properties[outer!], inner.length === 0 ? `Kept only: ${why}.` : `Kept only of it: ${inner.join('.')} (${why}).`)
    const property = properties[outer!]
    if (property) property['x-kept-only'] = inner.length === 0 ? true : [...((property['x-kept-only'] as string[]) ?? []), inner.join('.')]
  }
  if (operation !== 'createPayment' && operation !== 'confirmPayment') return
  for (const [member, what] of refusedByName) add(properties[member], `${refusalMessage(member, what)}.`)
}
