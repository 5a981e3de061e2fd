import Type, { type TObject, type TProperties, type TSchema } from 'typebox'
import { countries } from './countries.ts'
import { LARGEST_AMOUNT } from './money.ts'
import { refuse } from './refusal.ts'

/** Schemas that several resources share. */

export const boundedText = (maxLength: number) => Type.String({ maxLength })
export const shortText = boundedText(255)
/** Free text of people, as long as a payment's description may be (spec.md, limits). */
export const longText = boundedText(65_535)
/** An e-mail address, checked only roughly: some text, one @, and a domain. */
export const EMAIL = /^[^\s@<>()[\]\\,;:"]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/u
export const dateTime = Type.String({ format: 'date-time' })
export const amount = (description: string) => Type.Integer({ minimum: 0, maximum: LARGEST_AMOUNT, description })
/** Text of any length, for answers. */
export const anyText = Type.String()
export const minor = Type.Integer({ description: 'In the lowest denomination of the currency' })
export const nonNegative = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
export const bool = Type.Boolean()
export const open = Type.Object({}, { additionalProperties: true })

/** The option of an object that refuses members it does not define. */
export const closed = { additionalProperties: false }

/** Returns the shape of an object that refuses members it does not define. */
export const strictObject = <P extends TProperties>(members: P): TObject<P> => Type.Object(members, closed)

/** An object that is stored as it is, and whose members this version does not read. */
export const kept = Type.Record(Type.String(), Type.Unknown())

export const orNull = (schema: TSchema, description?: string): TSchema =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

export const textOrNull = orNull(anyText)
export const timeOrNull = orNull(dateTime)
export const objectOrNull = orNull(open)

/** With a description of this member (`x-words`) beside the schema's own, which applies to all such members. */
export const withDescription = <S extends TSchema>(schema: S, description: string | undefined): S =>
  description === undefined ? schema : { ...schema, 'x-words': description }

/** Returns a schema with this title that accepts any of these objects. */
export const oneOf = (title: string, shapes: readonly TObject[]): TSchema =>
  shapes.length === 1 ? { ...shapes[0]!, title } : Type.Union([...shapes], { title })

/** May also be sent as text, one of these names: an object with the empty member of that name (`http/shape.ts`). */
export const byName = (names: readonly string[]) => (names.length === 0 ? {} : { 'x-by-name': names })

/** Missing members are refused with IR_06, as the ecosystem's parser does, not IR_04, as an operation's check does. */
export const parsed = { 'x-parsed': true } as const

/** As JSON Schema and PostgreSQL count: code points, not UTF-16 units and not graphemes. */
export function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
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

/** Refuses a URL that is not http(s) with a host, or that browsers read otherwise (`javascript:`, `https:/a`). */
export function checkAddress(field: string, address: string | undefined): void {
  if (address === undefined) return
  if (!/^https?:\/\/[^/?#\\\s]/i.test(address) || !URL.canParse(address))
    refuse('malformed', { field, expected: 'an absolute http or https address' })
}

/** The schemes whose URLs a browser executes or reads from the customer's device, instead of going somewhere. */
const UNSAFE_SCHEMES = /^(?:javascript|vbscript|data|blob|file|filesystem|about|view-source):/i

/** Besides web addresses, those of apps (`myapp://paid`): mobile checkouts return to their app. */
export function checkReturnUrl(field: string, address: string): void {
  if (/^https?:/i.test(address)) checkAddress(field, address)
  else if (!/^[a-z][a-z\d+.-]*:\/\/[^\s\\]*$/i.test(address) || UNSAFE_SCHEMES.test(address) || !URL.canParse(address))
    refuse('malformed', { field, expected: 'an absolute http or https address, or the address of an app (myapp://…)' })
}

/**
 * A merchant's own id, as ordinary or an e-mail address. No comma, because of `sdk_authorization`; no slash, and not
 * only dots, because of URL paths.
 */
export const customerId = Type.String({ minLength: 1, maxLength: 64, pattern: '^(?!\\.{1,2}$)[A-Za-z0-9_.:@+~|=-]*$' })

export const METADATA = { keys: 50, name: 40, value: 500 }

/** Up to 50 keys of 40 characters, with values of 500 (as text, or as JSON): `checkMetadata` checks these limits. */
export const metadata = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Up to 50 keys of up to 40 characters with values of up to 500',
})

/** Returns the name of a place in a body for errors: `payment_method_data.card`, `order_details[0].amount`. */
export const fieldName = (path: readonly (string | number)[]): string =>
  path.reduce<string>((name, part) => (typeof part === 'number' ? `${name}[${part}]` : name === '' ? part : `${name}.${part}`), '')
