import type { Money } from '../../base/money.ts'
import type { DeclineCode, Facts, Outcome } from '../connector.ts'
import { moneyOf } from '../kit/decimal.ts'
import { declinedWith, doneWith, type Refused, type ReplyReader, unknown } from '../kit/parse-reply.ts'
import { isOneOf, isRecord, isWord, optional, parseTime, readWord } from '../kit/read.ts'
import { checks, keyErrors, processorCodes, rejections, validationCodes } from './declines.ts'

/** A body that does not match the documentation is read as null: no part of it is used. */

const classes = {
  AUTHENTICATION: 'configuration',
  AUTHORIZATION: 'not_allowed',
  NOT_FOUND: 'not_found',
  NOT_IMPLEMENTED: 'not_supported',
  UNSUPPORTED_CLIENT: 'configuration',
  RESOURCE_LIMIT: 'later',
} as const satisfies Record<string, Refused['as']>

/** Nothing happened. Null: no code, or an internal error. After a key error, the request with that key decides. */
export function readErrors(errors: unknown): Refused | null {
  if (!Array.isArray(errors)) return null
  const [first] = errors
  if (!isRecord(first) || !isRecord(first.extensions) || typeof first.message !== 'string') return null
  const { errorClass, legacyCode } = first.extensions
  const message = first.message
  // If there are several errors, all must be of the same class.
  if (errors.some(one => !isRecord(one) || !isRecord(one.extensions) || one.extensions.errorClass !== errorClass)) return null
  if (isOneOf(Object.keys(classes) as (keyof typeof classes)[], errorClass))
    return { is: 'refused', as: classes[errorClass], code: readCode(legacyCode) ?? errorClass, message }
  const codes = errors.map(one => readCode(one.extensions.legacyCode))
  if (errorClass !== 'VALIDATION' || codes.includes(null)) return null
  const code = codes[0]!
  if (codes.some(one => keyErrors.includes(one!))) return { is: 'refused', as: 'exists', code, message }
  return { is: 'refused', as: validationCodes[code] ?? 'invalid_request', code, message }
}

const readCode = (value: unknown): string | null => (typeof value === 'string' && /^\d{2,6}$/.test(value) ? value : null)

/** Errors have status 200, except when a proxy in front of the API rejects a request. */
const turnedAway = [401, 403, 429]

/** Errors beside the value count only if it is incomplete. */
export const readerAt =
  <Answer>(place: string, read: (value: unknown) => Answer | null): ReplyReader<Answer> =>
  (status, body) => {
    if (!isRecord(body)) return null
    if (status !== 200) return turnedAway.includes(status) ? readErrors(body.errors) : null
    const found = place.split('.').reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), body.data)
    const answer = found === undefined ? null : read(found)
    return answer === null ? readErrors(body.errors) : { is: 'answer', answer }
  }

export const readName = (value: unknown): string | null => (typeof value === 'string' && /^[\x21-\x7e]{1,128}$/.test(value) ? value : null)
export const readNamed = (value: unknown): string | null => (isRecord(value) ? readName(value.id) : null)
/** A document in Base64. */
export const readClientToken = (value: unknown): string | null =>
  typeof value === 'string' && /^[A-Za-z0-9+/=_-]{1,20000}$/.test(value) ? value : null
const readRecord = (value: unknown): Record<string, unknown> | null => (isRecord(value) ? value : null)
export const readMoneyAt = (value: unknown): Money | null => (isRecord(value) ? moneyOf(value.value, value.currencyCode) : null)

const statuses = [
  ...(['AUTHORIZING', 'AUTHORIZED', 'SUBMITTED_FOR_SETTLEMENT', 'SETTLEMENT_PENDING', 'SETTLING', 'SETTLEMENT_CONFIRMED'] as const),
  ...(['SETTLED', 'VOIDED', 'AUTHORIZATION_EXPIRED', 'PROCESSOR_DECLINED', 'GATEWAY_REJECTED', 'FAILED', 'SETTLEMENT_DECLINED'] as const),
] as const
type Status = (typeof statuses)[number]
/** Statuses in which the money was taken, or given back, as far as Braintree knows. */
const taken: readonly Status[] = ['SUBMITTED_FOR_SETTLEMENT', 'SETTLEMENT_PENDING', 'SETTLING', 'SETTLEMENT_CONFIRMED', 'SETTLED']
export const refusedStatuses: readonly Status[] = ['PROCESSOR_DECLINED', 'GATEWAY_REJECTED', 'FAILED', 'SETTLEMENT_DECLINED']

