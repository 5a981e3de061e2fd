import { refuse } from '../../base/refusal.ts'
import { isOther } from '../../connectors/instrument.ts'
import { card } from '../../instruments/card.ts'
import type { InstrumentInput } from '../../instruments/input.ts'
import { type CardSent, readCard } from '../../instruments/read-card.ts'
import { isRecordOnly, isUsable, methodRecord } from '../../payment-methods/method.ts'
import type { SavedCard, SavedCards } from '../../payment-methods/saved-cards.ts'
import type { Payment, PaymentParams } from '../payment.ts'
import type { UseCaseCall } from '../services.ts'

/** The saved instrument of its customer that a payment is paid with. */
export type Saved = InstrumentInput & { payment_method_id: string }

type Payer = Pick<Payment, 'merchant_id' | 'customer_id'>
type Terms = { request: PaymentParams; input: InstrumentInput | null; card_cvc: string | undefined; card_holder_name?: string | undefined }

/**
 * Returns the saved card of a payment_token; null without a token. Refuses (IR_29) an unknown, expired or foreign token
 * and a deleted card, which the caller cannot tell apart, and (IR_16) an expired card.
 */
export async function savedBy(
  { context, services }: Pick<UseCaseCall, 'context' | 'services'>,
  { merchant_id, customer_id }: Payer,
  { request, input, card_cvc, card_holder_name }: Terms,
): Promise<Saved | null> {
  const { payment_token, payment_method = card.method } = request
  if (payment_token === undefined) return null
  if (input) refuse('unacceptable', { field: 'payment_token', problem: 'and payment_method_data cannot be sent together' })
  if (payment_method !== card.method) refuse('token_unusable')
  const found = await services.saved.find(merchant_id, payment_token)
  if (found?.customer_id === customer_id && isRecordOnly(found))
    refuse('not_supported', {
      problem: `payment_token: a saved ${found.payment_method} is no choice at a checkout; what its processor keeps is charged off-session, by recurring_details`,
    })
  if (found?.customer_id !== customer_id || found.sealed === null) return refuse('token_unusable')
  const number = await context.numbers.read(merchant_id, methodRecord(found), found.sealed)
  const sent = sentOf(named(found, card_holder_name), number, card_cvc) ?? refuse('token_unusable')
  const { fingerprint, payment_method_id } = found
  return { family: card, sent, instrument: readCard(sent, context.now()), payment_method_id, fingerprint }
}

/** Returns the card with the cardholder's name, if the card was saved without one. */
const named = (method: SavedCard, card_holder_name: string | undefined): SavedCard =>
  method.masked && method.masked.card_holder_name === null && card_holder_name !== undefined
    ? { ...method, masked: { ...method.masked, card_holder_name } }
    : method

/** Returns a saved card in the form of a request; null if the card cannot be used. */
export function sentOf(method: SavedCard, number: string | null, card_cvc: string | undefined): CardSent | null {
  if (!isUsable(method) || !method.masked || number === null) return null
  const { card_exp_month, card_exp_year, ...masked } = method.masked
  return {
    card_number: number,
    card_exp_month,
    card_exp_year,
    ...(card_cvc !== undefined && { card_cvc }),
    ...(masked.card_holder_name !== null && { card_holder_name: masked.card_holder_name }),
    // A card with several networks is sent with the chosen one; without a choice, the current default applies.
    ...(masked.card_network !== null &&
      (!masked.card_networks || masked.network_chosen) && { card_network: masked.card_network as NonNullable<CardSent['card_network']> }),
    ...(masked.card_type !== null && { card_type: masked.card_type }),
    ...(masked.card_issuer !== null && { card_issuer: masked.card_issuer }),
    ...(masked.card_issuing_country !== null && { card_issuing_country: masked.card_issuing_country }),
    ...(masked.nick_name !== null && { nick_name: masked.nick_name }),
  }
}

/** Refuses (IR_06) `is_stored_credential: false` for a method saved here; a sent card may be from another vault. */
export function checkStored({ is_stored_credential }: PaymentParams, isKept: boolean): void {
  if (is_stored_credential === false && isKept)
    refuse('unacceptable', { field: 'is_stored_credential', problem: 'must be true for a saved payment method' })
}

/** Returns the request with the data of the saved instrument; without one, without those of an earlier choice. */
export function requestWith(request: PaymentParams, saved: PaidBy | null): PaymentParams {
  if (saved) return paidBy(request, saved).request
  if (request.payment_method_id === undefined) return request
  const { payment_method_id: _before, payment_token: _spent, saves: _saved, ...other } = request
  return other
}

/** An instrument that was stored before. */
export type PaidBy = InstrumentInput & { payment_method_id: string | null; kept_at?: Readonly<Record<string, string>> }

/** Returns the request with the part of the stored instrument that is stored with the payment. */
function paidBy(request: PaymentParams, { family, instrument, payment_method_id, kept_at }: PaidBy): { request: PaymentParams } {
  const { kept_at: _before, ...rest } = request
  return {
    request: {
      ...rest,
      payment_method: family.method,
      ...(isOther(instrument) && { payment_method_type: instrument.type }),
      ...(payment_method_id !== null && { payment_method_id }),
      ...(kept_at && { kept_at }),
    },
  }
}

/** Records that a saved card was used: it is listed before cards that were used earlier. */
export function noteUse(
  cards: Pick<SavedCards, 'used'>,
  { merchant_id, status }: Payment,
  saved: { payment_method_id: string | null } | null,
): void {
  if (saved?.payment_method_id && status !== 'failed') cards.used({ merchant_id, payment_method_id: saved.payment_method_id })
}
