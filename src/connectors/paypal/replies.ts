import type { Money } from '../../base/money.ts'
import type { Time } from '../../context.ts'
import type { Facts, Outcome } from '../connector.ts'
import { moneyOf } from '../kit/decimal.ts'
import { declinedWith, doneWith, type Refused, unknown } from '../kit/parse-reply.ts'
import { isId, isOneOf, isRecord, isWord, optional, parseTime, readId, readUrl, readWord } from '../kit/read.ts'
import { plainText } from '../kit/text.ts'
import { decided, issues, paypalResponseCodes } from './declines.ts'

/** A body that does not match the documentation is read as null: no part of it is used. */

const failing = [400, 401, 403, 404, 409, 422, 429]

/** Nothing happened, or an earlier request decides. Null for an internal error, which says nothing. */
export function readRefused(status: number, body: unknown): Refused | null {
  if (!failing.includes(status) || !isRecord(body)) return null
  if (status === 401 && body.error === 'invalid_token') return { is: 'refused', as: 'configuration', code: '401', message: 'invalid token' }
  if (!isWord(body.name) || typeof body.message !== 'string') return null
  const [detail] = Array.isArray(body.details) ? body.details.filter(isRecord) : []
  const code = isWord(detail?.issue) ? detail.issue : body.name
  const message = plainText([detail?.description, body.message].find(text => typeof text === 'string' && text !== '') as string)
  const as = meaningOf(status, code, body.name)
  return as === null ? null : { is: 'refused', as, code, message }
}

function meaningOf(status: number, code: string, error: string): Refused['as'] | null {
  if (status === 401) return 'configuration'
  if (status === 429) return error === 'RATE_LIMIT_REACHED' ? 'later' : null
  if (status === 409 || decided.includes(code)) return 'exists'
  return issues[code] ?? (status === 404 ? 'not_found' : status === 403 ? 'not_allowed' : 'invalid_request')
}

export const readPaypalMoney = (value: unknown): Money | null => (isRecord(value) ? moneyOf(value.value, value.currency_code) : null)
export const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
export const list = (value: unknown): unknown[] | null => (value === undefined ? [] : Array.isArray(value) ? value : null)
/** Null if one element cannot be read. */
export function every<T>(value: unknown, read: (one: unknown) => T | null): T[] | null {
  const read_ = list(value)?.map(read)
  return !read_ || read_.includes(null) ? null : (read_ as T[])
}
export const linkIn = (links: unknown, ...rels: string[]): unknown =>
  Array.isArray(links) ? links.filter(isRecord).find(({ rel }) => rels.includes(rel as string))?.href : undefined
export const present = (facts: Record<string, string | null>): Facts =>
  Object.fromEntries(Object.entries(facts).filter(([, word]) => word !== null))

/** `order`: only events say it. `of`: the id of the refunded capture, or of the captured authorization. */
type Piece<Status extends string = string> = {
  id: string
  status: Status
  money: Money
  custom_id: string | null
  invoice_id: string | null
  until: Time | null
  /** Of its status. */
  changed: Time | null
  order: string | null
  of: string | null
  note: string | null
  code: string | null
  advice: string | null
  facts: Facts
}

const pieceOf =
  <Status extends string>(statuses: readonly Status[]) =>
  (body: unknown): Piece<Status> | null => {
    if (!isRecord(body) || !isId(body.id) || !isOneOf(statuses, body.status)) return null
    const money = readPaypalMoney(body.amount)
    const custom_id = optional(body.custom_id, readId)
    const invoice_id = optional(body.invoice_id, readId)
    if (money === null || custom_id === undefined || invoice_id === undefined) return null
    const response = record(body.processor_response)
    const up = linkIn(body.links, 'up')
    const related = record(record(body.supplementary_data).related_ids)
    const note = typeof body.note_to_payer === 'string' ? plainText(body.note_to_payer) : ''
    return {
      id: body.id,
      status: body.status,
      money,
      custom_id,
      invoice_id,
      until: parseTime(body.expiration_time),
      changed: parseTime(body.update_time),
      order: readId(related.order_id),
      of:
        (typeof up === 'string' ? /\/(?:captures|authorizations)\/([A-Za-z0-9]{1,64})$/.exec(up)?.[1] : undefined) ??
        readId(related.capture_id) ??
        readId(related.authorization_id),
      note: note === '' ? null : note,
      code: readWord(response.response_code),
      advice: readWord(response.payment_advice_code),
      facts: present({
        network_transaction_id: readWord(record(body.network_transaction_reference).id),
        avs_result: readWord(response.avs_code),
        cvc_result: readWord(response.cvv_code),
        arn: readWord(body.acquirer_reference_number),
      }),
    }
  }

const holdStatuses = ['CREATED', 'CAPTURED', 'DENIED', 'PARTIALLY_CAPTURED', 'VOIDED', 'PENDING'] as const
const takenStatuses = ['COMPLETED', 'DECLINED', 'PARTIALLY_REFUNDED', 'PENDING', 'REFUNDED', 'FAILED'] as const
const refundStatuses = ['CANCELLED', 'FAILED', 'PENDING', 'COMPLETED'] as const
export type Hold = Piece<(typeof holdStatuses)[number]>
export type Taken = Piece<(typeof takenStatuses)[number]>
export type Refunded = Piece<(typeof refundStatuses)[number]>
export const readHold = pieceOf(holdStatuses)
export const readTaken = pieceOf(takenStatuses)
export const readPaypalRefund = pieceOf(refundStatuses)

