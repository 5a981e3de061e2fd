import { type Currency, isCurrency } from '../../base/currencies.ts'
import type { Money } from '../../base/money.ts'
import type { Time } from '../../context.ts'
import type { DeclineCode, Facts, Verb } from '../connector.ts'
import type { Refused } from '../kit/parse-reply.ts'
import {
  isAmount,
  isId,
  isOneOf,
  isRecord,
  isWord,
  meaningsOf,
  optional,
  parseTime,
  readAmount,
  readId,
  readMoney,
  readUrl,
  readWord,
  tableOf,
} from '../kit/read.ts'
import { plainText } from '../kit/text.ts'
import type { NextAction } from '../next-action.ts'
import type { PaymentReport } from '../payment-report.ts'

/** A body that does not match the contract (`sandbox/README.md`) exactly is read as null: no part of it is used. */

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
/** Verbs that phonypay does not have are absent. */
export const phonypayTypes = Object.fromEntries(Object.entries(phonypayVerbs).map(([type, verb]) => [verb, type])) as Partial<
  Record<Verb, Type>
>

const statuses = ['approved', 'declined', 'pending', 'challenge', 'returned', 'expired'] as const
const paymentStatuses = ['authorized', 'captured', 'partially_captured', 'voided', 'declined', 'challenge', 'pending', 'expired'] as const

/** An unlisted reason is still a decline. */
export const declines = meaningsOf<DeclineCode>({
  card_declined: 'card_declined avs_declined',
  insufficient_funds: 'insufficient_funds',
  lost_card: 'lost_card',
  stolen_card: 'stolen_card',
  expired_card: 'expired_card',
  incorrect_cvc: 'incorrect_cvc',
  processing_error: 'processing_error',
  authentication_required: 'authentication_required',
  authentication_failed: 'authentication_failed authentication_expired rejected not_paid voided',
  payment_declined: 'payment_declined',
  operation_declined: `capture_declined void_declined increment_declined extension_declined reversal_declined refund_declined refund_failed
    payout_failed payout_cancel_declined payout_returned`,
  cancelled: 'payout_cancelled',
  recipient_ineligible: 'recipient_ineligible',
})

/** By status and code. Nothing happened. */
const refusals = tableOf<Refused['as']>({
  '400 invalid_request': 'invalid_request',
  '401 unauthorized': 'configuration',
  '404 not_found': 'not_found',
  '409 idempotency_mismatch': 'exists',
  '409 duplicate_reference': 'exists',
  '422 not_allowed': 'not_allowed',
})

export type PhonypayOperation = {
  id: string
  type: Type
  payment: string
  reference: string
  status: (typeof statuses)[number]
  money: Money
  decline: Decline | null
  redirect_url: string | null
  next_action: NextAction | null
  payment_state: { status: (typeof paymentStatuses)[number]; authorized: number; captured: number; refunded: number }
  facts: Facts
  /** Made by a person at the processor: `reference` is none of ours. */
  external: boolean
  reason: string | null
  created: Time | null
}

type Decline = { code: string; message: string; network_code: string | null; network_advice: string | null }

export function readOperation(body: unknown): PhonypayOperation | null {
  if (!isRecord(body) || body.object !== 'operation') return null
  const { id, type, payment, reference, status, amount, currency } = body
  if (!isId(id) || !isId(payment) || !isId(reference) || !isType(type) || !isOneOf(statuses, status)) return null
  const money = readMoney(amount, currency)
  if (money === null) return null
  if ((type === 'authorization' || type === 'payout') && payment !== id) return null
  const decline = optional(body.decline, readDecline)
  const redirect_url = optional(body.redirect_url, readUrl)
  const next_action = optional(body.next_action, readAction)
  const payment_state = readPaymentState(body.payment_state)
  const facts = readFacts(body)
  if (decline === undefined || redirect_url === undefined || next_action === undefined || payment_state === null || facts === null)
    return null
  const external = body.origin === 'dashboard'
  const reason = typeof body.reason === 'string' ? plainText(body.reason) : null
  const created = parseTime(body.created_at)
  return {
    ...{ id, type, payment, reference, status, money, decline, redirect_url, next_action, payment_state, facts },
    ...{ external, reason, created },
  }
}

