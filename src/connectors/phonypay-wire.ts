import { type Currency, isCurrency } from '../base/currencies.ts'
import type { DeclineCode, Facts, Verb } from './connector.ts'
import type { NextAction } from './next-action.ts'
import { readAction, readUrl } from './phonypay-action.ts'
import { isAmount, isId, isOneOf, isRecord, isWord } from './wire.ts'

/**
 * What phonypay writes, read member by member. A body that is not exactly as its contract says (`sandbox/README.md`)
 * is null: it is never half believed.
 */

/** Its kinds of operation, and which of our verbs asks for each. */
export const phonypayVerbs = {
  authorization: 'authorize',
  capture: 'capture',
  void: 'void',
  refund: 'refund',
  increment: 'increment',
  extension: 'extend',
  reversal: 'post_capture_void',
  payout: 'payout',
  payout_cancel: 'cancel_payout',
} as const satisfies Record<string, Verb>
type Type = keyof typeof phonypayVerbs
/** A verb that it does not have is absent. */
export const phonypayTypes = Object.fromEntries(Object.entries(phonypayVerbs).map(([type, verb]) => [verb, type])) as Partial<
  Record<Verb, Type>
>

const statuses = ['approved', 'declined', 'pending', 'challenge', 'returned', 'expired'] as const
const paymentStatuses = ['authorized', 'captured', 'partially_captured', 'voided', 'declined', 'challenge', 'pending', 'expired'] as const

/** Its reasons for a no, in our vocabulary. A reason that is not here is still a no. */
export const declines = {
  card_declined: 'card_declined',
  insufficient_funds: 'insufficient_funds',
  lost_card: 'lost_card',
  stolen_card: 'stolen_card',
  expired_card: 'expired_card',
  incorrect_cvc: 'incorrect_cvc',
  processing_error: 'processing_error',
  avs_declined: 'card_declined',
  authentication_required: 'authentication_required',
  authentication_failed: 'authentication_failed',
  authentication_expired: 'authentication_failed',
  payment_declined: 'payment_declined',
  rejected: 'authentication_failed',
  not_paid: 'authentication_failed',
  voided: 'authentication_failed',
  capture_declined: 'operation_declined',
  void_declined: 'operation_declined',
  increment_declined: 'operation_declined',
  extension_declined: 'operation_declined',
  reversal_declined: 'operation_declined',
  refund_declined: 'operation_declined',
  refund_failed: 'operation_declined',
  payout_failed: 'operation_declined',
  payout_cancelled: 'cancelled',
  payout_cancel_declined: 'operation_declined',
  payout_returned: 'operation_declined',
  recipient_ineligible: 'recipient_ineligible',
} as const satisfies Record<string, DeclineCode>

/** Its errors, by status and code. Every one of them means: nothing happened. */
const refusals = {
  '400 invalid_request': 'invalid_request',
  '401 unauthorized': 'configuration',
  '404 not_found': 'not_found',
  '409 idempotency_mismatch': 'exists',
  '409 duplicate_reference': 'exists',
  '422 not_allowed': 'not_allowed',
} as const

export type PhonypayError = { means: (typeof refusals)[keyof typeof refusals] | 'later'; code: string; message: string }

export type PhonypayOperation = {
  id: string
  type: Type
  payment: string
  reference: string
  status: (typeof statuses)[number]
  amount: number
  currency: Currency
  decline: Decline | null
  redirect_url: string | null
  next_action: NextAction | null
  payment_state: { status: (typeof paymentStatuses)[number]; authorized: number; captured: number; refunded: number }
  facts: Facts
}

type Decline = { code: string; message: string; network_code: string | null; network_advice: string | null }

