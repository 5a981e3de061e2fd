import { type Currency, isCurrency } from '../../base/currencies.ts'
import type { Money } from '../../base/money.ts'
import type { Time } from '../../context.ts'
import type { Facts } from '../connector.ts'
import { uncounted } from '../counting.ts'
import { isAmount, isId, isOneOf, isRecord, isWord, optional, readId, readTexts, readWord, tableOf } from '../kit/read.ts'
import type { NextAction } from '../next-action.ts'
import { counting } from './common.ts'
import { readNextAction, secondsToTime } from './next-actions.ts'

/** docs.stripe.com/api, in the version of `api.ts`. An invalid body is null: never accepted in part. */

// biome-ignore format: a list reads better in rows
const statuses = [
  'requires_payment_method', 'requires_confirmation', 'requires_action', 'processing', 'requires_capture', 'canceled',
  'succeeded',
] as const

/** The time of an object whose creation time is missing, which Stripe always sends. */
const EPOCH = '1970-01-01T00:00:00.000Z'

export type Intent = {
  id: string
  status: (typeof statuses)[number]
  /** Whether Stripe released the hold because it was not captured in time: the merchant did not cancel it. */
  ranOut: boolean
  amount: number
  amount_capturable: number
  amount_received: number
  currency: Currency
  metadata: Record<string, string>
  /** Null: none, or none that can be shown. */
  next_action: NextAction | null
  error: StripeError | null
  charge: string | null
  authorized: number | null
  /** If more was authorized than usual. */
  most_capturable: number | null
  facts: Facts
}

export function readIntent(body: unknown): Intent | null {
  if (!isRecord(body) || body.object !== 'payment_intent') return null
  const { id, status, amount, amount_capturable, amount_received, last_payment_error } = body
  const currency = readCurrency(body.currency)
  const metadata = readTexts(body.metadata)
  const charge = readCharge(body.latest_charge)
  const error = optional(last_payment_error, readStripeError)
  if (!isId(id) || !isOneOf(statuses, status) || !isAmount(amount) || !isAmount(amount_capturable) || !isAmount(amount_received))
    return null
  if (currency === null || metadata === null || charge === null || error === undefined) return null
  const about = { made: secondsToTime(body.created) ?? EPOCH, currency, store: metadata.konbini_store }
  const next_action = status === 'requires_action' ? readNextAction(body.next_action, about) : null
  const named = error && {
    ...error,
    network_code: error.network_code ?? charge.network_code,
    network_advice: error.network_advice ?? charge.network_advice,
  }
  const { network_code: _code, network_advice: _advice, ...known } = charge
  if (isWord(body.setup_future_usage)) known.facts = { ...known.facts, ...keptBy(body, body.latest_charge) }
  if (isRecord(body.transfer_data) && charge.charge !== null) known.facts = { ...known.facts, charge_id: charge.charge }
  const ranOut = status === 'canceled' && isOneOf(['automatic', 'expired'] as const, body.cancellation_reason)
  return { id, status, ranOut, amount, amount_capturable, amount_received, currency, metadata, next_action, error: named, ...known }
}

type Charge = Pick<Intent, 'charge' | 'authorized' | 'most_capturable' | 'facts'> & Pick<StripeError, 'network_code' | 'network_advice'>
const noCharge: Charge = { charge: null, authorized: null, most_capturable: null, facts: {}, network_code: null, network_advice: null }

/** Only its id if it was not expanded. */
function readCharge(charge: unknown): Charge | null {
  if (charge === null || charge === undefined) return noCharge
  if (typeof charge === 'string') return isId(charge) ? { ...noCharge, charge } : null
  if (!isRecord(charge) || !isId(charge.id)) return null
  const outcome = isRecord(charge.outcome) ? charge.outcome : {}
  const card = isRecord(charge.payment_method_details) ? charge.payment_method_details.card : null
  const { amount_authorized, overcapture } = isRecord(card) ? card : {}
  const more = isRecord(overcapture) && overcapture.status === 'available' ? overcapture.maximum_amount_capturable : null
  return {
    charge: charge.id,
    authorized: isAmount(amount_authorized) ? amount_authorized : null,
    most_capturable: isAmount(more) ? more : null,
    facts: isRecord(card) ? readFacts(card) : {},
    network_code: isWord(outcome.network_decline_code) ? outcome.network_decline_code : null,
    network_advice: adviceOf(outcome),
  }
}

