import type { Outcome } from '../../connectors/connector.ts'
import type { Time } from '../../context.ts'
import { type Failure, failure } from '../../operations/failure.ts'
import { acceptsUpdates, endedWithANo, type Operation } from '../../operations/operation.ts'
import { contradicts, type Done, endsAs, lateApproval, operationPatch, staysOpen } from '../../operations/operation-patch.ts'
import type { OutcomeContext, RequestInput, Transition, VerbDefinition } from '../../operations/verb.ts'
import type { AdjustmentOutcome, Adjustments, PostCaptureVoid } from '../authorization/adjustments.ts'
import { allowedStatuses, type PaymentMove, statuses } from '../lifecycle.ts'
import type { Payment } from '../payment.ts'
import { freed, ifAllowed, unresolved } from './moves.ts'

type How = { failure: Failure | null; reference: string | null; now: Time }

/** The differences between verbs that need a payment alone, and leave status and totals unchanged until confirmed. */
export type Adjusting = {
  /** Returns the changes that a confirmation makes. */
  yes(payment: Payment, operation: Operation, outcome: Done, now: Time): { move: PaymentMove | null; head: Partial<Payment> }
  /** The columns that were stored for the request only, and that a decline empties. */
  no?: Partial<Payment>
  /** Whether an approval is still valid, with all changes of the payment since the request. */
  fits(payment: Payment, operation: Operation): boolean
  /** Returns the payment's adjustments with the result of the operation. */
  adjustments(payment: Payment, operation: Operation, end: AdjustmentOutcome, how: How): Adjustments
  /** After seven days without an answer the payment is free, or stays reserved: money may have moved. */
  afterSevenDays: 'free' | 'alone'
}

/** Merchants receive an event for every confirmation, and for a decline later than the answer to their call. */
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
      return { move: ifAllowed(payment, 'contradicted'), head: ended('failure', failure.contradicted(operation)), operation: side }
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

const reportedStatus = { success: 'succeeded', failure: 'failed', unresolved: 'pending' } as const

/** Returns the result of a void as answers show it. */
export const reportedVoid = (end: AdjustmentOutcome, { failure, reference, now }: How): PostCaptureVoid => ({
  status: reportedStatus[end],
  connector_reference_id: reference,
  description: failure?.error_message ?? null,
  updated_at: now,
})

/** Returns such a verb: the effect of answers, and the request with the authorization and the operation's amount. */
export const adjustingVerb = (verb: 'increment' | 'extend' | 'post_capture_void', is: Adjusting): VerbDefinition<Payment> => ({
  buildRequest({ connector, account, operation: { request_id, amount, currency }, authorization }: RequestInput<Payment>) {
    return connector[verb]?.({ request_id, authorization, money: { amount, currency } }, account) ?? null
  },
  ...adjusting(is),
})

/** Returns the operation after a confirmation that arrives when the operation had been given up. */
function afterANo(operation: Operation, outcome: Outcome, now: Time): Partial<Operation> | null {
  if (outcome.is !== 'done') return null
  const state = contradicts(operation, outcome) ? 'conflicted' : 'done'
  return endsAs(state, operation, outcome, now)
}

/** The verb that extends a hold. */
export const extendVerb = adjustingVerb('extend', {
  yes(payment, _operation, { facts: { capture_before } }) {
    return { move: null, head: capture_before === undefined ? {} : { facts: { ...payment.facts, capture_before } } }
  },
  fits: ({ status }) => allowedStatuses.extend_authorization.includes(status),
  adjustments: ({ adjustments }, _operation, end, { now }) => ({ ...adjustments, ...(end === 'success' && { extended_at: now }) }),
  afterSevenDays: 'free',
})

/** The verb that raises a hold; the operation's amount is the new total to hold. */
export const incrementVerb = adjustingVerb('increment', {
  yes(payment, operation) {
    const more = operation.amount - payment.amount_authorized
    return {
      move: null,
      head: {
        amount: payment.amount + more,
        net_amount: payment.net_amount + more,
        amount_authorized: payment.amount_authorized + more,
        amount_capturable: payment.amount_capturable + more,
      },
    }
  },
  fits: (payment, operation) =>
    allowedStatuses.incremental_authorization.includes(payment.status) && operation.amount > payment.amount_authorized,
  adjustments: ({ adjustments }, { n }, status, { failure }) => ({
    ...adjustments,
    increments: (adjustments?.increments ?? []).map(one =>
      one.n === n ? { ...one, status, error_code: failure?.error_code ?? null, error_message: failure?.error_message ?? null } : one,
    ),
  }),
  afterSevenDays: 'free',
})
