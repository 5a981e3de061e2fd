import type { TSchema } from 'typebox'
import { networkNamed } from '../instruments/networks.ts'

/** Values that a request may write in another way: an object by its name alone, and card networks in capitals. */

type Inside = { properties?: Record<string, TSchema>; items?: TSchema; anyOf?: readonly TSchema[] }

/** A member whose value may be given by its name alone. */
export type ByName = { above: readonly string[]; member: string; names: readonly string[] }

/** Returns the members of a schema whose values may be given by their names alone. */
export const namesIn = (schema: TSchema, path: readonly string[]): ByName[] =>
  Object.entries((schema as Inside).properties ?? {}).flatMap(([member, inner]) => {
    const { 'x-by-name': names } = inner as { 'x-by-name'?: readonly string[] }
    return [...(names ? [{ above: path, member, names }] : []), ...namesIn(inner, [...path, member])]
  })

/** Replaces a name by the object that it stands for. */
export function writeOut({ above, member, names }: ByName, value: unknown): void {
  let at = value as Record<string, unknown> | undefined
  for (const name of above) at = at?.[name] as Record<string, unknown> | undefined
  const given = at?.[member]
  if (typeof given === 'string' && names.includes(given)) at![member] = { [given]: {} }
}

const CAPITALS = /^[A-Z]+$/

/** Renames networks in capitals (`VISA`, from the ecosystem's clients); true if any. For values that do not fit. */
export function renameNetworks(schema: TSchema, value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  const { properties, items, anyOf = [] } = schema as Inside
  let isChanged = anyOf.some(form => renameNetworks(form, value))
  for (const [name, member] of Object.entries(value)) {
    const inside = Array.isArray(value) ? items : properties && Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!inside) continue
    const network = typeof member === 'string' && CAPITALS.test(member) ? (networkNamed(member) ?? member) : member
    if (network !== member && (inside as { enum?: readonly unknown[] }).enum?.includes(network)) {
      ;(value as Record<string, unknown>)[name] = network
      isChanged = true
    } else if (renameNetworks(inside, member)) isChanged = true
  }
  return isChanged
}