/** So that merchants read one vocabulary (docs.stripe.com/declines/codes, advice codes). */
const advices: Record<string, string> = { confirm_card_data: '01', try_again_later: '02', do_not_try_again: '03' }

const adviceOf = ({ network_advice_code, advice_code }: Record<string, unknown>): string | null =>
  isWord(network_advice_code) ? network_advice_code : isWord(advice_code) ? (advices[advice_code] ?? advice_code) : null

/** By Stripe's results for the address line and the postal code. */
const avs: Record<string, string> = {
  'pass pass': 'Y',
  'pass fail': 'A',
  'fail pass': 'Z',
  'fail fail': 'N',
  'unavailable unavailable': 'U',
}
const cvc = tableOf({ pass: 'M', fail: 'N', unavailable: 'U', unchecked: 'P' })

/** Reads the facts of a charge. Invalid facts are left out: no fact decides about money. */
function readFacts(card: Record<string, unknown>): Facts {
  const { network_transaction_id, authorization_code, capture_before } = card
  const incremental = isRecord(card.incremental_authorization) ? card.incremental_authorization.status : null
  const extended = isRecord(card.extended_authorization) ? card.extended_authorization.status : null
  const secure = isRecord(card.three_d_secure) ? card.three_d_secure : {}
  const checks = isRecord(card.checks) ? card.checks : {}
  const avs_result = avs[`${checks.address_line1_check} ${checks.address_postal_code_check}`]
  const cvc_result = cvc[String(checks.cvc_check)]
  return {
    ...(isWord(network_transaction_id) && { network_transaction_id }),
    ...(isWord(authorization_code) && { authorization_code }),
    ...(isWord(secure.electronic_commerce_indicator) && { eci: secure.electronic_commerce_indicator }),
    ...(avs_result !== undefined && { avs_result }),
    ...(cvc_result !== undefined && { cvc_result }),
    ...(typeof incremental === 'string' && { incremental_authorization: incremental === 'available' }),
    ...(extended === 'enabled' && { extended_authorization: true }),
    ...(isAmount(capture_before) && capture_before < 1e11 && { capture_before: new Date(capture_before * 1000).toISOString() }),
  }
}

const refundStatuses = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'] as const

export type StripeRefund = {
  id: string
  status: (typeof refundStatuses)[number]
  amount: number
  currency: Currency
  metadata: Record<string, string>
  payment_intent: string | null
  reason: string | null
  failure_reason: string | null
  created: Time | null
  /** Whether it has changed the balance: a part of a hold that is let go is a refund that has not. */
  booked: boolean
  arn: string | null
  fee: Money | null
}

export function readRefund(body: unknown): StripeRefund | null {
  if (!isRecord(body) || body.object !== 'refund') return null
  const { id, status, amount, failure_reason, reason, balance_transaction } = body
  const currency = readCurrency(body.currency)
  const metadata = readTexts(body.metadata)
  if (!isId(id) || !isOneOf(refundStatuses, status) || !isAmount(amount) || currency === null || metadata === null) return null
  const card = isRecord(body.destination_details) && isRecord(body.destination_details.card) ? body.destination_details.card : {}
  const isArn = card.reference_type === 'acquirer_reference_number' && isWord(card.reference)
  return {
    ...{ id, status, amount, currency, metadata },
    payment_intent: readId(body.payment_intent),
    created: secondsToTime(body.created),
    reason: readWord(reason),
    failure_reason: readWord(failure_reason),
    booked: balance_transaction !== null && balance_transaction !== undefined,
    arn: isArn ? (card.reference as string) : null,
    fee: readFee(balance_transaction),
  }
}

/** In the currency of the merchant's balance, if the transaction was expanded. */
function readFee(transaction: unknown): Money | null {
  if (!isRecord(transaction) || !isAmount(transaction.fee)) return null
  const currency = readCurrency(transaction.currency)
  return currency && uncounted(counting, transaction.fee, currency)
}

export function readList<T>(body: unknown, read: (one: unknown) => T | null): T[] | null {
  if (!isRecord(body) || (body.object !== 'list' && body.object !== 'search_result') || !Array.isArray(body.data)) return null
  const all = body.data.map(read)
  return all.every((one): one is T & {} => one !== null) ? all : null
}

// biome-ignore format: a list reads better in rows
const setupStatuses = [
  'requires_payment_method', 'requires_confirmation', 'requires_action', 'processing', 'canceled', 'succeeded',
] as const