/** `authorization`: our request id of it. */
export type PhonypayAnnouncement = { operation: PhonypayOperation; authorization: string | null }

export function readAnnouncement(body: unknown): PhonypayAnnouncement | null {
  if (!isRecord(body) || body.type !== 'operation.updated') return null
  const operation = readOperation(body.operation)
  const { payment } = body
  return operation && { operation, authorization: isRecord(payment) && payment.id === operation.payment ? readId(payment.reference) : null }
}

export type PhonypayPayment = {
  id: string
  reference: string
  currency: Currency
  authorized: number
  captured: number
  refunded: number
  held: number
  released: PaymentReport['released']
  operations: PhonypayOperation[]
  disputes: string[]
}

export function readPayment(body: unknown): PhonypayPayment | null {
  if (!isRecord(body) || body.object !== 'payment') return null
  const { id, reference, currency, authorized, captured, refunded, held, released } = body
  if (!isId(id) || !isId(reference) || typeof currency !== 'string' || !isCurrency(currency)) return null
  if (!isAmount(authorized) || !isAmount(captured) || !isAmount(refunded) || !isAmount(held)) return null
  if (released !== null && released !== 'voided' && released !== 'expired') return null
  if (!Array.isArray(body.operations) || !Array.isArray(body.disputes) || !body.disputes.every(isId)) return null
  const operations = body.operations.map(readOperation)
  if (!operations.every((one): one is PhonypayOperation => one?.payment === id)) return null
  return { id, reference, currency, authorized, captured, refunded, held, released, operations, disputes: body.disputes }
}

/** An entry that cannot be read is left to the caller, as a webhook is. */
export function readChanges(body: unknown): { entries: unknown[]; next: string | null } | null {
  if (!isRecord(body) || body.object !== 'list' || !Array.isArray(body.data)) return null
  const next = optional(body.next, readWord)
  return next === undefined ? null : { entries: body.data, next }
}

export const readEndpoint = (body: unknown): string | null =>
  isRecord(body) && body.object === 'webhook_endpoint' && typeof body.url === 'string' ? body.url : null

/** A 429 is not in phonypay's contract, but always means that nothing was processed (RFC 6585, section 4). */
export function readRefused(status: number, body: unknown): Refused | null {
  const error = isRecord(body) ? body.error : null
  if (!isRecord(error) || !isWord(error.code) || typeof error.message !== 'string') return null
  const as = status === 429 ? 'later' : refusals[`${status} ${error.code}`]
  return as === undefined ? null : { is: 'refused', as, code: error.code, message: error.message }
}

function readDecline(decline: unknown): Decline | null {
  if (!isRecord(decline) || !isWord(decline.code) || typeof decline.message !== 'string') return null
  const { code, message } = decline
  const network_code = optional(decline.network_code, readWord)
  const network_advice = optional(decline.network_advice, readWord)
  return network_code === undefined || network_advice === undefined ? null : { code, message, network_code, network_advice }
}

function readPaymentState(state: unknown): PhonypayOperation['payment_state'] | null {
  if (!isRecord(state)) return null
  const { status, authorized, captured, refunded } = state
  if (!isOneOf(paymentStatuses, status) || !isAmount(authorized) || !isAmount(captured) || !isAmount(refunded)) return null
  return { status, authorized, captured, refunded }
}

const factNames = ['network_transaction_id', 'authorization_code', 'eci', 'avs_result', 'cvc_result', 'arn'] as const

function readFacts(body: Record<string, unknown>): Facts | null {
  const facts: Facts = {}
  for (const name of factNames) {
    const word = optional(body[name], readWord)
    if (word === undefined) return null
    if (word !== null) facts[name] = word
  }
  const fee = optional(body.fee, readFee)
  const most_capturable = optional(body.max_capturable, readAmount)
  const connector_mandate_id = optional(body.mandate, readId)
  const capture_before = optional(body.hold_expires_at, parseTime)
  if (fee === undefined || most_capturable === undefined || connector_mandate_id === undefined || capture_before === undefined) return null
  if (fee !== null) facts.fee = fee
  if (most_capturable !== null) facts.most_capturable = most_capturable
  if (connector_mandate_id !== null) facts.connector_mandate_id = connector_mandate_id
  if (capture_before !== null) facts.capture_before = capture_before
  return facts
}

