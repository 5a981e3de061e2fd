import type { Account, Conversation, OperationIdentifier, WebhookUpdate } from '../connector.ts'
import { failedLookup, readerOf, unknown } from '../kit/parse-reply.ts'
import { isId, isRecord, readId } from '../kit/read.ts'
import { inPath } from '../kit/request.ts'
import type { Movement, PaymentQuestion, PaymentRead, PaymentReport } from '../payment-report.ts'
import { lookAt } from './authorize.ts'
import { type Hold, hasRunOut, isTaken, list, type PaypalOrder, type Refunded, readRefused, record, type Taken } from './replies.ts'
import { sayToPaypal } from './requests.ts'

/** The whole of a payment, from its order or an event: developer.paypal.com, Orders v2 and Payments v2. */

const states = {
  COMPLETED: 'done',
  PARTIALLY_REFUNDED: 'done',
  REFUNDED: 'done',
  PENDING: 'waiting',
  DECLINED: 'declined',
  FAILED: 'declined',
  CANCELLED: 'declined',
} as const satisfies Record<(Taken | Refunded)['status'], Movement['state']>

const movementOf = (verb: 'capture' | 'refund', piece: Taken | Refunded, request_id: string | null): Movement => ({
  ...{ verb, reference: piece.id, request_id, amount: piece.money },
  ...{ state: states[piece.status], reason: piece.note, at: piece.changed },
})

const sumOf = (pieces: readonly { money: Taken['money'] }[]): number => pieces.reduce((sum, { money }) => sum + money.amount, 0)

const isOpen = ({ status }: Hold): boolean => status === 'CREATED' || status === 'PARTIALLY_CAPTURED'
const isGranted = ({ status }: Hold): boolean => status !== 'DENIED' && status !== 'PENDING'

/** PayPal lists no voids: the authorization itself is the name of its void. */
function voidOf(hold: Hold, captured: number): Movement[] {
  if (hold.status !== 'VOIDED' || hasRunOut(hold)) return []
  const amount = { ...hold.money, amount: Math.max(0, hold.money.amount - captured) }
  return [{ verb: 'void', reference: hold.id, request_id: null, amount, state: 'done', reason: null, at: hold.changed }]
}

function releasedOf(hold: Hold | undefined, captured: number): PaymentReport['released'] {
  if (hold?.status === 'VOIDED') return hasRunOut(hold) ? 'expired' : 'voided'
  // A final capture lets the rest go.
  return hold?.status === 'CAPTURED' && captured < hold.money.amount ? 'voided' : null
}

/** Null if a capture says that more went back than is listed: PayPal has reversed it (a dispute). */
function refundedOf(taken: readonly Taken[], refunds: readonly Refunded[]): number | null {
  const given = refunds.filter(({ status }) => status === 'COMPLETED')
  const isUnlisted = taken.some(({ id, status, money }) => {
    const back = sumOf(given.filter(({ of }) => of === id))
    return (status === 'REFUNDED' && back < money.amount) || (status === 'PARTIALLY_REFUNDED' && back === 0)
  })
  return isUnlisted ? null : sumOf(given)
}

/**
 * The capture of an order that was never held is the payment itself. What was made without ids of its own has those of
 * the order, so a `request_id` is then the authorization's, which is none of a capture or refund of ours. Null if the
 * order's currencies differ.
 */
function reportOf({ id, money, holds, taken, refunds }: PaypalOrder, disputes: readonly string[]): PaymentReport | null {
  const pieces = [...holds, ...taken, ...refunds]
  const currency = money?.currency ?? pieces[0]?.money.currency
  if (currency === undefined || pieces.some(one => one.money.currency !== currency)) return null
  const [first, last] = [holds[0], holds.at(-1)]
  const captured = sumOf(taken.filter(isTaken))
  return {
    ...{ reference: id, currency, captured, refunded: refundedOf(taken, refunds), disputes },
    authorized: first ? (isGranted(first) ? first.money.amount : 0) : captured,
    held: last && isOpen(last) ? Math.max(0, last.money.amount - captured) : 0,
    released: releasedOf(last, captured),
    movements: [
      ...(first ? taken.map(one => movementOf('capture', one, one.invoice_id)) : []),
      ...refunds.map(one => movementOf('refund', one, one.custom_id)),
      ...(last ? voidOf(last, captured) : []),
    ],
  }
}

