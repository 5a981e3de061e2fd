import Type from 'typebox'
import { passesLuhn } from '../base/card-number.ts'
import { refuse, withOthers } from '../base/refusal.ts'
import { Secret } from '../base/secret.ts'
import { anyText, boundedText, shortText, strictObject, withDescription } from '../base/shapes.ts'
import type { Card } from '../connectors/instrument.ts'
import type { Time } from '../context.ts'
import { networks } from './networks.ts'

export const cardShape = strictObject({
  card_number: withDescription(anyText, 'Digits; encrypted on receipt and never returned'),
  card_exp_month: withDescription(anyText, '01 to 12'),
  card_exp_year: withDescription(anyText, 'Two or four digits'),
  card_cvc: Type.Optional(withDescription(anyText, 'Used for one authorization and never stored')),
  card_holder_name: Type.Optional(shortText),
  card_issuer: Type.Optional(shortText),
  card_network: Type.Optional(Type.Enum(networks)),
  card_type: Type.Optional(boundedText(64)),
  card_issuing_country: Type.Optional(boundedText(64)),
  card_issuing_country_code: Type.Optional(boundedText(64)),
  bank_code: Type.Optional(boundedText(64)),
  nick_name: Type.Optional(shortText),
})
export type CardSent = Type.Static<typeof cardShape>

const BAD_YEAR = 'Invalid Expiry Year'
const CORRECT = 'Ask the customer to correct what they typed'

const USUAL = 'payment_method_data.card'

/** Payments refuse an expiry with IR_16, payouts with 422 IR_06 (contract 5.3). */
type Unfit = 'precondition' | 'unacceptable'

const unfit = (name: Unfit, field: string, sentence: string, problem: string, help = CORRECT): never =>
  name === 'precondition'
    ? refuse(name, { field, sentence, problem: `${field} ${problem}`, help })
    : refuse(name, { field, sentence, problem, help })

/**
 * Spaces are dropped, the month may have one digit, the year two or four. `names`: the names of the members in the
 * request, if they differ from those of payments. Refuses in the contract's order (3.4): the number, parts that are
 * not numbers, a CVC, month or year out of range, an expired card.
 */
export function readCard(
  ask: CardSent,
  now: Time,
  at = USUAL,
  names: Partial<Record<keyof CardSent, string>> = {},
  name: Unfit = 'precondition',
): Card {
  const place = (member: keyof CardSent) => `${at}.${names[member] ?? member}`
  try {
    const number = new Secret(readNumber(ask.card_number, place('card_number')))
    const cvc = ask.card_cvc === undefined ? null : readCvc(ask.card_cvc, `${at}.card_cvc`)
    const exp_month = readMonth(ask.card_exp_month, place('card_exp_month'), name)
    const exp_year = readYear(ask.card_exp_year, place('card_exp_year'), name)
    checkExpiry(exp_month, exp_year, now, place('card_exp_month'), place('card_exp_year'), name)
    return { is: 'card', number, exp_month, exp_year, cvc, holder: ask.card_holder_name ?? null }
  } catch (error) {
    const month = () => readMonth(ask.card_exp_month, place('card_exp_month'), name)
    const year = () => readYear(ask.card_exp_year, place('card_exp_year'), name)
    throw withOthers(error, [
      () => ask.card_cvc !== undefined && readCvc(ask.card_cvc, `${at}.card_cvc`),
      month,
      year,
      () => checkExpiry(month(), year(), now, place('card_exp_month'), place('card_exp_year'), name),
    ])
  }
}

/** 1 to 12, with or without a leading zero. */
export function readMonth(text: string, field: string, name: Unfit = 'precondition'): number {
  const month = wholeNumber(text, field)
  if (month < 1 || month > 12) unfit(name, field, 'Invalid Expiry Month', 'must be 1 to 12')
  return month
}

/** Two or four digits; returned with four. */
export function readYear(text: string, field: string, name: Unfit = 'precondition'): number {
  wholeNumber(text, field)
  const year = fullYear(text)
  if (text.length !== 2 && (year < 2000 || year > 2199)) unfit(name, field, BAD_YEAR, 'must have two or four digits')
  return year
}

/** `monthAt`, `yearAt`: their paths in the request. */
export function checkExpiry(month: number, year: number, now: Time, monthAt: string, yearAt: string, name: Unfit = 'precondition'): void {
  const thisYear = Number(now.slice(0, 4))
  if (year * 12 + month >= thisYear * 12 + Number(now.slice(5, 7))) return
  const sentence = year < thisYear ? BAD_YEAR : 'Card Expired'
  unfit(
    name,
    yearAt,
    sentence,
    `and ${monthAt} are in the past: the card has expired`,
    'Ask the customer to check the expiry date or to use another card',
  )
}

export const fullYear = (digits: string): number => (digits.length === 2 ? 2000 + Number(digits) : Number(digits))

/** As saved cards show it: a month of two digits and a year of four. */
export const expiryOf = ({ card_exp_month, card_exp_year }: { card_exp_month: string; card_exp_year: string }) => ({
  expiry_month: card_exp_month.padStart(2, '0'),
  expiry_year: String(fullYear(card_exp_year)),
})

/** Returned without blanks and dashes. */
export function readNumber(text: string, field: string): string {
  const number = text.replace(/[\s-]/g, '')
  const wrong = !/^\d*$/.test(number)
    ? 'invalid character found in card number'
    : number.length < 8 || number.length > 19
      ? 'invalid card number length'
      : passesLuhn(number)
        ? null
        : 'card number invalid'
  if (wrong !== null)
    refuse('unreadable', {
      field,
      sentence: `Json deserialize error: ${wrong}`,
      problem: 'is not a card number: it must have 8 to 19 digits and pass the Luhn check',
      help: CORRECT,
    })
  return number
}

function wholeNumber(text: string, field: string): number {
  if (!/^\d{1,4}$/.test(text)) refuse('invalid_value', { field, problem: 'must contain digits only' })
  return Number(text)
}

export function readCvc(text: string, field: string): Secret {
  if (text.length < 3 || text.length > 4)
    refuse('precondition', {
      field,
      sentence: 'Invalid card_cvc length',
      problem: `${field} must have three or four digits`,
      help: CORRECT,
    })
  if (!/^\d+$/.test(text)) refuse('invalid_value', { field, problem: 'must contain digits only' })
  return new Secret(text)
}