const readFee = (fee: unknown): Money | null => (isRecord(fee) ? readMoney(fee.amount, fee.currency) : null)

const isType = (value: unknown): value is Type => typeof value === 'string' && Object.hasOwn(phonypayVerbs, value)

export const readOrder = (body: unknown, request_id: string): string | null =>
  isRecord(body) && body.object === 'order' && body.reference === request_id && isId(body.id) ? body.id : null

type ActionBody = Record<string, unknown>
const IMAGE = /^data:image\/png;base64,[A-Za-z0-9+/=]{1,8000}$/

const isText = (value: unknown): value is string => typeof value === 'string' && value.length > 0 && value.length <= 2048
/** Null: the action is invalid. */
const actions = tableOf<(body: ActionBody, from: Time, until: Time) => NextAction | null>({
  window: body => {
    const url = readUrl(body.url)
    return url ? { type: 'redirect_inside_popup', url } : null
  },
  code: ({ data, image }, _from, until) =>
    isText(data) && typeof image === 'string' && IMAGE.test(image) ? { type: 'qr_code_information', data, image, until, text: null } : null,
  code_image: body => {
    const url = readUrl(body.url)
    return url ? { type: 'fetch_qr_code_information', url } : null
  },
  transfer: ({ to, remaining }) => {
    const [[name, parts] = [], ...more] = isRecord(to) ? Object.entries(to) : []
    if (name === undefined || more.length > 0 || !isRecord(parts) || !Object.values(parts).every(isText)) return null
    if (!transfers.includes(name) || !(typeof remaining === 'number' && Number.isSafeInteger(remaining))) return null
    return { type: 'display_bank_transfer_information', to: { [name]: parts as Record<string, string> }, remaining }
  },
  slip: ({ reference, instructions_url, digitable_line, barcode }, made, until) => {
    const url = readUrl(instructions_url)
    if (!isText(reference) || !url || !isText(digitable_line) || !isText(barcode)) return null
    return { type: 'display_voucher_information', parts: { reference, instructions_url: url, digitable_line, barcode }, made, until }
  },
  otp: () => ({ type: 'collect_otp', consent: 'consent_required' }),
  ddc: ({ url, timeout_ms }) => {
    const frame = readUrl(url)
    return frame && isAmount(timeout_ms) ? { type: 'invoke_ddc', url: frame, timeout_ms } : null
  },
  iframe: ({ url, data }) => {
    const frame = readUrl(url)
    return frame && isText(data) ? { type: 'invoke_hidden_iframe', url: frame, data } : null
  },
  wait: (_, from, until) => ({ type: 'wait_screen_information', from, until }),
  app: ({ uri }, from, until) => (isApp(uri) ? { type: 'invoke_upi_intent_sdk', uri, from, until } : null),
  app_code: ({ uri }, from, until) => (isApp(uri) ? { type: 'invoke_upi_qr_flow', uri, from, until } : null),
  session: ({ token }) =>
    isText(token)
      ? { type: 'third_party_sdk_session_token', session: { wallet_name: 'open_banking', open_banking_session_token: token } }
      : null,
})

const transfers = [
  'ach_credit_transfer',
  'sepa_bank_instructions',
  'bacs_bank_instructions',
  'multibanco',
  'doku_bank_transfer_instructions',
]
const isApp = (uri: unknown): uri is string => isText(uri) && uri.startsWith('upi://')

function readAction(body: unknown): NextAction | null {
  if (!isRecord(body) || typeof body.type !== 'string') return null
  const [from, until] = [parseTime(body.since), parseTime(body.expires_at)]
  if (from === null || until === null) return null
  return actions[body.type]?.(body, from, until) ?? null
}
