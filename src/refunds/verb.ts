import type { Outcome } from '../connectors/connector.ts'
import type { Time } from '../context.ts'
import { failure } from '../operations/failure.ts'
import { acceptsUpdates, endedWithANo, isUnfinished, type Operation } from '../operations/operation.ts'
import { contradicts, type Done, endsAs, givenUp, operationPatch, responseOf, staysOpen } from '../operations/operation-patch.ts'
import type { OutcomeContext, RequestInput, Transition, VerbDefinition } from '../operations/verb.ts'
import { notedIn } from '../payments/authorization/purchase.ts'
import { type Payment, partOf } from '../payments/payment.ts'
import { askedUntil } from '../payments/verbs/moves.ts'
import { leftToRefund, splitBackOf } from './check.ts'
import { type RefundStatus, refundLifecycle, refundStatuses } from './lifecycle.ts'
import { findRefund, type Refund } from './refund.ts'

/**
 * The verb that refunds for a merchant. The amount was reserved on the payment's row: a confirmation turns it into
 * refunded money, a definitive decline releases it, and without an answer it stays reserved. The refund's row moves
 * along.
 */
export const refundVerb: VerbDefinition<Payment> = {
  async companionRow(context, operation) {
    const refund = await findRefund(context, operation.merchant_id, operation.refund_id ?? '')
    if (!refund) throw new Error(`operation ${operation.request_id} names refund ${operation.refund_id}, which does not exist`)
    return refund
  },
  buildRequest,
  after: (payment, operation, outcome, now, refund, more) => afterRefund(payment, operation, outcome, now, refund as Refund, more),
  until: askedUntil,
  onPollingEnded: (payment, operation, now, refund) => unresolvedRefund(payment, operation, now, refund as Refund),
}

function buildRequest({ connector, account, head: payment, operation, authorization, companionRow }: RequestInput<Payment>) {
  const { request_id, amount, currency } = operation
  const { reason, split_refunds, metadata } = companionRow as Refund
  const noted = notedIn(metadata)
  const split = splitBackOf(split_refunds)
  const money = { amount, currency }
  const part_of = partOf(payment, amount)
  const wanted = { request_id, authorization, money, reason }
  const more = { ...(split && { split }), ...(noted && { metadata: noted }), ...(part_of && { part_of }) }
  return connector.refund?.({ ...wanted, ...more }, account) ?? null
}

export function afterRefund(
  payment: Payment,
  operation: Operation,
  outcome: Outcome,
  now: Time,
  refund: Refund,
  { rule }: OutcomeContext = {},
): Transition<Payment> | null {
  if (!acceptsUpdates(operation)) {
    if (outcome.is === 'declined' && operation.state === 'done') {
      // The processor takes its confirmation back: the customer did not get the money, and it can be refunded again.
      const patch = { state: 'declined', response: responseOf(outcome, operation), modified_at: now } as const
      const head = { amount_refunded: payment.amount_refunded - operation.amount }
      return step(refund, 'failed', { last_error: failure.of(outcome, rule) }, now, patch, head)
    }
    return outcome.is === 'done' && endedWithANo(operation) ? madeAfterAll(payment, operation, outcome, now, refund) : null
  }
  const patch = operationPatch(operation, outcome, now, payment.expires_on)
  if (!patch) return null
  const connector_refund_id = patch.reference ?? refund.connector_refund_id
  if (patch.state === 'conflicted')
    return step(refund, 'review', { connector_refund_id, last_error: failure.contradicted(operation) }, now, patch)
  if (staysOpen(patch)) return step(refund, refund.status, { connector_refund_id }, now, patch)
  const amount_refunding = payment.amount_refunding - operation.amount
  if (outcome.is !== 'done')
    return step(refund, 'failed', { connector_refund_id, last_error: failure.of(outcome, rule) }, now, patch, { amount_refunding })
  const amount_refunded = payment.amount_refunded + operation.amount
  return step(refund, 'succeeded', { connector_refund_id, ...approved(outcome) }, now, patch, { amount_refunding, amount_refunded })
}

const approved = ({ facts: { arn, fee } }: Done): Partial<Refund> => ({ arn: arn ?? null, fee: fee ?? null, last_error: null })

/** A refund that was made after it had been given up: counted if the amounts allow it, otherwise reviewed. */
function madeAfterAll(payment: Payment, operation: Operation, outcome: Done, now: Time, refund: Refund): Transition<Payment> {
  const isPossible = !contradicts(operation, outcome) && operation.amount <= leftToRefund(payment)
  if (!isPossible)
    return step(refund, 'review', { last_error: failure.late(operation) }, now, endsAs('conflicted', operation, outcome, now))
  const changes = { connector_refund_id: outcome.reference, ...approved(outcome) }
  const head = { amount_refunded: payment.amount_refunded + operation.amount }
  return step(refund, 'succeeded', changes, now, endsAs('done', operation, outcome, now), head)
}

export const unresolvedRefund = (_payment: Payment, operation: Operation, now: Time, refund: Refund): Transition<Payment> | null =>
  isUnfinished(operation) ? step(refund, 'review', { last_error: failure.unresolved(operation) }, now, givenUp(now)) : null

/** A step of a refund: its row moves to this status if its lifecycle allows it, otherwise the status stays. */
function step(
  refund: Refund,
  status: RefundStatus,
  changes: Partial<Refund>,
  now: Time,
  operation: Partial<Operation>,
  head: Partial<Payment> = {},
): Transition<Payment> {
  const isReachable = (Object.values(refundLifecycle[refund.status]) as RefundStatus[]).includes(status)
  const after = { ...refund, ...changes, status: isReachable ? status : refund.status, updated_at: now }
  const announces = status === refund.status ? null : refundStatuses[status].eventType
  return { move: null, head, operation, rows: [{ table: 'refunds', before: refund, after }], announces }
}
