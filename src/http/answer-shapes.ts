import Type, { type TProperties, type TSchema } from 'typebox'
import { bool, dateTime, minor, open, orNull, anyText as text } from '../base/shapes.ts'

export { anyText as text, bool as flag, dateTime as time, minor, nonNegative as count, open } from '../base/shapes.ts'

/**
 * What answers are made of. They stand beside the operations that give them (`routes/`); a test holds every member of
 * real answers against them, in both directions, so they cannot go stale. Every member is always present unless it is
 * optional there, and null where it is unknown. Clients must expect members that are not here yet.
 */

export const each = (schema: TSchema, names: string): TProperties =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map(name => [name, schema]),
  )
export const texts = (names: string): TProperties => each(orNull(text), names)
export const times = (names: string): TProperties => each(orNull(dateTime), names)
export const flags = (names: string): TProperties => each(orNull(bool), names)
export const amounts = (names: string): TProperties => each(orNull(minor), names)
export const objects = (names: string): TProperties => each(orNull(open), names)
export const lists = (names: string): TProperties => each(orNull(Type.Array(Type.Unknown())), names)

/** An answer that is a list, with its length. */
export const sized = <T>(data: readonly T[]) => ({ size: data.length, data })
