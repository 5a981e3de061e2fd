import type { Outcome } from '../../connectors/connector.ts'
import type { Time } from '../../context.ts'
import { failure } from '../../operations/failure.ts'
import { acceptsUpdates, endedWithANo, type Operation } from '../../operations/operation.ts'
import { contradicts, endsAs, lateApproval, operationPatch } from '../../operations/operation-patch.ts'
import type { OutcomeContext, RequestInput, Transition, VerbDefinition } from '../../operations/verb.ts'
import type { PaymentMove } from '../lifecycle.ts'
import { capturesSeveralTimes, type Payment, partOf } from '../payment.ts'
import { scheduledAgain } from '../scheduled/scheduled-captures.ts'
import { ifAllowed, unresolved } from './moves.ts'

/** The verb that captures: its request to the processor, and the effect of the answers. */
export const captureVerb: VerbDefinition<Payment> = { buildRequest, after: afterCapture, onPollingEnded: unresolved }

function buildRequest({ connector, account, head: payment, operation, authorization, statement_descriptor }: RequestInput<Payment>) {
  const { request_id, amount, currency } = operation
  const rest = isLast(payment, operation) ? 'release' : 'keep'
  const part_of = partOf(payment, amount)
  return (
    connector.capture?.(
      {
        request_id,
        authorization,
        money: { amount, currency },
        rest,
        ...(statement_descriptor && { statement_descriptor }),
        ...(part_of && { part_of }),
      },
      account,
    ) ?? null
  )
}

/** Whether the processor may close the hold: it would then refuse another capture that is under way. */
const isLast = (payment: Payment, capture: Operation): boolean =>
  !capturesSeveralTimes(payment) || (payment.amount_capturable === 0 && payment.amount_capturing <= capture.amount)

/** Returns the rest that this capture releases; undefined if it is not the last capture. */
const finalOf = ({ adjustments }: Payment, { n }: Operation) => (adjustments?.final?.n === n ? adjustments.final : undefined)

/** The adjustments without the release of the rest that a declined last capture would have made. */
function notFinal(payment: Payment, operation: Operation): Partial<Payment> {
  if (!finalOf(payment, operation)) return {}
  const { final: _final, ...adjustments } = payment.adjustments!
  return { adjustments: Object.keys(adjustments).length > 0 ? adjustments : null }
}

type Totals = Pick<Payment, 'amount_received' | 'amount_capturing' | 'amount_capturable'>

/** Returns the move of a payment to these totals, after any answer to a capture; null if its status stays. */
export function captureMove(payment: Payment, totals: Totals, answer: 'yes' | 'no'): PaymentMove | null {
  const { amount_received, amount_capturing, amount_capturable } = totals
  if (amount_capturing > 0) return amount_received > 0 ? ifAllowed(payment, 'captured_others_pending') : null
  if (amount_received === 0) {
    if (payment.facts?.lapsed_at !== undefined) return ifAllowed(payment, 'lapsed')
    const partial = payment.amount_authorized < payment.net_amount
    return ifAllowed(payment, partial ? 'partial_capture_declined' : 'capture_declined')
  }
  const oneOfSeveral = answer === 'no' && payment.status === 'partially_captured_and_processing'
  if (amount_capturable > 0) return ifAllowed(payment, oneOfSeveral ? 'capture_declined' : 'captured_with_rest')
  return ifAllowed(payment, amount_received >= payment.net_amount ? 'captured' : 'captured_in_part')
}

/** Applies an answer to a capture: a decline returns the reserved amount to the hold, which still exists. */
export function afterCapture(
  payment: Payment,
  operation: Operation,
  outcome: Outcome,
  now: Time,
  _companionRow?: unknown,
  { rule }: OutcomeContext = {},
): Transition<Payment> | null {
  if (!acceptsUpdates(operation)) return afterTheEnd(payment, operation, outcome, now, rule)
  const side = operationPatch(operation, outcome, now, payment.expires_on)
  if (!side) return null
  if (side.state === 'conflicted')
    return { move: ifAllowed(payment, 'contradicted'), head: { last_error: failure.contradicted(operation) }, operation: side }
  const amount_capturing = payment.amount_capturing - operation.amount
  switch (outcome.is) {
    case 'waiting':
    case 'unknown':
      return { move: null, head: {}, operation: side }
    case 'done': {
      const rest = capturesSeveralTimes(payment) ? payment.amount_capturable : 0
      const totals = { amount_capturing, amount_received: payment.amount_received + operation.amount, amount_capturable: rest }
      return { move: captureMove(payment, totals, 'yes'), head: { ...totals, last_error: null }, operation: side }
    }
    case 'declined':
    case 'later':
    case 'not_sent':
    case 'not_found':
    case 'lapsed': {
      // An amount above the hold was never held. A hold that the processor released meanwhile is not restored.
      const over = Math.max(payment.amount_authorized - payment.net_amount, 0)
      const kept = payment.amount_capturable + operation.amount + (finalOf(payment, operation)?.rest ?? 0) - over
      const amount_capturable = payment.facts?.lapsed_at === undefined ? kept : 0
      const totals = {
        amount_authorized: payment.amount_authorized - over,
        amount_capturing,
        amount_received: payment.amount_received,
        amount_capturable,
      }
      const head = { ...totals, ...notFinal(payment, operation), last_error: failure.of(outcome, rule) }
      const neverCame = outcome.is === 'not_sent' || outcome.is === 'not_found'
      return { move: captureMove(payment, totals, 'no'), head, operation: side, ...(neverCame && scheduledAgain(payment, now)) }
    }
  }
}

function afterTheEnd(
  payment: Payment,
  operation: Operation,
  outcome: Outcome,
  now: Time,
  rule: OutcomeContext['rule'],
): Transition<Payment> | null {
  if (outcome.is === 'done' && endedWithANo(operation))
    return madeAfterAll(payment, operation, outcome, now) ?? lateApproval(operation, outcome, now)
  const move = operation.state === 'done' && outcome.is === 'declined' ? ifAllowed(payment, 'capture_failed_later') : null
  return move && outcome.is === 'declined' ? { move, head: { last_error: failure.of(outcome, rule) }, operation: {} } : null
}

/** Books a capture that was made after being given up, if the hold still has room for it; otherwise null. */
function madeAfterAll(
  payment: Payment,
  operation: Operation,
  outcome: Extract<Outcome, { is: 'done' }>,
  now: Time,
): Transition<Payment> | null {
  if (contradicts(operation, outcome) || payment.alone !== null || payment.amount_capturable < operation.amount) return null
  const totals = {
    amount_capturing: payment.amount_capturing,
    amount_received: payment.amount_received + operation.amount,
    amount_capturable: capturesSeveralTimes(payment) && !finalOf(payment, operation) ? payment.amount_capturable - operation.amount : 0,
  }
  return {
    move: captureMove(payment, totals, 'yes'),
    head: { ...totals, last_error: null },
    operation: endsAs('done', operation, outcome, now),
  }
}
