import Type, { type TSchema } from 'typebox'
import { refuse } from '../base/refusal.ts'
import { anyText, boundedText, country, shortText } from '../base/shapes.ts'
import { bankNames } from './banks.ts'
import { readMonth, readYear } from './read-card.ts'

/**
 * Methods other than cards are paid in *ways* (`paypal_redirect`, `ideal`): a request names one, and says what it
 * needs. Here: the parts of which the families' tables are written.
 */

/**
 * How much of it may be seen: all; all, until the person is forgotten; the last four characters; nothing. What is not
 * `clear` is sealed.
 */
export type Visible = 'clear' | 'person' | 'masked' | 'never'

/**
 * Something that is said of a way. `asks`: in the ecosystem's words, by what kind of input a checkout asks for it.
 * `read`: makes of a text what it means, and refuses what it cannot be.
 */
export type InstrumentField = {
  shape: TSchema
  visible: Visible
  needed: boolean
  asks: string | null
  /** Among which a checkout lets the payer choose. */
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

/** It cannot be paid without it. */
export const need = (one: InstrumentField, asks: string | null = null): InstrumentField => ({ ...one, needed: true, asks })

/** A checkout asks for it, because processors want it; a request may leave it out. */
export const ask = (one: InstrumentField, asks: string): InstrumentField => ({ ...one, asks })

/** What people say of themselves, as checkouts ask for it. */
export const asked = {
  email: ask(never(), 'user_email_address'),
  name: ask(never(), 'user_full_name'),
  first_name: ask(never(), 'user_billing_name'),
  last_name: ask(never(), 'user_billing_name'),
  phone: ask(never(), 'user_phone_number'),
}

/**
 * A way to pay. `types`: of which payment_method_types it is. `parts`: what is said of it, by name, within others
 * with dots. `as`: what answers call it. `experience`: what the customer sees of it. `shows`: what answers show, if
 * that is not simply what may be seen of its parts. `formOf`: a request brings it under the name of that way, and what
 * is said there tells which of the two it is. `ends`: its parts that are a month and a year after which it is worth
 * nothing.
 */
export type Way = {
  types: readonly string[]
  parts: Readonly<Record<string, InstrumentField>>
  as: string
  experience: string
  shows: ((seen: Readonly<Record<string, string>>) => object) | null
  formOf: string | null
  ends: readonly [month: string, year: string] | null
}

type Rest = Partial<Pick<Way, 'as' | 'experience' | 'shows' | 'formOf' | 'ends'>>

/** A way of this type. */
export const way = (
  types: string | readonly string[],
  parts: Way['parts'] = {},
  { as, experience = 'redirect_to_url', shows = null, formOf = null, ends = null }: Rest = {},
): Way => ({
  types: typeof types === 'string' ? [types] : types,
  parts,
  as: as ?? (typeof types === 'string' ? types : types[0]!),
  experience,
  shows,
  formOf,
  ends,
})

export const bankName = Type.Enum(bankNames, { title: 'BankName' })
export { country }

/** A text that can be read so; it stays as it is sent. */
const readsAs = (read: (text: string, field: string) => number) =>
  clear(anyText, {
    read: (text, field) => {
      read(text, field)
      return text
    },
  })
/** The month and the year in which a card or a token ends. */
export const expiry = { month: readsAs(readMonth), year: readsAs(readYear) }

/** Digits, perhaps written in groups. */
export const digits =
  (from: number, to: number) =>
  (words: string, field: string): string => {
    const plain = words.replace(/[\s-]/g, '')
    if (!/^\d+$/.test(plain) || plain.length < from || plain.length > to)
      refuse('precondition', { words: `${field} must have ${from === to ? from : `${from} to ${to}`} digits` })
    return plain
  }

/** An account number of any country: letters and digits. */
export const accountNumber = (words: string, field: string): string => {
  const plain = words.replace(/[\s-]/g, '')
  if (!/^[0-9A-Za-z]{4,34}$/.test(plain)) refuse('precondition', { words: `${field} must have 4 to 34 letters and digits` })
  return plain
}

/** ISO 13616: two letters of a country, two check digits, up to 30 characters more; the remainder by 97 is 1. */
export const iban = (words: string, field: string): string => {
  const plain = words.replace(/\s/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[0-9A-Z]{10,30}$/.test(plain) || remainder(plain) !== 1)
    refuse('precondition', { words: `${field} is not a valid IBAN` })
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

/** A name at a bank, as UPI has them: `name@bank`. */
export const virtualAddress = (words: string, field: string): string => {
  if (!/^[\w.-]{2,255}@[A-Za-z][A-Za-z0-9.-]{1,63}$/.test(words)) refuse('precondition', { words: `${field} must look like name@bank` })
  return words
}

/** What networks prove themselves with: bytes, as base64 writes them. */
export const base64 = (words: string, field: string): string => {
  if (!/^[A-Za-z0-9+/]{4,400}={0,2}$/.test(words) || words.length % 4 !== 0) refuse('precondition', { words: `${field} must be base64` })
  return words
}

/** A date of the calendar, YYYY-MM-DD. */
export const date = (words: string, field: string): string => {
  if (!/^\d{4}-\d\d-\d\d$/.test(words) || new Date(`${words}T00:00:00Z`).toJSON()?.slice(0, 10) !== words)
    refuse('precondition', { words: `${field} must be a date (YYYY-MM-DD)` })
  return words
}

/** What a wallet or a lender gave the shop: longer than what people write. */
export const token = boundedText(20_000)