export type Setup = {
  id: string
  status: (typeof setupStatuses)[number]
  metadata: Record<string, string>
  next_action: NextAction | null
  error: StripeError | null
  facts: Facts
}

export function readSetup(body: unknown): Setup | null {
  if (!isRecord(body) || body.object !== 'setup_intent') return null
  const { id, status, last_setup_error } = body
  const metadata = readTexts(body.metadata)
  const error = optional(last_setup_error, readStripeError)
  if (!isId(id) || !isOneOf(setupStatuses, status) || metadata === null || error === undefined) return null
  const about = { made: secondsToTime(body.created) ?? EPOCH, currency: 'USD' as const, store: undefined }
  const next_action = status === 'requires_action' ? readNextAction(body.next_action, about) : null
  return { id, status, metadata, next_action, error, facts: status === 'succeeded' ? keptBy(body, body.latest_attempt) : {} }
}

/** `paid`: the charge or the attempt, if expanded: a payment at a bank saves a debit of another id, or nothing yet. */
function keptBy({ payment_method, customer }: Record<string, unknown>, paid: unknown): Facts {
  const details = isRecord(paid) && isRecord(paid.payment_method_details) ? paid.payment_method_details : {}
  const own = typeof details.type === 'string' ? details[details.type] : undefined
  const kept = isRecord(own) && own.generated_sepa_debit !== undefined ? own.generated_sepa_debit : payment_method
  return isId(kept) && isId(customer) ? { connector_mandate_id: kept, connector_customer_id: customer } : {}
}

export const readCustomer = (body: unknown): string | null =>
  isRecord(body) && body.object === 'customer' && isId(body.id) ? body.id : null

export const readMethod = (body: unknown): string | null =>
  isRecord(body) && body.object === 'payment_method' && isId(body.id) ? body.id : null

export type StripeError = {
  type: string
  /** The most specific of the error's codes: the issuer's decline code, or else the kind of error. */
  code: string
  /** The code as existing clients expect it: Stripe's own `code`; the message contains the `decline_code`. */
  processor_code: string
  message: string
  network_code: string | null
  network_advice: string | null
  intent: Intent | null
  setup: string | null
}

/** More than is left to refund has no code of its own: an earlier request may have taken effect. */
const isAboutRefunded = ({ param, message }: Record<string, unknown>): boolean =>
  param === 'amount' && typeof message === 'string' && /^refund amount /i.test(message)

export function readStripeError(error: unknown): StripeError | null {
  if (!isRecord(error) || !isWord(error.type)) return null
  const { type, decline_code, message, network_decline_code, payment_intent, setup_intent } = error
  const code = error.code ?? (isAboutRefunded(error) ? 'amount_too_large' : undefined)
  const specific = code === 'card_declined' && isWord(decline_code) ? decline_code : isWord(code) ? code : type
  const text = typeof message === 'string' ? message : specific
  return {
    type,
    code: specific,
    processor_code: isWord(code) ? code : type,
    message: isWord(decline_code) ? `message - ${text}, decline_code - ${decline_code}` : text,
    network_code: isWord(network_decline_code) ? network_decline_code : null,
    network_advice: adviceOf(error),
    intent: readIntent(payment_intent),
    setup: isRecord(setup_intent) && isId(setup_intent.id) ? setup_intent.id : null,
  }
}

export type StripeEvent = { id: string; type: string; object: unknown }

export function readEvent(body: unknown): StripeEvent | null {
  if (!isRecord(body) || body.object !== 'event' || !isRecord(body.data)) return null
  const { id, type } = body
  return isId(id) && isWord(type) ? { id, type, object: body.data.object } : null
}

export type StripeTransfer = { id: string; amount: number; currency: Currency; metadata: Record<string, string>; reversed: boolean }

export function readStripeTransfer(body: unknown): StripeTransfer | null {
  if (!isRecord(body) || body.object !== 'transfer') return null
  const { id, amount, reversed } = body
  const currency = readCurrency(body.currency)
  const metadata = readTexts(body.metadata)
  if (!isId(id) || !isAmount(amount) || typeof reversed !== 'boolean' || currency === null || metadata === null) return null
  return { id, amount, currency, metadata, reversed }
}

export function readCurrency(currency: unknown): Currency | null {
  const code = typeof currency === 'string' && /^[a-z]{3}$/.test(currency) ? currency.toUpperCase() : ''
  return isCurrency(code) ? code : null
}
