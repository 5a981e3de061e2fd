import Type, { type TSchema } from 'typebox'
import { refuse } from '../base/refusal.ts'
import { anyText, boundedText, country, orNull, shortText } from '../base/shapes.ts'
import { bankNames } from './banks.ts'
import { ibanRemainder } from './iban.ts'
import { readMonth, readYear } from './read-card.ts'

/** A family other than cards consists of *ways* to pay (`paypal_redirect`, `ideal`); a request names one. */

/**
 * The visibility in answers: `clear` all; `person` all, until the person's data is erased; `masked` the last four
 * characters; `never` nothing. A part that is not `clear` is encrypted.
 */
export type Visible = 'clear' | 'person' | 'masked' | 'never'

/** `asks`: the kind of input at a checkout, in the ecosystem's words. `read`: normalizes or refuses a text. */
export type InstrumentField = {
  shape: TSchema
  visible: Visible
  needed: boolean
  asks: string | null
  /** Choices at a checkout; null: any text. */
  options: readonly string[] | null
  read: ((text: string, field: string) => string) | null
}

type More = Partial<Pick<InstrumentField, 'read' | 'options'>>
const part =
  (visible: Visible) =>
  (shape: TSchema = shortText, { read = null, options = null }: More = {}): InstrumentField => ({
    shape,
    visible,
    needed: false,
    asks: null,
    options,
    read,
  })

export const clear = part('clear')
export const person = part('person')
export const masked = part('masked')
export const never = part('never')

export const need = (one: InstrumentField, asks: string | null = null): InstrumentField => ({ ...one, needed: true, asks })

/** Checkouts ask for the part, because processors want it. A request may leave it out. */
export const ask = (one: InstrumentField, asks: string): InstrumentField => ({ ...one, asks })

export const asked = {
  email: ask(never(), 'user_email_address'),
  name: ask(never(), 'user_full_name'),
  first_name: ask(never(), 'user_billing_name'),
  last_name: ask(never(), 'user_billing_name'),
  phone: ask(never(), 'user_phone_number'),
}

/**
 * `types`: payment_method_types. `parts`: by name, with dots for nested members. `as`: the name in answers.
 * `experience`: the kind of step that the customer takes. `shows`: the members in answers, if not simply the visible
 * parts. `also`: another name that clients send. `formOf`: the way under whose name a request gives this one; the
 * request's members decide which it is. `ends`: the parts with month and year of the expiry.
 */
export type Way = {
  types: readonly string[]
  parts: Readonly<Record<string, InstrumentField>>
  as: string
  experience: string
  shows: ((seen: Readonly<Record<string, string>>) => object) | null
  also: string | null
  formOf: string | null
  ends: readonly [month: string, year: string] | null
}

type Rest = Partial<Pick<Way, 'as' | 'experience' | 'shows' | 'also' | 'formOf' | 'ends'>>

export const way = (
  types: string | readonly string[],
  parts: Way['parts'] = {},
  { as, experience = 'redirect_to_url', shows = null, also = null, formOf = null, ends = null }: Rest = {},
): Way => ({
  types: typeof types === 'string' ? [types] : types,
  parts,
  as: as ?? (typeof types === 'string' ? types : types[0]!),
  experience,
  shows,
  also,
  formOf,
  ends,
})

export const bankName = Type.Enum(bankNames, { title: 'BankName' })
export { country }

/** Must be readable by `read`, and is kept as it was sent. */
const readsAs = (read: (text: string, field: string) => number) =>
  clear(anyText, {
    read: (text, field) => {
      read(text, field)
      return text
    },
  })
export const expiry = { month: readsAs(readMonth), year: readsAs(readYear) }

/** `from` to `to` digits, possibly in groups. */
export const digits =
  (from: number, to: number) =>
  (text: string, field: string): string => {
    const plain = text.replace(/[\s-]/g, '')
    if (!/^\d+$/.test(plain) || plain.length < from || plain.length > to)
      refuse('precondition', { problem: `${field} must have ${from === to ? from : `${from} to ${to}`} digits` })
    return plain
  }

/** Of any country: letters and digits. */
export const accountNumber = (text: string, field: string): string => {
  const plain = text.replace(/[\s-]/g, '')
  if (!/^[0-9A-Za-z]{4,34}$/.test(plain)) refuse('precondition', { problem: `${field} must have 4 to 34 letters and digits` })
  return plain
}

/** ISO 13616: a country, two check digits, up to 30 more characters; 1 modulo 97. */
export const iban = (text: string, field: string): string => {
  const plain = text.replace(/\s/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[0-9A-Z]{10,30}$/.test(plain) || ibanRemainder(plain) !== 1)
    refuse('precondition', { problem: `${field} is not a valid IBAN` })
  return plain
}

/** UPI: `name@bank`. */
export const virtualAddress = (text: string, field: string): string => {
  if (!/^[\w.-]{2,255}@[A-Za-z][A-Za-z0-9.-]{1,63}$/.test(text)) refuse('precondition', { problem: `${field} must look like name@bank` })
  return text
}

/** A network's cryptogram. */
export const base64 = (text: string, field: string): string => {
  if (!/^[A-Za-z0-9+/]{4,400}={0,2}$/.test(text) || text.length % 4 !== 0) refuse('precondition', { problem: `${field} must be base64` })
  return text
}

export const date = (text: string, field: string): string => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) !== text)
    refuse('precondition', { problem: `${field} must be a date (YYYY-MM-DD)` })
  return text
}

/** Given by a wallet or a lender to the shop, longer than other texts. */
export const token = boundedText(20_000)

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