const DISPUTES = '/v1/customer/disputes'
const disputesReply = readerOf(
  body => (isRecord(body) ? (list(body.items) ?? []).map(one => record(one).dispute_id).filter(isId) : null),
  readRefused,
)

/** An order does not show its disputes. Not every account's application may list them: then none are reported. */
function* disputesOf(taken: readonly Taken[], account: Account): Conversation<string[]> {
  const found: string[] = []
  for (const { id } of taken) {
    const reply = yield* sayToPaypal(account, `${DISPUTES}?disputed_transaction_id=${inPath(id)}`, disputesReply)
    if (reply.is === 'answer') found.push(...reply.answer)
  }
  return found
}

/** A set-up has no order. An order is noted before money moves: an authorization without one has moved nothing. */
export function* readPayment({ reference, money }: PaymentQuestion, account: Account): Conversation<PaymentRead> {
  if (money.amount === 0) return unknown('nothing is charged by a set-up')
  if (reference === null) return { is: 'not_found' }
  const reply = yield* lookAt(reference, account)
  if (reply.is !== 'answer') return failedLookup(reply)
  const disputes = yield* disputesOf(reply.answer.taken.filter(isTaken), account)
  const report = reportOf(reply.answer, disputes)
  return report ? { is: 'payment', report } : unknown('the currencies differ')
}

type Name = OperationIdentifier | null
const byOrder = (id: string | null): Name => (id === null ? null : { reference: id, verb: 'authorize' })
const byCapture = (id: string | null): Name => (id === null ? null : { reference: id, verb: 'capture' })
const byRequest = (id: string | null): Name => (id === null ? null : { request_id: id, verb: 'authorize' })

function wholeNews(names: readonly Name[], report: PaymentReport | 'ask'): WebhookUpdate | undefined {
  const [first, ...others] = names.filter(name => name !== null)
  return first && { is: 'payment', of: [first, ...others], report }
}

const unsaid = { authorized: null, captured: null, refunded: null, held: null, released: null, disputes: [] } as const

/** The refund of an order that a button created names its capture only. */
export function paypalRefundNews(refund: Refunded): WebhookUpdate | undefined {
  const { custom_id, of, order, money } = refund
  const report = { ...unsaid, reference: order ?? of ?? refund.id, currency: money.currency }
  const movements = [movementOf('refund', refund, custom_id)]
  return wholeNews([byRequest(custom_id), byOrder(order), byCapture(of)], { ...report, movements })
}

/** Of a hold, by others: a capture of ours has its own `invoice_id`. */
export function captureNews(taken: Taken): WebhookUpdate | undefined {
  const { custom_id, invoice_id, of, order, money } = taken
  const isOurs = invoice_id !== null && invoice_id !== custom_id
  if (of === null || isOurs || !isTaken(taken)) return undefined
  const report = { ...unsaid, reference: order ?? of, currency: money.currency }
  return wholeNews([byRequest(custom_id), byOrder(order)], { ...report, movements: [movementOf('capture', taken, invoice_id)] })
}

export function voidNews(hold: Hold): WebhookUpdate | undefined {
  const { id, custom_id, order, money } = hold
  const released = hasRunOut(hold) ? 'expired' : 'voided'
  const report = { ...unsaid, reference: order ?? id, currency: money.currency, released, held: 0, movements: [] } as const
  return wholeNews([byRequest(custom_id), byOrder(order)], report)
}

/** PayPal has taken a capture back. How much, and why, is in its order and its disputes. */
export function reversalNews({ id, custom_id, supplementary_data }: Record<string, unknown>): WebhookUpdate | undefined {
  const { order_id, capture_id } = record(record(supplementary_data).related_ids)
  return wholeNews([byRequest(readId(custom_id)), byOrder(readId(order_id)), byCapture(readId(capture_id)), byCapture(readId(id))], 'ask')
}
