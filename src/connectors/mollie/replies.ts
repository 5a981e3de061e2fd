import type { Money } from '../../base/money.ts'
import type { Time } from '../../context.ts'
import type { Facts, Outcome } from '../connector.ts'
import type { DisputeReport, DisputeStatus } from '../dispute.ts'
import { moneyOf } from '../kit/decimal.ts'
import { declinedWith, doneWith, type Refused, unknown } from '../kit/parse-reply.ts'
import { isOneOf, isRecord, isWord, optional, parseTime, readId, readUrl, readWord } from '../kit/read.ts'
import { plainText } from '../kit/text.ts'
import type { ProcessorAction } from '../next-action.ts'
import { failureReasons } from './declines.ts'
import { OUR_NAME } from './requests.ts'

/** A body that does not match the documentation is read as null: no part of it is used. */

const meanings: Readonly<Record<number, Refused['as']>> = {
  400: 'invalid_request',
  401: 'configuration',
  403: 'not_allowed',
  404: 'not_found',
  410: 'not_found',
  422: 'invalid_request',
  429: 'later',
}

/** Nothing happened. Null for an internal error of Mollie (5xx), which says nothing about the request. */
export function readRefused(status: number, body: unknown): Refused | null {
  const as = meanings[status]
  if (as === undefined || !isRecord(body) || body.status !== status || typeof body.detail !== 'string') return null
  return { is: 'refused', as, code: readWord(body.field) ?? String(status), message: body.detail }
}

const statuses = ['open', 'pending', 'authorized', 'paid', 'canceled', 'expired', 'failed'] as const

export type MolliePayment = {
  id: string
  status: (typeof statuses)[number]
  money: Money
  request_id: string | null
  captured: Money | null
  wasHeld: boolean
  /** Whether captures are requests of their own. */
  isManual: boolean
  cancelable: boolean
  next_action: ProcessorAction | null
  failure: { code: string; message: string }
  facts: Facts
}

const readRecord = (value: unknown): Record<string, unknown> | null => (isRecord(value) ? value : null)
const readAmount = (value: unknown): Money | null => (isRecord(value) ? moneyOf(value.value, value.currency) : null)
const readFlag = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null)
const namedAs =
  (prefix: string) =>
  (value: unknown): string | null =>
    typeof value === 'string' && value.startsWith(prefix) ? readId(value) : null
const readPaymentId = namedAs('tr_')
const readMandateId = namedAs('mdt_')
const readCustomerId = namedAs('cst_')

/** Null if the object is not ours. */
const requestIn = (metadata: unknown): string | null => (isRecord(metadata) ? readId(metadata[OUR_NAME]) : null)

export function readPayment(body: unknown): MolliePayment | null {
  if (!isRecord(body) || body.resource !== 'payment' || !isOneOf(statuses, body.status)) return null
  const id = readPaymentId(body.id)
  const money = readAmount(body.amount)
  const captured = optional(body.amountCaptured, readAmount)
  const heldSince = optional(body.authorizedAt, parseTime)
  const cancelable = optional(body.isCancelable, readFlag)
  const details = optional(body.details, readRecord)
  if (id === null || money === null || captured === undefined || heldSince === undefined || cancelable === undefined) return null
  if (details === undefined || (captured !== null && captured.currency !== money.currency)) return null
  return {
    id,
    status: body.status,
    money,
    request_id: requestIn(body.metadata),
    captured,
    wasHeld: heldSince !== null,
    isManual: body.captureMode === 'manual',
    cancelable: cancelable === true,
    next_action: actionIn(body._links, details, money),
    failure: failureIn(body.statusReason, details),
    facts: factsIn(body, details),
  }
}

type Details = Record<string, unknown> | null

