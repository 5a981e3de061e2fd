import type { Outcome } from '../../connectors/connector.ts'
import type { Time } from '../../context.ts'
import { type Failure, failure } from '../../operations/failure.ts'
import { acceptsUpdates, endedWithANo, type Operation } from '../../operations/operation.ts'
import { contradicts, type Done, endsAs, lateApproval, operationPatch, staysOpen } from '../../operations/operation-patch.ts'
import type { OutcomeContext, Transition, VerbDefinition } from '../../operations/verb.ts'
import type { AdjustmentOutcome, Adjustments } from '../authorization/adjustments.ts'
import { type PaymentMove, statuses } from '../lifecycle.ts'
import type { Payment } from '../payment.ts'
import { freed, placed, unresolved } from './moves.ts'

/** The differences between verbs that need a payment alone, and leave status and totals unchanged until confirmed. */
export type Adjusting = {
  /** Returns the changes that a confirmation makes. */
  yes(payment: Payment, operation: Operation, outcome: Done, now: Time): { move: PaymentMove | null; head: Partial<Payment> }
  /** The columns that were stored for the request only, and that a decline empties. */
  no?: Partial<Payment>
  /** Whether an approval is still valid, with all changes of the payment since the request. */
  fits(payment: Payment, operation: Operation): boolean
  /** Returns the payment's adjustments with the result of the operation. */
  adjustments(
    payment: Payment,
    operation: Operation,
    end: AdjustmentOutcome,
    how: { failure: Failure | null; reference: string | null; now: Time },
  ): Adjustments
  /** After seven days without an answer the payment is free, or stays reserved: money may have moved. */
  afterSevenDays: 'free' | 'alone'
}

/**
 * Returns the effect of answers to such a verb. Merchants receive an event for every confirmation, and for a decline
 * that comes later than the answer to their call.
 */
export const adjusting = (is: Adjusting): Pick<VerbDefinition<Payment>, 'after' | 'onPollingEnded'> => ({
  after(payment, operation, outcome, now, _companionRow, { rule }: OutcomeContext = {}): Transition<Payment> | null {
    if (!acceptsUpdates(operation) && !(outcome.is === 'done' && outcome.held_nothing !== true && endedWithANo(operation))) return null
    const side = acceptsUpdates(operation) ? operationPatch(operation, outcome, now, payment.expires_on) : afterANo(operation, outcome, now)
    if (!side) return null
    if (staysOpen(side)) return { move: null, head: {}, operation: side, announces: null }
    const ended = (end: AdjustmentOutcome, no: Failure | null) => ({
      ...freed(payment, operation),
      last_error: no,
      adjustments: is.adjustments(payment, operation, end, { failure: no, reference: side.reference ?? null, now }),
    })
    if (outcome.is !== 'done') {
      const announces = operation.state === 'open' ? null : 'action_required'
      return { move: null, head: { ...ended('failure', failure.of(outcome, rule)), ...is.no }, operation: side, announces }
    }
    // Another operation is in progress, or the payment has moved on without this one.
    const mayCount = (payment.alone === operation.n || payment.alone === null) && is.fits(payment, operation)
    if (!mayCount || (!acceptsUpdates(operation) && side.state === 'conflicted'))
      return { ...lateApproval<Payment>(operation, outcome, now), head: { ...ended('failure', failure.late(operation)), ...is.no } }
    if (side.state === 'conflicted')
      return { move: placed(payment, 'contradicted'), head: ended('failure', failure.contradicted(operation)), operation: side }
    const { move, head } = is.yes(payment, operation, outcome, now)
    return {
      move,
      head: { ...ended('success', null), ...head },
      operation: side,
      ...(!move && { announces: statuses[payment.status].eventType }),
    }
  },
  onPollingEnded(payment, operation, now): Transition<Payment> | null {
    const step = unresolved(payment, operation, now)
    if (!step) return null
    const no = failure.unresolved(operation)
    const adjustments = is.adjustments(payment, operation, 'unresolved', { failure: no, reference: operation.reference, now })
    return { ...step, head: { ...step.head, ...(is.afterSevenDays === 'free' && freed(payment, operation)), adjustments } }
  },
})

/** Returns the operation after a confirmation that arrives when the operation had been given up. */
function afterANo(operation: Operation, outcome: Outcome, now: Time): Partial<Operation> | null {
  if (outcome.is !== 'done') return null
  const state = contradicts(operation, outcome) ? 'conflicted' : 'done'
  return endsAs(state, operation, outcome, now)
}