export function readOperation(body: unknown): PhonypayOperation | null {
  if (!isRecord(body) || body.object !== 'operation') return null
  const { id, type, payment, reference, status, amount, currency } = body
  if (!isId(id) || !isId(payment) || !isId(reference) || !isType(type) || !isOneOf(statuses, status)) return null
  if (!isAmount(amount) || typeof currency !== 'string' || !isCurrency(currency)) return null
  if ((type === 'authorization' || type === 'payout') && payment !== id) return null
  const decline = readDecline(body.decline)
  const redirect_url = readUrl(body.redirect_url)
  const next_action = readAction(body.next_action)
  const payment_state = readPaymentState(body.payment_state)
  const facts = readFacts(body)
  if (decline === undefined || redirect_url === undefined || next_action === undefined || payment_state === null || facts === null)
    return null
  return { id, type, payment, reference, status, amount, currency, decline, redirect_url, next_action, payment_state, facts }
}

/** The operation that a webhook announces. */
export function readAnnouncement(body: unknown): PhonypayOperation | null {
  return isRecord(body) && body.type === 'operation.updated' ? readOperation(body.operation) : null
}

/** Does it say that its news are to go there? */
export const isEndpoint = (body: unknown, url: string): boolean => isRecord(body) && body.object === 'webhook_endpoint' && body.url === url

/** A 429 is not in its contract; wherever it is said, it is said instead of doing anything (RFC 6585, section 4). */
export function readRefused(status: number, body: unknown): PhonypayError | null {
  const error = isRecord(body) ? body.error : null
  if (!isRecord(error) || !isWord(error.code) || typeof error.message !== 'string') return null
  const { code, message } = error
  if (status === 429) return { means: 'later', code, message }
  const known = `${status} ${code}`
  return Object.hasOwn(refusals, known) ? { means: refusals[known as keyof typeof refusals], code, message } : null
}

/** undefined: not understood. */
function readDecline(decline: unknown): Decline | null | undefined {
  if (decline === null || decline === undefined) return null
  if (!isRecord(decline) || !isWord(decline.code) || typeof decline.message !== 'string') return undefined
  const { code, message } = decline
  const network_code = decline.network_code ?? null
  const network_advice = decline.network_advice ?? null
  if ((network_code !== null && !isWord(network_code)) || (network_advice !== null && !isWord(network_advice))) return undefined
  return { code, message, network_code, network_advice }
}

function readPaymentState(state: unknown): PhonypayOperation['payment_state'] | null {
  if (!isRecord(state)) return null
  const { status, authorized, captured, refunded } = state
  if (!isOneOf(paymentStatuses, status) || !isAmount(authorized) || !isAmount(captured) || !isAmount(refunded)) return null
  return { status, authorized, captured, refunded }
}

const factWords = ['network_transaction_id', 'authorization_code', 'eci', 'avs_result', 'cvc_result', 'arn'] as const

function readFacts(body: Record<string, unknown>): Facts | null {
  const facts: Facts = {}
  for (const name of factWords) {
    const word = body[name]
    if (word === null || word === undefined) continue
    if (!isWord(word)) return null
    facts[name] = word
  }
  const { mandate, hold_expires_at, max_capturable, fee } = body
  if (fee !== null && fee !== undefined) {
    if (!isRecord(fee) || !isAmount(fee.amount) || typeof fee.currency !== 'string' || !isCurrency(fee.currency)) return null
    facts.fee = { amount: fee.amount, currency: fee.currency }
  }
  if (max_capturable !== null && max_capturable !== undefined) {
    if (!isAmount(max_capturable)) return null
    facts.most_capturable = max_capturable
  }
  if (mandate !== null && mandate !== undefined) {
    if (!isId(mandate)) return null
    facts.connector_mandate_id = mandate
  }
  if (hold_expires_at === null || hold_expires_at === undefined) return facts
  if (typeof hold_expires_at !== 'string' || !/^\d{4}-\d\d-\d\dT[\d:.]{5,12}Z$/.test(hold_expires_at)) return null
  const time = Date.parse(hold_expires_at)
  if (Number.isNaN(time)) return null
  facts.capture_before = new Date(time).toISOString()
  return facts
}

const isType = (value: unknown): value is Type => typeof value === 'string' && Object.hasOwn(phonypayVerbs, value)

/** The id of an order that was made for this request. */
export const readOrder = (body: unknown, request_id: string): string | null =>
  isRecord(body) && body.object === 'order' && body.reference === request_id && isId(body.id) ? body.id : null