function actionIn(links: unknown, details: Details, { amount }: Money): ProcessorAction | null {
  const word = (name: string): string | null => {
    const value = details?.[name]
    return typeof value === 'string' && /^[\w .&-]{1,64}$/.test(value) ? value : null
  }
  const [iban, reference, holder, bic] = [word('bankAccount'), word('transferReference'), word('bankName'), word('bankBic')]
  const shows = (to: Extract<ProcessorAction, { type: 'display_bank_transfer_information' }>['to']): ProcessorAction => ({
    type: 'display_bank_transfer_information',
    to,
    remaining: amount,
  })
  if (iban && reference)
    return shows({
      sepa_bank_instructions: {
        iban,
        reference,
        country: iban.slice(0, 2),
        ...(holder && { account_holder_name: holder }),
        ...(bic && { bic }),
      },
    })
  const [multibanco, entity] = [word('multibancoReference'), word('multibancoEntity')]
  if (multibanco && entity) return shows({ multibanco: { reference: multibanco, entity } })
  const url = isRecord(links) && isRecord(links.checkout) ? readUrl(links.checkout.href) : null
  return url === null ? null : { type: 'redirect_to_url', url }
}

function failureIn(reason: unknown, details: Details): MolliePayment['failure'] {
  const status = readRecord(reason)
  const code = readWord(details?.failureReason) ?? readWord(details?.bankReasonCode) ?? readWord(status?.code) ?? 'failed'
  const message = [details?.failureMessage, details?.bankReason, status?.message].find(text => typeof text === 'string' && text !== '')
  return { code, message: typeof message === 'string' ? message : 'The payment failed.' }
}

function factsIn(body: Record<string, unknown>, details: Details): Facts {
  const facts = {
    eci: readWord(details?.card3dsEci),
    connector_mandate_id: readMandateId(body.mandateId),
    connector_customer_id: readCustomerId(body.customerId),
    capture_before: parseTime(body.captureBefore),
  }
  return Object.fromEntries(Object.entries(facts).filter(([, word]) => word !== null))
}

export function outcomeOf({ id, status, money, request_id, captured, wasHeld, next_action, failure, facts }: MolliePayment): Outcome {
  const done = { is: 'done', reference: id, request_id, amount: money, facts } as const
  switch (status) {
    case 'open':
    case 'pending':
      return { is: 'waiting', reference: id, ...(next_action && { next_action }) }
    case 'authorized': {
      const left = money.amount - (captured?.amount ?? 0)
      if (left < 0) return unknown('more is captured than was authorized')
      const capturable: Money = { amount: left, currency: money.currency }
      return { ...done, captured: captured && captured.amount > 0 ? captured : null, capturable }
    }
    case 'paid': {
      // The part that was not captured is no longer held.
      const isOver = wasHeld && captured !== null && captured.amount < money.amount
      return { ...done, captured: captured ?? money, ...(isOver && { capturable: { amount: 0, currency: money.currency } }) }
    }
    case 'failed':
      return declinedWith(failureReasons[failure.code] ?? 'payment_declined', failure.code, failure.message, id)
    case 'canceled':
    case 'expired':
      // The hold of an authorized payment is over; a payment that was never authorized has failed.
      if (wasHeld) return { is: 'lapsed', reference: id }
      return status === 'canceled'
        ? declinedWith('cancelled', status, 'The customer cancelled the payment.', id)
        : declinedWith('authentication_failed', status, 'The customer did not complete the payment in time.', id)
  }
}

/** Also of a release after captures. Mollie shows a rest that expired in the same way. */
export function releasedOutcome({ id, status, money, captured }: MolliePayment): Outcome {
  const isReleased = status === 'paid' && captured !== null && captured.amount < money.amount
  if (status === 'canceled' || status === 'expired' || isReleased) return doneWith(id, money, isReleased ? { held_nothing: true } : {})
  if (status === 'paid' || status === 'failed') return declinedWith('not_allowed', status, `The payment is ${status}.`, id)
  return { is: 'not_found', reference: id }
}

