import Type, { type TObject, type TProperties, type TSchema } from 'typebox'
import { bool, nonNegative as count, dateTime, minor, open, orNull, anyText as text } from '../base/shapes.ts'

export { anyText as text, bool as flag, dateTime as time, minor, nonNegative as count, open } from '../base/shapes.ts'

/**
 * Shared shapes of answers; the others are beside their operations (`routes/`). A test compares them with real answers
 * both ways. Members are always present unless optional, null if unknown; clients must accept further ones.
 */

/** Returns the shape of an object that the OpenAPI document calls by this title, and describes. */
export function schema<P extends TProperties>(title: string, members: P): TObject<P>
export function schema<P extends TProperties>(title: string, description: string, members: P): TObject<P>
export function schema(title: string, ...rest: [TProperties] | [string, TProperties]): TObject {
  return rest.length === 1 ? Type.Object(rest[0], { title }) : Type.Object(rest[1], { title, description: rest[0] })
}

/** Returns the shape of a list of such items (`sized`), which the document calls by this name. */
export const listSchema = (title: string, item: TSchema) => schema(title, { size: count, data: Type.Array(item) })

const each = (schema: TSchema, names: string): TProperties =>
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

/** Returns the shape of one of these words, each with what it means. */
export const wordOf = <W extends string>(words: Readonly<Record<W, string>>) =>
  Type.Enum(Object.keys(words) as W[], {
    description: Object.entries(words)
      .map(([word, means]) => `\`${word}\`: ${means}`)
      .join('. '),
  })

/** Returns a list as an answer, with its length. */
export const sized = <T>(data: readonly T[]) => ({ size: data.length, data })
