import Type, { type TSchema } from 'typebox'
import { anyText, orNull } from '../base/shapes.ts'

/** What answers show of these parts, each null where nothing was said. */
export const partsOf = (...names: readonly string[]): TSchema =>
  orNull(Type.Object(Object.fromEntries(names.map(name => [name, orNull(anyText)]))))

/** The parts that are meant, by the names that answers have for them. */
export const shownParts = (
  masked: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>>,
): Record<string, string | null> => Object.fromEntries(Object.entries(names).map(([name, part]) => [name, masked[part] ?? null]))

/** The last four digits of what is masked, or written with words around it. */
export const last4 = (words: string | undefined): string | null => words?.match(/(\d{4})\D*$/)?.[1] ?? null
