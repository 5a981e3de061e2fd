import type { Money } from '../../base/money.ts'
import type { OperationIdentifier, PaymentUpdate } from '../connector.ts'
import { isRecord, parseTime } from '../kit/read.ts'
import type { Movement, PaymentReport } from '../payment-report.ts'
import { approvedOf, type BraintreePayment, capturedOf, readName, readPayment, refusedStatuses, statusStep, whole } from './replies.ts'

/** Braintree's report of a payment as a whole: its transaction, with the statuses that it has passed through. */

type Step = BraintreePayment['steps'][number]

export type WholePayment = { payment: BraintreePayment; disputes: string[] }

const readDisputeName = (value: unknown): string | null => (isRecord(value) ? readName(value.legacyId) : null)

export function readWhole(value: unknown): WholePayment | null {
  const payment = readPayment(value)
  if (payment === null || payment.kind !== 'Transaction' || !isRecord(value)) return null
  const disputes = value.disputes === null || value.disputes === undefined ? [] : whole(value.disputes, readDisputeName)
  return disputes && { payment, disputes }
}

export const readWholes = (edges: unknown): WholePayment[] | null => whole(edges, one => (isRecord(one) ? readWhole(one.node) : null))

/**
 * A movement made in the Control Panel is none of ours: it names the request of the authorization, which is none of a
 * capture, a void or a refund. One made by the API without a name of its own may be ours.
 */
const requestOf = (step: Step | undefined, { request_id }: BraintreePayment): string | null =>
  step !== undefined && step.by !== 'API' ? request_id : null

const atOf = (step: Step | undefined) => parseTime(step?.details.timestamp)

const movement = (verb: Movement['verb'], payment: BraintreePayment, amount: Money, step: Step | undefined): Movement => ({
  ...{ verb, reference: payment.id, request_id: requestOf(step, payment), amount, state: 'done', reason: null, at: atOf(step) },
})

/** A refund is sent when its transaction has settled, and decided when it settles itself. */
function refundOf(refund: BraintreePayment, payment: BraintreePayment): Movement {
  const [first, last] = [refund.steps.at(-1), refund.steps[0]]
  const { id, status, amount } = refund
  const state = status === 'SETTLED' ? 'done' : refusedStatuses.includes(status) || status === 'VOIDED' ? 'declined' : 'waiting'
  // A reversal of ours that met a settled transaction became a refund with the order id of that transaction.
  const request_id = refund.request_id === payment.request_id ? requestOf(first, payment) : refund.request_id
  return { verb: 'refund', reference: id, request_id, amount, state, reason: state === 'declined' ? status : null, at: atOf(first ?? last) }
}

/** A captured transaction is voided before it settles: the whole of it is given back, as by a refund. */
function movementsOf(payment: BraintreePayment): Movement[] {
  const captured = capturedOf(payment)
  const [submitted, voided] = [statusStep(payment, 'SUBMITTED_FOR_SETTLEMENT'), statusStep(payment, 'VOIDED')]
  return [
    ...(captured ? [movement('capture', payment, captured, submitted)] : []),
    ...(voided ? [movement(captured ? 'refund' : 'void', payment, captured ?? approvedOf(payment), voided)] : []),
    ...payment.refunds.map(one => refundOf(one, payment)),
  ]
}

/** Null if the processor has not approved it, or has taken its approval back. */
const isApproved = ({ status }: BraintreePayment): boolean => status !== 'AUTHORIZING' && !refusedStatuses.includes(status)

function releasedOf(payment: BraintreePayment): PaymentReport['released'] {
  if (payment.status === 'AUTHORIZATION_EXPIRED') return 'expired'
  if (!isApproved(payment) || payment.status === 'AUTHORIZED') return null
  return (capturedOf(payment)?.amount ?? 0) < approvedOf(payment).amount ? 'voided' : null
}

export function reportOf({ payment, disputes }: WholePayment): PaymentReport {
  const { id, amount, status } = payment
  const movements = isApproved(payment) ? movementsOf(payment) : []
  const sum = (verb: Movement['verb']) =>
    movements.reduce((all, one) => (one.verb === verb && one.state === 'done' ? all + one.amount.amount : all), 0)
  return {
    reference: id,
    currency: amount.currency,
    authorized: isApproved(payment) ? approvedOf(payment).amount : null,
    captured: sum('capture'),
    refunded: sum('refund'),
    held: status === 'AUTHORIZED' ? amount.amount : 0,
    released: releasedOf(payment),
    movements,
    disputes,
  }
}

export const transactionNews = (of: OperationIdentifier[], report: PaymentReport): PaymentUpdate[] => {
  const [first, ...others] = of
  return first ? [{ is: 'payment', of: [first, ...others], report }] : []
}

export const byNames = (request_id: string | null, reference: string): OperationIdentifier[] => [
  ...(request_id === null ? [] : [{ request_id, verb: 'authorize' } as const]),
  { reference, verb: 'authorize' },
]

export type RefundFound = { refund: BraintreePayment; of: { id: string; request_id: string | null } }

export function readRefundFound(value: unknown): RefundFound | null {
  const refund = readPayment(value)
  const of = isRecord(value) && isRecord(value.refundedTransaction) ? value.refundedTransaction : {}
  const id = readName(of.id)
  return refund === null || refund.kind !== 'Refund' || id === null ? null : { refund, of: { id, request_id: readName(of.orderId) } }
}

/** A refund that is found alone: nothing is said of its payment's totals. */
export function refundNews({ refund, of }: RefundFound): PaymentUpdate[] {
  const made = refundOf(refund, { ...refund, request_id: of.request_id })
  const unsaid = { authorized: null, captured: null, refunded: null, held: null, released: null, disputes: [] }
  return transactionNews(byNames(of.request_id, of.id), {
    reference: of.id,
    currency: refund.amount.currency,
    ...unsaid,
    movements: [made],
  })
}
