import { may } from '../../base/lifecycle.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { Time } from '../../context.ts'
import { failure, NOT_GIVEN_BACK } from '../../operations/failure.ts'
import { endedWithANo, type Operation } from '../../operations/operation.ts'
import { type Done, endsAs } from '../../operations/operation-patch.ts'
import type { OutcomeContext, Transition } from '../../operations/verb.ts'
import { allowedStatuses, lifecycle } from '../lifecycle.ts'
import { type Payment, takesAtOnce } from '../payment.ts'
import { capturedMoney, stray } from './approval.ts'
import { captureMove } from './capture.ts'
import { ifAllowed } from './moves.ts'
import { restWasReleased } from './release.ts'

/** The effect of news about an authorization that was already answered. Pure. */

/** Handles an approval of an authorization that had ended with a decline: the money is returned. */
export function afterANo(payment: Payment, operation: Operation, outcome: Outcome, now: Time): Transition<Payment> | null {
  if (outcome.is !== 'done' || !endedWithANo(operation)) return null
  const side = endsAs('done', operation, outcome, now)
  return stray(payment, operation, side, outcome)
}

/** Handles an update of a settled authorization: the hold or a part was released, or a capture taken back. */
export function afterTheEnd(
  payment: Payment,
  operation: Operation,
  outcome: Outcome,
  now: Time,
  { rule }: OutcomeContext,
): Transition<Payment> | null {
  if (operation.state !== 'done') return null
  if (isOfAnotherAttempt(operation, outcome)) return outcome.is === 'done' ? secondApproval(payment, outcome) : null
  // An increment or an extension only changes a hold, and decides nothing about a hold that is gone.
  const underWay = payment.amount_capturing > 0 || (payment.alone !== null && !allowedStatuses.lapse.includes(payment.status))
  if (outcome.is === 'lapsed') {
    if (payment.facts?.lapsed_at !== undefined || restWasReleased(payment)) return null
    const gone = { amount_capturable: 0, facts: { ...payment.facts, lapsed_at: now } }
    // The operation under way decides the status; until then nothing more can be captured.
    if (underWay) return { move: null, head: gone, operation: {} }
    // Only a hold can expire: not an amount captured from it, nor one captured with its authorization.
    const isTaken = payment.amount_received > 0 && payment.amount_capturable === 0
    if (isTaken && !takesAtOnce(payment)) return null
    const move = ifAllowed(payment, isTaken ? 'voided_at_processor' : 'lapsed')
    // We had voided and refunded it in vain: it was never captured.
    const approved = { ...operation, amount: operation.response?.amount ?? operation.amount }
    const isGivenBack = payment.last_error?.error_code === NOT_GIVEN_BACK
    return move && { move, head: { ...gone, ...(isGivenBack && { last_error: failure.givenBack(approved) }) }, operation: {} }
  }
  if (outcome.is === 'done') return underWay || payment.alone !== null ? null : updateCapturable(payment, outcome)
  // A decline for an unanswered challenge says nothing about an approved authorization. One after a success is about
  // the capture, also where that was a request of its own.
  const { amount_received, amount_capturable } = payment
  const isTakenWhole = amount_received > 0 && amount_capturable === 0 && !underWay
  const isOfCapture = takesAtOnce(payment) || (outcome.is === 'declined' && outcome.after_yes === true && isTakenWhole)
  if (outcome.is === 'declined' && isOfCapture && outcome.code !== 'authentication_failed') {
    const move = ifAllowed(payment, 'capture_failed_later')
    return move && { move, head: { last_error: failure.of(outcome, rule) }, operation: {} }
  }
  return null
}

/** Whether the news names another reference than the approval: another attempt under the same merchant reference. */
const isOfAnotherAttempt = (operation: Operation, outcome: Outcome): boolean =>
  'reference' in outcome && operation.reference !== null && (outcome.reference ?? operation.reference) !== operation.reference

/** A second approval may be money that is taken twice. Only a person can tell: it is shown, and nothing is moved. */
function secondApproval(payment: Payment, { reference }: Done): Transition<Payment> | null {
  const last_error = failure.secondApproval(reference)
  if (payment.last_error?.error_message === last_error.error_message) return null
  return { move: null, head: { last_error }, operation: {}, announces: 'action_required' }
}

/** Sets the capturable amount to the amount that the processor still holds. */
function updateCapturable(payment: Payment, outcome: Done): Transition<Payment> | null {
  if (!outcome.capturable || outcome.capturable.currency !== payment.currency || !may(lifecycle, payment.status, 'capture_sent'))
    return null
  const { amount_authorized, amount_received, amount_capturing } = payment
  const amount_capturable = Math.min(outcome.capturable.amount, amount_authorized - amount_received)
  if (amount_capturable === payment.amount_capturable) return null
  if (amount_capturable > 0) return { move: null, head: { amount_capturable }, operation: {} }
  // More was captured than is known here (a capture given up): the capture's own update books it.
  if ((capturedMoney(payment, outcome)?.amount ?? 0) > amount_received) return null
  const totals = { amount_received, amount_capturing, amount_capturable }
  const move = amount_received === 0 ? ifAllowed(payment, 'lapsed') : captureMove(payment, totals, 'yes')
  return move && { move, head: { amount_capturable }, operation: {} }
}