type Step = { status: Status; by: unknown; amount: Money | null; details: Record<string, unknown> }

export type BraintreePayment = {
  kind: 'Transaction' | 'Refund'
  id: string
  request_id: string | null
  /** Whether a refund was made without an order id of its own, and has that of its transaction. */
  inherits: boolean
  status: Status
  amount: Money
  ofCard: boolean
  /** Latest first. */
  steps: Step[]
  refunds: BraintreePayment[]
  facts: Facts
}

const otherSnapshots = ['PayPalTransactionDetails', 'VenmoAccountDetails']

function readStep(value: unknown): Step | null {
  if (!isRecord(value) || !isOneOf(statuses, value.status)) return null
  const amount = optional(value.amount, readMoneyAt)
  return amount === undefined ? null : { status: value.status, by: value.source, amount, details: value }
}

export const whole = <T>(value: unknown, read: (one: unknown) => T | null): T[] | null => {
  if (!Array.isArray(value)) return null
  const all = value.map(read)
  return all.includes(null) ? null : (all as T[])
}

export function readPayment(value: unknown): BraintreePayment | null {
  if (!isRecord(value)) return null
  const { __typename: kind, status } = value
  const id = readName(value.id)
  const request_id = optional(value.orderId, readName)
  const amount = readMoneyAt(value.amount)
  const steps = whole(value.statusHistory, readStep)
  if ((kind !== 'Transaction' && kind !== 'Refund') || id === null || request_id === undefined) return null
  if (!isOneOf(statuses, status) || amount === null || steps === null) return null
  const refunds = value.refunds === undefined || value.refunds === null ? [] : whole(value.refunds, readPayment)
  if (refunds === null) return null
  const ofCard = !otherSnapshots.includes(String(readRecord(value.paymentMethodSnapshot)?.__typename))
  const inherits = request_id !== null && readRecord(value.refundedTransaction)?.orderId === request_id
  return { kind, id, request_id, inherits, status, amount, ofCard, steps, refunds, facts: factsIn(value, steps) }
}

export const readFound = (value: unknown): BraintreePayment[] | null => whole(value, one => (isRecord(one) ? readPayment(one.node) : null))

function factsIn(value: Record<string, unknown>, steps: Step[]): Facts {
  const answered = steps.map(({ details }) => readRecord(details.processorResponse)).find(one => one?.cvvResponse !== undefined)
  const snapshot = readRecord(value.paymentMethodSnapshot)
  const kept = readRecord(value.paymentMethod)
  const expires = steps.map(({ details }) => parseTime(details.authorizationExpiresAt)).find(time => time !== null)
  const facts = {
    network_transaction_id: readWord(snapshot?.networkTransactionId),
    arn: readWord(snapshot?.acquirerReferenceNumber),
    authorization_code: readWord(answered?.authorizationId),
    ...checksIn(answered),
    connector_mandate_id: readName(kept?.id),
    connector_customer_id: readNamed(kept?.customer),
    capture_before: value.status === 'AUTHORIZED' ? (expires ?? null) : null,
  }
  return Object.fromEntries(Object.entries(facts).filter(([, word]) => word !== null))
}

const checksIn = (answered: Record<string, unknown> | null | undefined) => ({
  avs_result: checks[String(answered?.avsStreetAddressResponse)] ?? checks[String(answered?.avsPostalCodeResponse)] ?? null,
  cvc_result: checks[String(answered?.cvvResponse)] ?? null,
})

export const statusStep = ({ steps }: BraintreePayment, ...among: Status[]): Step | undefined =>
  steps.find(({ status }) => among.includes(status))

/** Also of a payment that was voided after the capture. */
export function capturedOf(payment: BraintreePayment): Money | null {
  if (taken.includes(payment.status)) return payment.amount
  return payment.status === 'VOIDED' ? (statusStep(payment, 'SUBMITTED_FOR_SETTLEMENT')?.amount ?? null) : null
}