const orderStatuses = ['CREATED', 'SAVED', 'APPROVED', 'VOIDED', 'COMPLETED', 'PAYER_ACTION_REQUIRED'] as const
export type PaypalOrder = {
  id: string
  status: (typeof orderStatuses)[number]
  intent: 'CAPTURE' | 'AUTHORIZE' | null
  money: Money | null
  request_id: string | null
  holds: Hold[]
  taken: Taken[]
  refunds: Refunded[]
  redirect: string | null
  /** Null: no authentication was requested. */
  passed: boolean | null
  facts: Facts
}

export function readOrder(body: unknown): PaypalOrder | null {
  if (!isRecord(body) || !isId(body.id) || !isOneOf(orderStatuses, body.status)) return null
  const intent = optional(body.intent, word => (isOneOf(['CAPTURE', 'AUTHORIZE'] as const, word) ? word : null))
  const units = list(body.purchase_units)
  if (intent === undefined || units === null || units.length > 1) return null
  const unit = record(units[0])
  const payments = record(unit.payments)
  const money = optional(unit.amount, readPaypalMoney)
  const request_id = optional(unit.custom_id, readId)
  const holds = every(payments.authorizations, readHold)
  const taken = every(payments.captures, readTaken)
  const refunds = every(payments.refunds, readPaypalRefund)
  const redirect = optional(linkIn(body.links, 'payer-action', 'approve'), readUrl)
  if (money === undefined || request_id === undefined || redirect === undefined || !holds || !taken || !refunds) return null
  const source = record(body.payment_source)
  const card = record(source.card)
  const vault = record(record(record(isRecord(source.paypal) ? source.paypal : card).attributes).vault)
  const kept = { connector_mandate_id: readId(vault.id), connector_customer_id: readId(record(vault.customer).id) }
  const passed = passedIn(card.authentication_result)
  const facts = kept.connector_mandate_id === null ? {} : present(kept)
  return { id: body.id, status: body.status, intent, money, request_id, holds, taken, refunds, redirect, passed, facts }
}

/** The liability has shifted, or the card cannot be authenticated (PayPal's recommended actions for 3-D Secure). */
function passedIn(result: unknown): boolean | null {
  if (!isRecord(result)) return null
  return isOneOf(['POSSIBLE', 'YES'], result.liability_shift) || isOneOf(['N', 'U', 'B'], record(result.three_d_secure).enrollment_status)
}

/** Voided and expired holds have the same status, but an expired one changed at or after its expiration time. */
export const hasRunOut = ({ status, until, changed }: Hold): boolean =>
  status === 'VOIDED' && until !== null && changed !== null && Date.parse(changed) >= Date.parse(until)

/** After a renewal, the last one. */
export const holdOf = ({ holds }: PaypalOrder): Hold | undefined =>
  holds.findLast(({ status }) => status === 'CREATED' || status === 'PARTIALLY_CAPTURED' || status === 'PENDING')

const no = ({ id, status, code, advice, facts }: Piece, message: string): Extract<Outcome, { is: 'declined' }> => ({
  ...declinedWith((code && paypalResponseCodes[code]) || 'payment_declined', code ?? status, message, id),
  ...(advice !== null && { network_advice: advice }),
  facts,
})

export const isTaken = ({ status }: Taken): boolean => isOneOf(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'], status)

export function outcomeOf({ id, status, holds, taken, money, request_id, redirect, facts }: PaypalOrder): Outcome {
  if (status === 'PAYER_ACTION_REQUIRED')
    return { is: 'waiting', reference: id, ...(redirect !== null && { next_action: { type: 'redirect_to_url', url: redirect } }) }
  if (status === 'VOIDED') return { is: 'lapsed', reference: id }
  // No money moves before an order is captured or authorized.
  if (status !== 'COMPLETED') return { is: 'not_found', reference: id }
  const last = holds.at(-1)
  const [piece] = last ? [last] : taken
  if (!piece) return { ...unknown('a completed order without a payment'), reference: id }
  if (piece.status === 'PENDING') return { is: 'waiting', reference: id }
  if (isOneOf(['DENIED', 'DECLINED', 'FAILED'], piece.status)) return { ...no(piece, 'The payment was declined.'), reference: id }
  if (piece.status === 'VOIDED') return { is: 'lapsed', reference: id }
  const sum = taken.filter(isTaken).reduce((all, one) => all + one.money.amount, 0)
  const { amount, currency } = (holds[0] ?? piece).money
  if (money !== null && money.currency !== currency) return { ...unknown('the currencies differ'), reference: id }
  return {
    is: 'done',
    reference: id,
    request_id,
    amount: { amount, currency },
    captured: last && sum === 0 ? null : { amount: sum, currency },
    facts: { ...piece.facts, ...facts, ...(last?.until && { capture_before: last.until }) },
  }
}

export function takenOutcome(taken: Taken): Outcome {
  const { id, status, money, invoice_id, facts } = taken
  if (status === 'PENDING') return { is: 'waiting', reference: id }
  if (!isTaken(taken)) return no(taken, 'The capture was declined.')
  return doneWith(id, money, { request_id: invoice_id, facts: facts.arn ? { arn: facts.arn } : {} })
}

export function refundOutcome(refund: Refunded): Outcome {
  const { id, status, money, custom_id, facts } = refund
  if (status === 'PENDING') return { is: 'waiting', reference: id }
  if (status === 'COMPLETED') return doneWith(id, money, { request_id: custom_id, facts })
  return { ...declinedWith('operation_declined', status, 'The refund failed.', id), after_yes: true }
}
