import creditCardType from 'credit-card-type'
import { passesLuhn } from '../base/card-number.ts'
import { refuse } from '../base/refusal.ts'
import { Secret } from '../base/secret.ts'
import { later } from '../base/time.ts'
import type { Card } from '../connectors/connector.ts'
import type { Vault, World } from '../world.ts'
import type { CreateAsk } from './ask.ts'
import type { MaskedCard, Payment } from './payment.ts'
import { findStoredCard } from './rows.ts'

type CardAsk = NonNullable<NonNullable<CreateAsk['payment_method_data']>['card']>

/** The ecosystem's names of the networks. The numbers' ranges come from `credit-card-type`. */
const networks: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  'american-express': 'AmericanExpress',
  'diners-club': 'DinersClub',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
}

const FIELD = 'payment_method_data.card'

/**
 * Reads a card as a merchant sends it: spaces are dropped, the month may have one digit, the year two or four.
 * Refuses a number that is not one (IR_06), parts that are no numbers (IR_07), and a month, year or CVC out of range or a card past its expiry (IR_16).
 */
export function readCard(ask: CardAsk, now: string): Card {
  const number = ask.card_number.replace(/[\s-]/g, '')
  if (!/^\d{8,19}$/.test(number) || !passesLuhn(number))
    refuse('unreadable', { field: `${FIELD}.card_number`, words: 'not a card number (8 to 19 digits that pass the Luhn check)' })
  const month = wholeNumber(ask.card_exp_month, 'card_exp_month')
  const shortYear = wholeNumber(ask.card_exp_year, 'card_exp_year')
  if (month < 1 || month > 12) refuse('precondition', { words: `${FIELD}.card_exp_month must be 1 to 12` })
  const year = ask.card_exp_year.length === 2 ? 2000 + shortYear : shortYear
  if (ask.card_exp_year.length !== 2 && (year < 2000 || year > 2199))
    refuse('precondition', { words: `${FIELD}.card_exp_year must have two or four digits` })
  if (year * 12 + month < Number(now.slice(0, 4)) * 12 + Number(now.slice(5, 7)))
    refuse('precondition', { words: `${FIELD}.card_exp_month and ${FIELD}.card_exp_year: the card has expired` })
  const cvc = ask.card_cvc === undefined ? null : readCvc(ask.card_cvc, `${FIELD}.card_cvc`)
  return { number: new Secret(number), exp_month: month, exp_year: year, cvc, holder: ask.card_holder_name ?? null }
}

function wholeNumber(text: string, member: string): number {
  if (!/^\d{1,4}$/.test(text)) refuse('invalid_value', { field: `${FIELD}.${member}`, words: 'digits only' })
  return Number(text)
}

/** A security code of three or four digits. */
export function readCvc(text: string, field: string): Secret {
  if (!/^\d+$/.test(text)) refuse('invalid_value', { field, words: 'digits only' })
  if (text.length < 3 || text.length > 4) refuse('precondition', { words: `${field} must have three or four digits` })
  return new Secret(text)
}

/** The library tries every pattern anew, which takes longer than sealing the card; the first eight digits decide, and shops see the same ones again and again. */
const known = new Map<string, string | null>()
const MOST_KNOWN = 10_000

function networkOf(number: string): string | null {
  const digits = number.slice(0, 8)
  let network = known.get(digits)
  if (network === undefined) {
    network = networks[creditCardType(digits)[0]?.type ?? ''] ?? null
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(digits, network)
  }
  return network
}

/** What may be stored in clear and shown of a card. */
export function mask(vault: Vault, merchant_id: string, card: Card, ask: CardAsk): MaskedCard {
  const number = card.number.reveal()
  return {
    last4: number.slice(-4),
    card_isin: number.slice(0, 6),
    // Eight digits and the last four of a short number would leave too little hidden.
    card_extended_bin: number.length >= 16 ? number.slice(0, 8) : null,
    // A card of two networks is used on the one that its holder chose.
    card_network: ask.card_network ?? networkOf(number),
    card_type: ask.card_type ?? null,
    card_issuer: ask.card_issuer ?? null,
    card_issuing_country: ask.card_issuing_country ?? null,
    card_exp_month: String(card.exp_month).padStart(2, '0'),
    card_exp_year: String(card.exp_year),
    card_holder_name: card.holder,
    nick_name: ask.nick_name ?? null,
    fingerprint: vault.fingerprint(merchant_id, number),
  }
}

export const CVC_WAITS_MINUTES = 15

const numberRecord = (payment_id: string) => `card ${payment_id}`
const cvcRecord = (payment_id: string) => `cvc ${payment_id}`

/** The rows that keep a payment's card: its number sealed, and its CVC, sealed, only if the card must wait for a confirm. */
export function sealedRows(
  world: Pick<World, 'vault' | 'now'>,
  merchant_id: string,
  payment_id: string,
  card: Card,
  waits: 'for confirm' | 'not',
) {
  const now = world.now()
  const record = numberRecord(payment_id)
  const number = { merchant_id, record, sealed: world.vault.seal(merchant_id, record, card.number.reveal()), created: now }
  if (waits === 'not' || !card.cvc) return { number, cvc: null }
  const expires_at = later(now, CVC_WAITS_MINUTES * 60_000)
  return {
    number,
    cvc: { merchant_id, payment_id, sealed: world.vault.seal(merchant_id, cvcRecord(payment_id), card.cvc.reveal()), expires_at },
  }
}

/** The card of a payment, out of the vault; null if none is kept. The CVC comes along while it may still wait. */
export async function storedCard(world: World, payment: Payment): Promise<{ card: Card; waitingCvc: boolean } | null> {
  const { merchant_id, payment_id } = payment
  if (!payment.card) return null
  const record = numberRecord(payment_id)
  const stored = await findStoredCard(world, payment, record)
  if (!stored) return null
  const waits = stored.cvc && stored.expires_at !== null && stored.expires_at > world.now()
  const cvc = waits ? new Secret(world.vault.open(merchant_id, cvcRecord(payment_id), stored.cvc!)) : null
  const number = new Secret(world.vault.open(merchant_id, record, stored.sealed))
  const { card_exp_month, card_exp_year, card_holder_name } = payment.card
  return {
    card: { number, exp_month: Number(card_exp_month), exp_year: Number(card_exp_year), cvc, holder: card_holder_name },
    waitingCvc: stored.cvc !== null,
  }
}