/** After a partial capture, the payment's own amount is only the captured one. */
export function approvedOf(payment: BraintreePayment): Money {
  const { amount, status } = payment
  const authorized = statusStep(payment, 'AUTHORIZED')?.amount
  return status !== 'AUTHORIZED' && authorized && authorized.currency === amount.currency && authorized.amount > amount.amount
    ? authorized
    : amount
}

const done = ({ id, facts }: BraintreePayment, request_id: string | null, amount: Money, captured: Money | null): Outcome =>
  doneWith(id, amount, { request_id, captured, facts })

/** The reason is that of the latest step with its status. */
function declinedOf(payment: BraintreePayment, otherwise: DeclineCode): Extract<Outcome, { is: 'declined' }> {
  const details = payment.steps.find(({ status }) => status === payment.status)?.details
  const { connector_mandate_id: _kept, connector_customer_id: _customer, capture_before: _never, ...facts } = payment.facts
  return { ...noIn(details, payment.status, payment.id, otherwise), facts }
}

function noIn(details: Record<string, unknown> | undefined, status: string, id: string, otherwise: DeclineCode) {
  const answered = readRecord(details?.processorResponse)
  const rejection = readWord(details?.gatewayRejectionReason)
  const network = readWord(readRecord(details?.networkResponse)?.code)
  const advice = readWord(readRecord(details?.merchantAdviceCodeResponse)?.code)
  const code = rejection ?? readCode(answered?.legacyCode) ?? status
  const message = typeof answered?.message === 'string' && answered.message !== '' ? answered.message : status
  const reason = rejection === null ? processorCodes[code] : rejections[rejection]
  return {
    ...declinedWith(reason ?? otherwise, code, rejection === null ? message : `Braintree rejected it: ${rejection}.`, id),
    ...(network !== null && { network_code: network }),
    ...(advice !== null && { network_advice: advice }),
  }
}

export function transactionAuthorized(payment: BraintreePayment): Outcome {
  if (payment.kind !== 'Transaction') return unknown('that is a refund')
  const { id, request_id, status } = payment
  if (status === 'AUTHORIZING') return { is: 'waiting', reference: id }
  if (status === 'SETTLEMENT_DECLINED') return { ...declinedOf(payment, 'operation_declined'), after_yes: true }
  if (refusedStatuses.includes(status)) return declinedOf(payment, payment.ofCard ? 'card_declined' : 'payment_declined')
  if (status === 'AUTHORIZATION_EXPIRED') return { is: 'lapsed', reference: id }
  const captured = capturedOf(payment)
  // A captured transaction that we voided was given back by a refund or a reversal, which has an outcome of its own.
  if (status === 'VOIDED' && (captured === null || statusStep(payment, 'VOIDED')?.by !== 'API')) return { is: 'lapsed', reference: id }
  return done(payment, request_id, approvedOf(payment), captured)
}

/** There is one at most: one that was made in the Control Panel is none of ours. */
export function transactionCaptured(payment: BraintreePayment): Outcome {
  if (payment.kind !== 'Transaction') return unknown('that is a refund')
  if (payment.status === 'SETTLEMENT_DECLINED') return { ...declinedOf(payment, 'operation_declined'), after_yes: true }
  const captured = capturedOf(payment)
  const isTheirs = statusStep(payment, 'SUBMITTED_FOR_SETTLEMENT')?.by === 'CONTROL_PANEL'
  if (captured !== null && !isTheirs) return done(payment, null, captured, null)
  if (payment.status === 'AUTHORIZED') return { is: 'not_found' }
  // Without a reference: the transaction is also the reference of the capture that others made.
  return declinedWith('operation_declined', payment.status, `The transaction is ${payment.status}.`, null)
}

export function raisedOutcome(payment: BraintreePayment, money: Money): Outcome {
  if (payment.kind !== 'Transaction') return unknown('that is a refund')
  if (payment.status === 'AUTHORIZED' && payment.amount.amount < money.amount) return { is: 'not_found' }
  if (payment.status === 'AUTHORIZED' || taken.includes(payment.status)) return done(payment, null, approvedOf(payment), null)
  return declinedWith('operation_declined', payment.status, `The transaction is ${payment.status}.`, payment.id)
}

