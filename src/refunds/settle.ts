import { may } from '../base/lifecycle.ts'
import { failure } from '../payments/failure.ts'
import { afterANo, goesOn, operationAfter, type Step, unresolved } from '../payments/outcomes.ts'
import { isUnfinished } from '../payments/payment.ts'
import type { Decide } from '../payments/settle.ts'
import type { RowChange, Time } from '../world.ts'
import { type Refund, type RefundStatus, refundAnnouncements, refundLifecycle } from './refund.ts'

/**
 * What an answer to a refund means. Its amount was reserved on the payment's row when it began: a yes turns it into refunded money, a definitive no gives it back, and
 * silence keeps it reserved. The refund's row carries the same news in the merchant's words.
 */
export const decideRefund =
  (refund: Refund): Decide =>
  (payment, operation, outcome, now) => {
    const side = operationAfter(payment, operation, outcome, now)
    if (!side) {
      const late = afterANo(operation, outcome, now)
      if (late && outcome.is === 'done') {
        // Given back after all: it counts, if there is room for it. What is not counted a person must look at.
        const left = payment.amount_received - payment.amount_refunded - payment.amount_refunding - payment.amount_disputed
        const same = outcome.amount.amount === operation.amount && outcome.amount.currency === operation.currency
        if (same && outcome.request_id === operation.request_id && operation.amount <= left) {
          return {
            move: null,
            payment: { amount_refunded: payment.amount_refunded + operation.amount },
            operation: { ...late.operation, state: 'done' },
            rows: [
              row(refund, 'succeeded', now, { connector_refund_id: outcome.reference, arn: outcome.facts.arn ?? null, last_error: null }),
            ],
            announces: 'refund_succeeded',
          }
        }
      }
      return (
        late && {
          ...late,
          payment: {},
          rows: [row(refund, 'review', now, { last_error: failure.late(operation) })],
          announces: 'action_required',
        }
      )
    }
    const reference = side.reference ?? refund.connector_refund_id
    const step = (status: RefundStatus, changes: Partial<Refund>, totals: Step['payment']): Step => ({
      move: null,
      payment: totals,
      operation: side,
      rows: [row(refund, status, now, { connector_refund_id: reference, ...changes })],
      announces: status === refund.status ? null : (refundAnnouncements[status] ?? null),
    })
    if (side.state === 'conflicted') return step('review', { last_error: failure.contradicted(operation) }, {})
    if (goesOn(side)) return step(refund.status, {}, {})
    const amount_refunding = payment.amount_refunding - operation.amount
    if (outcome.is === 'done') {
      return step(
        'succeeded',
        { arn: outcome.facts.arn ?? null, last_error: null },
        { amount_refunding, amount_refunded: payment.amount_refunded + operation.amount },
      )
    }
    return step('failed', { last_error: failure.of(outcome) }, { amount_refunding })
  }

/** Seven days without an answer. */
export const unresolvedRefund =
  (refund: Refund): Decide =>
  (payment, operation, _outcome, now) => {
    if (!isUnfinished(operation)) return null
    const { operation: side } = unresolved(payment, operation, now)
    return {
      move: null,
      payment: {},
      operation: side,
      rows: [row(refund, 'review', now, { last_error: failure.unresolved(operation) })],
      announces: 'action_required',
    }
  }

/** The refund with its next status, if its lifecycle has that; the row otherwise keeps its status. */
function row(refund: Refund, status: RefundStatus, now: Time, changes: Partial<Refund>): RowChange {
  const reachable = Object.entries(refundLifecycle[refund.status]).some(
    ([move, target]) => target === status && may(refundLifecycle, refund.status, move),
  )
  return { table: 'refunds', before: refund, after: { ...refund, ...changes, status: reachable ? status : refund.status, updated_at: now } }
}