export type MollieChange = {
  id: string
  status: string
  money: Money
  request_id: string | null
  /** Mollie's id. */
  payment: string | null
  description: string | null
  made: Time | null
}

const changeReader = (resource: 'capture' | 'refund', prefix: string, states: readonly string[]) => {
  const readChangeId = namedAs(prefix)
  return (body: unknown): MollieChange | null => {
    if (!isRecord(body) || body.resource !== resource || !isOneOf(states, body.status)) return null
    const [id, money] = [readChangeId(body.id), readAmount(body.amount)]
    if (id === null || money === null) return null
    const [payment, made] = [readPaymentId(body.paymentId), parseTime(body.createdAt)]
    const description = typeof body.description === 'string' ? plainText(body.description) || null : null
    return { id, status: body.status, money, request_id: requestIn(body.metadata), payment, description, made }
  }
}
export const readMollieCapture = changeReader('capture', 'cpt_', ['pending', 'succeeded', 'failed'])
export const readMollieRefund = changeReader('refund', 're_', ['queued', 'pending', 'processing', 'refunded', 'failed', 'canceled'])

export function changeOutcome({ id, status, money, request_id }: MollieChange): Outcome {
  if (status === 'succeeded' || status === 'refunded') return doneWith(id, money, { request_id })
  if (status === 'failed' || status === 'canceled')
    return declinedWith('operation_declined', status, `It is ${status} at the processor.`, id)
  return { is: 'waiting', reference: id }
}

/** The objects are parsed only when they are needed. `from`: the first of the next list. */
export const readList = (kind: string) => (body: unknown) => {
  if (!isRecord(body) || !isRecord(body._embedded) || !Array.isArray(body._embedded[kind])) return null
  const next = isRecord(body._links) && isRecord(body._links.next) ? body._links.next.href : null
  const from = typeof next === 'string' ? (URL.parse(next)?.searchParams.get('from') ?? null) : null
  return { items: body._embedded[kind] as unknown[], isLast: next === null, from: readId(from) }
}

export const isMadeBy = (item: unknown, request_id: string): item is Record<string, unknown> =>
  isRecord(item) && requestIn(item.metadata) === request_id
export const madeAt = (item: unknown): Time | null => (isRecord(item) ? parseTime(item.createdAt) : null)

export const readMollieCustomer = (body: unknown): string | null =>
  isRecord(body) && body.resource === 'customer' ? readCustomerId(body.id) : null

export type MollieMandate = { id: string; isGood: boolean }
export function readMandate(body: unknown): MollieMandate | null {
  if (!isRecord(body) || body.resource !== 'mandate' || !isWord(body.status)) return null
  const id = readMandateId(body.id)
  return id === null ? null : { id, isGood: body.status === 'valid' || body.status === 'pending' }
}

/** Chargebacks of debits have a reason of the bank and are final. `payment`: Mollie's id. */
export function readChargeback(body: unknown): { payment: string; dispute: DisputeReport } | null {
  if (!isRecord(body) || body.resource !== 'chargeback') return null
  const [id, payment, amount] = [readId(body.id), readPaymentId(body.paymentId), readAmount(body.amount)]
  const [reason, reversed] = [optional(body.reason, readRecord), optional(body.reversedAt, parseTime)]
  if (id === null || payment === null || amount === null || reason === undefined || reversed === undefined) return null
  const status: DisputeStatus = reversed !== null ? 'dispute_won' : reason === null ? 'dispute_opened' : 'dispute_lost'
  const dispute: DisputeReport = {
    // Mollie finds a chargeback only by its payment.
    reference: `${payment}/${id}`,
    stage: 'dispute',
    status,
    said: reversed === null ? 'received' : 'reversed',
    amount,
    reason: null,
    reason_code: readWord(reason?.code),
    respond_by: null,
    created: parseTime(body.createdAt),
    updated: reversed,
  }
  return { payment, dispute }
}
