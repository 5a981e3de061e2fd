import Type, { type TSchema } from 'typebox'
import { refuse } from '../base/refusal.ts'
import { anyText, boundedText, country, shortText } from '../base/shapes.ts'
import { bankNames } from './banks.ts'
import { readMonth, readYear } from './read-card.ts'

/**
 * The building blocks for the tables of families other than cards. Such a family consists of *ways* to pay
 * (`paypal_redirect`, `ideal`). A request names one way and gives the parts that it needs.
 */

/**
 * The visibility of a part: `clear` all; `person` all, until the person's data is erased; `masked` the last four
 * characters; `never` nothing. A part that is not `clear` is encrypted.
 */
export type Visible = 'clear' | 'person' | 'masked' | 'never'

/**
 * A part of a way. `asks`: the kind of input by which a checkout asks for the part, in the ecosystem's words. `read`:
 * normalizes the text of the part, and refuses an invalid text.
 */
export type InstrumentField = {
  shape: TSchema
  visible: Visible
  needed: boolean
  asks: string | null
  /** The values that a checkout offers to choose from; null: any text. */
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

/** Returns the part, marked as required in requests. */
export const need = (one: InstrumentField, asks: string | null = null): InstrumentField => ({ ...one, needed: true, asks })

/** Returns the part, marked as one that checkouts ask for, because processors want it. A request may leave it out. */
export const ask = (one: InstrumentField, asks: string): InstrumentField => ({ ...one, asks })

/** Parts with the customer's personal data, as checkouts ask for them. */
export const asked = {
  email: ask(never(), 'user_email_address'),
  name: ask(never(), 'user_full_name'),
  first_name: ask(never(), 'user_billing_name'),
  last_name: ask(never(), 'user_billing_name'),
  phone: ask(never(), 'user_phone_number'),
}

/**
 * A way to pay. `types`: its payment_method_types. `parts`: its parts by name, with dots for nested members. `as`: its
 * name in answers. `experience`: the kind of step that the customer takes. `shows`: returns the members that answers
 * show, if they are not simply the visible parts. `also`: another name under which clients send the way. `formOf`: the
 * way under whose name a request gives this way; the members of the request decide which of the two it is. `ends`: the
 * parts with the month and year of its expiry.
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

/** Returns a way of one or several payment method types. */
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

/** Returns a part that must be readable by `read`, and that is kept as it was sent. */
const readsAs = (read: (text: string, field: string) => number) =>
  clear(anyText, {
    read: (text, field) => {
      read(text, field)
      return text
    },
  })
/** The parts for the expiry month and year of a card or a token. */
export const expiry = { month: readsAs(readMonth), year: readsAs(readYear) }

/** Returns a function that reads `from` to `to` digits, possibly in groups. */
export const digits =
  (from: number, to: number) =>
  (text: string, field: string): string => {
    const plain = text.replace(/[\s-]/g, '')
    if (!/^\d+$/.test(plain) || plain.length < from || plain.length > to)
      refuse('precondition', { problem: `${field} must have ${from === to ? from : `${from} to ${to}`} digits` })
    return plain
  }

/** Reads an account number of any country: letters and digits. */
export const accountNumber = (text: string, field: string): string => {
  const plain = text.replace(/[\s-]/g, '')
  if (!/^[0-9A-Za-z]{4,34}$/.test(plain)) refuse('precondition', { problem: `${field} must have 4 to 34 letters and digits` })
  return plain
}

/** Reads an IBAN (ISO 13616): a country, two check digits, up to 30 more characters; it is 1 modulo 97. */
export const iban = (text: string, field: string): string => {
  const plain = text.replace(/\s/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[0-9A-Z]{10,30}$/.test(plain) || remainder(plain) !== 1)
    refuse('precondition', { problem: `${field} is not a valid IBAN` })
  return plain
}

function remainder(plain: string): number {
  let rest = 0
  for (const character of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97
  }
  return rest
}

/** Reads a UPI address: `name@bank`. */
export const virtualAddress = (text: string, field: string): string => {
  if (!/^[\w.-]{2,255}@[A-Za-z][A-Za-z0-9.-]{1,63}$/.test(text)) refuse('precondition', { problem: `${field} must look like name@bank` })
  return text
}

/** Reads a cryptogram of a network: bytes in base64. */
export const base64 = (text: string, field: string): string => {
  if (!/^[A-Za-z0-9+/]{4,400}={0,2}$/.test(text) || text.length % 4 !== 0) refuse('precondition', { problem: `${field} must be base64` })
  return text
}

/** Reads a calendar date, YYYY-MM-DD. */
export const date = (text: string, field: string): string => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) !== text)
    refuse('precondition', { problem: `${field} must be a date (YYYY-MM-DD)` })
  return text
}

/** The schema of a token that a wallet or a lender gave the shop, which is longer than other texts. */
export const token = boundedText(20_000)
