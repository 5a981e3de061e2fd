import Type, { type TObject, type TSchema } from 'typebox'
import { countries } from './countries.ts'
import { LARGEST_AMOUNT } from './money.ts'
import { refuse } from './refusal.ts'

/** Shapes that several resources share. */

export const boundedText = (maxLength: number) => Type.String({ maxLength })
export const shortText = boundedText(255)
export const dateTime = Type.String({ format: 'date-time' })
export const amount = (description: string) => Type.Integer({ minimum: 0, maximum: LARGEST_AMOUNT, description })
/** What answers show. */
export const anyText = Type.String()
export const minor = Type.Integer({ description: 'In the lowest denomination of the currency' })
export const nonNegative = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
export const bool = Type.Boolean()
export const open = Type.Object({}, { additionalProperties: true })

/** An object that takes no member beside its own. */
export const closed = { additionalProperties: false }

/** An object whose inside this version does not read. */
export const kept = Type.Record(Type.String(), Type.Unknown())

export const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()])

export const textOrNull = orNull(anyText)
export const timeOrNull = orNull(dateTime)
export const objectOrNull = orNull(open)

/**
 * The schema of a member, with what the member means. What the schema says of itself is said of all that are like it,
 * and stays beside these words.
 */
export const withWords = <S extends TSchema>(schema: S, words: string | undefined): S =>
  words === undefined ? schema : { ...schema, 'x-words': words }

/** Under one title, whichever of these objects it is. */
export const oneOf = (title: string, shapes: readonly TObject[]): TSchema =>
  shapes.length === 1 ? { ...shapes[0]!, title } : Type.Union([...shapes], { title })

/**
 * A text that is one of these names alone means the object that has that member, and nothing in it (`http/shape.ts`).
 */
export const byName = (names: readonly string[]) => (names.length === 0 ? {} : { 'x-by-name': names })

/**
 * Bodies whose missing members the ecosystem's parser finds missing (IR_06), and not a check of the operation (IR_04).
 */
export const parsed = { 'x-parsed': true } as const

/**
 * Characters as JSON Schema and PostgreSQL count them: code points, not UTF-16 units, and not what a reader would
 * call one.
 */
export function lengthOf(words: string): number {
  let length = 0
  for (const _ of words) length++
  return length
}

export const country = Type.Enum(countries)

/** The address of a person or a business. */
export const addressDetails = Type.Object(
  {
    city: Type.Optional(boundedText(50)),
    country: Type.Optional(country),
    line1: Type.Optional(boundedText(200)),
    line2: Type.Optional(boundedText(50)),
    line3: Type.Optional(boundedText(50)),
    zip: Type.Optional(boundedText(50)),
    state: Type.Optional(boundedText(255)),
    first_name: Type.Optional(shortText),
    last_name: Type.Optional(shortText),
    origin_zip: Type.Optional(boundedText(50)),
  },
  { additionalProperties: false },
)

/**
 * An address to which a customer is sent: http or https, with a host, and nothing that browsers would read in another
 * way (`javascript:` runs, `https:/a` is repaired).
 */
export function checkAddress(field: string, address: string | undefined): void {
  if (address === undefined) return
  if (!/^https?:\/\/[^/?#\\\s]/i.test(address) || !URL.canParse(address))
    refuse('malformed', { field, expected: 'an absolute http or https address' })
}

/**
 * A merchant's own id of a customer: what ordinary ids hold, an e-mail address too. No comma, because the id travels
 * inside `sdk_authorization`, between commas; no slash, and not dots alone, because it travels in paths.
 */
export const customerId = Type.String({ minLength: 1, maxLength: 64, pattern: '^(?!\\.{1,2}$)[A-Za-z0-9_.:@+~|=-]*$' })

export const METADATA = { keys: 50, name: 40, value: 500 }

/**
 * Up to 50 keys of up to 40 characters; a value is at most 500 characters (as text, or as JSON). The limits are
 * checked by `checkMetadata`.
 */
export const metadata = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Up to 50 keys of up to 40 characters with values of up to 500',
})

/** A place inside a body as errors name it: `payment_method_data.card`, `order_details[0].amount`. */
export const fieldName = (path: readonly (string | number)[]): string =>
  path.reduce<string>((name, part) => (typeof part === 'number' ? `${name}[${part}]` : name === '' ? part : `${name}.${part}`), '')