/** It was voided, or refunded if it had settled by then. */
export function reversedOutcome(payment: BraintreePayment): Outcome {
  if (payment.kind === 'Refund') return namelessly(refundMade(payment))
  if (payment.status === 'VOIDED') return done(payment, null, payment.amount, null)
  const back = payment.refunds.find(({ amount, status }) => amount.amount === payment.amount.amount && !refusedStatuses.includes(status))
  if (back) return namelessly(refundMade(back))
  if (payment.status === 'AUTHORIZED' || payment.status === 'AUTHORIZING' || taken.includes(payment.status)) return { is: 'not_found' }
  return declinedWith('operation_declined', payment.status, `The transaction is ${payment.status}.`, payment.id)
}

/** The refund of a reversal has the order id of the transaction. */
export const namelessly = (outcome: Outcome): Outcome => (outcome.is === 'done' ? { ...outcome, request_id: null } : outcome)

/** Decided when it settles, about a day after Braintree accepted it. */
export function refundMade(payment: BraintreePayment): Outcome {
  const { kind, id, inherits, status, amount } = payment
  const request_id = inherits ? null : payment.request_id
  if (kind !== 'Refund') return unknown('that is a transaction')
  if (refusedStatuses.includes(status) || status === 'VOIDED') {
    const no = declinedOf(payment, 'operation_declined')
    return statusStep(payment, 'SETTLED') ? { ...no, after_yes: true } : no
  }
  return status === 'SETTLED' ? done(payment, request_id, amount, null) : { is: 'waiting', reference: id }
}

/** The transaction has a refund with our request id, or was voided as a whole before it settled. */
export function refundFound(payment: BraintreePayment, request_id: string, money: Money): Outcome {
  const own = payment.refunds.filter(one => one.request_id === request_id)
  if (own.length > 1) return unknown('several refunds have this reference')
  if (own[0]) return refundMade(own[0])
  // A reversal that met a settled transaction became a refund, with the order id of that transaction.
  const isReversal = (one: BraintreePayment) => one.request_id === payment.request_id && one.steps.at(-1)?.by !== 'CONTROL_PANEL'
  const reversed = payment.refunds.find(one => isReversal(one) && one.amount.amount === money.amount)
  if (reversed && money.amount === payment.amount.amount) return namelessly(refundMade(reversed))
  if (payment.status === 'VOIDED') return voidedInstead(payment, money)
  return { is: 'not_found' }
}

/** It must cover the whole amount. */
export function voidedInstead(payment: BraintreePayment, money: Money): Outcome {
  const back = capturedOf(payment)
  return back?.amount === money.amount ? done(payment, null, back, null) : unknown('another amount was voided')
}

/** Only cards are verified. */
export type Checked = { id: string; status: string; kept: string | null; customer: string | null; details: Record<string, unknown> }

export function readCheck(value: unknown): Checked | null {
  if (!isRecord(value)) return null
  const id = readName(value.id)
  if (value.__typename === 'PaymentMethod' && id !== null)
    return { id, status: 'VERIFIED', kept: id, customer: readNamed(value.customer), details: {} }
  if (value.__typename !== 'Verification') return null
  const method = readRecord(value.paymentMethod)
  const kept = optional(method?.id, readName)
  if (id === null || kept === undefined || !isWord(value.checked)) return null
  return { id, status: value.checked, kept, customer: readNamed(method?.customer), details: value }
}

export function checkedOutcome({ id, status, kept, customer, details }: Checked, money: Money): Outcome {
  if (status === 'PENDING' || status === 'VERIFYING') return { is: 'waiting', reference: id }
  if (status !== 'VERIFIED')
    return isOneOf(['PROCESSOR_DECLINED', 'GATEWAY_REJECTED', 'FAILED'], status)
      ? noIn(details, status, id, 'card_declined')
      : unknown(`the verification is ${status}`)
  const names = { connector_mandate_id: kept, connector_customer_id: customer }
  const facts = Object.entries({ ...checksIn(readRecord(details.processorResponse)), ...names })
  const known = Object.fromEntries(facts.filter(([, word]) => word !== null))
  return doneWith(id, money, { facts: known })
}
