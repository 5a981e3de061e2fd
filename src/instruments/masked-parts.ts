import Type, { type TSchema } from 'typebox'
import { anyText, orNull } from '../base/shapes.ts'

/** A part is null if the request did not contain it. */
export const partsOf = (...names: readonly string[]): TSchema =>
  orNull(Type.Object(Object.fromEntries(names.map(name => [name, orNull(anyText)]))))

/** `names`: the part for each name in answers. */
export const shownParts = (
  masked: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>>,
): Record<string, string | null> => Object.fromEntries(Object.entries(names).map(([name, part]) => [name, masked[part] ?? null]))

/** Of a masked number, or of a text that ends with a number. */
export const last4 = (text: string | undefined): string | null => text?.match(/(\d{4})\D*$/)?.[1] ?? null
