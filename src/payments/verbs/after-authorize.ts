import type { Outcome } from '../../connectors/connector.ts'
import { dated, isNextStep } from '../../connectors/next-action.ts'
import type { Time } from '../../context.ts'
import { failure } from '../../operations/failure.ts'
import { acceptsUpdates, type Operation } from '../../operations/operation.ts'
import { operationPatch } from '../../operations/operation-patch.ts'
import type { OutcomeContext, RetryTarget, Transition } from '../../operations/verb.ts'
import { failedFrom } from '../authorization/card-testing-tries.ts'
import { standingOn } from '../authorization/retry-target.ts'
import type { Payment } from '../payment.ts'
import { applyApproval, contradictsIn, stray } from './approval.ts'
import { afterANo, afterTheEnd } from './late-updates.ts'
import { freed, ifAllowed, isBeingUndone, isCurrent } from './moves.ts'

/** The effect of a processor's answers to an authorization on its payment. Pure. */

/** Applies an answer to an authorization. An approval after the payment has begun another authorization is reversed. */
export function afterAuthorize(
  payment: Payment,
  operation: Operation,
  outcome: Outcome,
  now: Time,
  _companionRow?: unknown,
  more: OutcomeContext = {},
): Transition<Payment> | null {
  const current = isCurrent(payment, operation.n)
  if (!acceptsUpdates(operation))
    return afterANo(payment, operation, outcome, now) ?? (current ? afterTheEnd(payment, operation, outcome, now, more) : null)
  const side = operationPatch(operation, outcome, now, payment.expires_on, contradictsIn(payment))
  if (!current)
    return side && (outcome.is === 'done' ? stray(payment, operation, side, outcome) : { move: null, head: {}, operation: side })
  if (!side || side.state === 'unresolved') {
    const step =
      challengedAgain(payment, operation, outcome, now) ?? otherAction(payment, operation, outcome, now) ?? challengeOver(payment, outcome)
    // Polling has ended; the operation's reference is kept for a manual lookup.
    return side ? { ...(step ?? { move: null, head: {} }), operation: side } : step
  }
  if (side.state === 'conflicted') {
    return {
      move: ifAllowed(payment, 'contradicted'),
      head: {
        alone: null,
        next_action: null,
        last_error: failure.contradicted(operation),
        connector_transaction_id: side.reference ?? null,
      },
      operation: side,
    }
  }
  switch (outcome.is) {
    case 'waiting': {
      const transaction = { connector_transaction_id: side.reference ?? null }
      if (!outcome.next_action) {
        const move = ifAllowed(payment, 'customer_returned')
        return { move, head: { ...transaction, ...(move && { next_action: null }) }, operation: side }
      }
      if (payment.alone !== operation.n) return { move: null, head: transaction, operation: side }
      return {
        move: ifAllowed(payment, 'challenged'),
        head: { ...transaction, next_action: dated(outcome.next_action, now) },
        operation: side,
      }
    }
    case 'unknown':
      return { move: null, head: { connector_transaction_id: side.reference ?? payment.connector_transaction_id }, operation: side }
    case 'declined':
    case 'later':
    case 'not_sent':
    case 'not_found':
      return refused(payment, operation, outcome, side, more)
    case 'lapsed': {
      const reported = { next_action: null, connector_transaction_id: outcome.reference }
      // A void is under way and may have released the hold: the answer to the void decides.
      if (isBeingUndone(payment, operation))
        return { move: null, head: { ...reported, facts: { ...payment.facts, lapsed_at: now } }, operation: side }
      return { move: ifAllowed(payment, 'lapsed'), head: { ...reported, ...freed(payment, operation) }, operation: side }
    }
    case 'done':
      return applyApproval(payment, operation, outcome, side)
  }
}

type No = Extract<Outcome, { is: 'declined' | 'later' | 'not_sent' | 'not_found' }>

function refused(
  payment: Payment,
  operation: Operation,
  outcome: No,
  kept: Partial<Operation>,
  { rule, next }: OutcomeContext,
): Transition<Payment> {
  const why = failure.of(outcome, rule)
  const side = { ...kept, response: { ...kept.response, unified_code: why.unified_code } }
  const facts = outcome.is === 'declined' ? outcome.facts : payment.facts
  const counted = outcome.is === 'declined' ? failedFrom(payment, operation, side.modified_at!) : {}
  // A void is under way and nothing is left to void: the cancel has succeeded.
  if (isBeingUndone(payment, operation))
    return { move: ifAllowed(payment, 'voided'), head: { facts, alone: null, next_action: null }, operation: side, ...counted }
  // The next attempt decides whether the confirmation has failed.
  if (next && payment.alone === operation.n) return retryAt(payment, next, side)
  const move = ifAllowed(payment, outcome.is === 'not_found' ? 'not_received' : outcome.is === 'later' ? 'not_sent' : outcome.is)
  return {
    move,
    head: {
      ...freed(payment, operation),
      facts,
      connector_transaction_id: side.reference ?? payment.connector_transaction_id,
      next_action: null,
      ...(move && { last_error: why }),
    },
    operation: side,
    ...counted,
  }
}

/** Opens the next attempt in the same change: a payment that did not fail is never shown or announced as failed. */
const retryAt = (payment: Payment, next: RetryTarget, side: Partial<Operation>): Transition<Payment> => ({
  move: null,
  head: {
    attempt_count: payment.attempt_count + 1,
    next_action: null,
    facts: null,
    ...(next.step_up && { authentication_type: 'three_ds' as const, request: withoutExemption(payment.request) }),
  },
  operation: side,
  open: { is: 'again', next, head: opened => standingOn(opened) },
  announces: null,
})

/** Returns the request without an exemption that the issuer has refused. */
function withoutExemption(request: Payment['request']): Payment['request'] {
  if (request.psd2_sca_exemption_type === undefined) return request
  const { psd2_sca_exemption_type: _refused, ...rest } = request
  return rest
}

/** Handles a challenge that the customer has answered, while the processor has not decided yet. */
function challengeOver(payment: Payment, outcome: Outcome): Transition<Payment> | null {
  const move = outcome.is === 'waiting' && !outcome.next_action ? ifAllowed(payment, 'customer_returned') : null
  return move && { move, head: { next_action: null }, operation: {} }
}

/** Handles another action: a challenge, say, after the issuer could not assess the browser in a frame. */
function otherAction(payment: Payment, operation: Operation, outcome: Outcome, now: Time): Transition<Payment> | null {
  if (outcome.is !== 'waiting' || !outcome.next_action || !payment.next_action || payment.alone !== operation.n) return null
  if (payment.status !== 'requires_customer_action' || !isNextStep(outcome.next_action, payment.next_action)) return null
  return { move: null, head: { next_action: dated(outcome.next_action, now) }, operation: {} }
}

/** Handles a cancel that the processor refused: the challenge is open again, and the customer may return. */
function challengedAgain(payment: Payment, operation: Operation, outcome: Outcome, now: Time): Transition<Payment> | null {
  if (outcome.is !== 'waiting' || !outcome.next_action || payment.next_action || payment.alone !== operation.n) return null
  const move = ifAllowed(payment, 'challenged')
  return move && { move, head: { next_action: dated(outcome.next_action, now) }, operation: {} }
}
