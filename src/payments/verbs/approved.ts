import type { Money } from '../../base/money.ts'
import { failure } from '../../operations/failure.ts'
import type { Operation } from '../../operations/operation.ts'
import { contradicts, type Done } from '../../operations/side.ts'
import type { Transition } from '../../operations/verb.ts'
import { statuses } from '../lifecycle.ts'
import { capturesAtOnce, type Payment, takesAtOnce } from '../payment.ts'
import { holdEnd } from '../scheduled/hold-ends.ts'
import { scheduledCapture } from '../scheduled/scheduled-captures.ts'
import { freed, isBeingUndone, isCurrent, placed } from './moves.ts'

/** What the approval of an authorization means for its payment: what is held, taken and given back. Pure. */

/** What is taken already with an approval; where the processor does not say, what it was asked to take. */
export const takenOf = (payment: Payment, { amount, captured }: Done): Money | null =>
  captured === 'as asked' ? (takesAtOnce(payment) ? amount : null) : captured

/**
 * An authorization may approve less (partial approval); nothing may be taken that was not approved, nor where a hold
 * was asked for.
 */
export function contradictsIn(payment: Payment) {
  return (operation: Operation, outcome: Done): boolean => {
    const { amount, currency } = outcome.amount
    const captured = takenOf(payment, outcome)
    if (captured && (captured.currency !== currency || captured.amount > (capturesAtOnce(payment) ? amount : 0))) return true
    return contradicts(operation, outcome) || amount > operation.amount || (amount <= 0 && operation.amount !== 0)
  }
}

/** The authorization that the payment stands on was approved. */
export function approved(payment: Payment, operation: Operation, outcome: Done, side: Partial<Operation>): Transition<Payment> | null {
  const authorized = outcome.amount.amount
  const captured = takenOf(payment, outcome)?.amount ?? 0
  const partial = authorized < operation.amount
  const heard = { facts: { ...payment.facts, ...outcome.facts }, connector_transaction_id: outcome.reference, next_action: null }
  // This approval is in the books already: the operation was read before it was settled.
  if (payment.amount_authorized > 0) return null
  // Approved after all, when the payment had already ended without it: the money goes back.
  if (!awaitsMoney(payment)) {
    // Our own void has answered this approval already, and only this news of it is late.
    if (payment.status === 'cancelled' && captured === 0) return { move: null, head: {}, operation: side }
    return stray(payment, operation, side, outcome)
  }
  if (partial && payment.request.enable_partial_authorization !== true) {
    return {
      move: payment.status === 'requires_customer_action' ? 'reversal_sent' : null,
      head: { ...heard, last_error: failure.partialApproval(authorized, operation) },
      operation: side,
      open: { is: 'reversal', verb: captured > 0 ? 'refund' : 'void', alone: true },
    }
  }
  // Also of a hold that the processor has captured by itself, where a capture was to follow.
  if (takesAtOnce(payment) || (capturesAtOnce(payment) && captured > 0)) {
    if (captured !== authorized) {
      const move = placed(payment, 'customer_returned')
      if (!move && operation.state === 'waiting') return null
      return { move, head: heard, operation: { ...side, state: 'waiting', poll_at: operation.poll_at ?? side.modified_at! } }
    }
    const totals = { amount_authorized: authorized, amount_received: captured, amount_capturable: 0 }
    return {
      move: placed(payment, partial ? 'captured_in_part' : 'captured'),
      head: { ...heard, ...freed(payment, operation), ...totals, last_error: null },
      operation: side,
    }
  }
  const held = Math.min(outcome.capturable?.amount ?? authorized, authorized - captured)
  const totals = { amount_authorized: authorized, amount_capturable: held, amount_received: captured }
  if (capturesAtOnce(payment) && held > 0 && !isBeingUndone(payment, operation))
    return {
      move: placed(payment, 'customer_returned'),
      head: { ...heard, ...freed(payment, operation), ...totals, amount_capturable: 0, amount_capturing: held, last_error: null },
      operation: side,
      open: { is: 'capture', amount: held },
    }
  // A void is under way: what it says decides.
  const move = isBeingUndone(payment, operation)
    ? null
    : placed(payment, held === 0 ? 'lapsed' : partial ? 'partially_authorized' : 'authorized')
  const facts = held === 0 ? { ...heard.facts, lapsed_at: side.modified_at! } : heard.facts
  return {
    move,
    head: { ...heard, facts, ...freed(payment, operation), ...totals, last_error: null },
    operation: side,
    rows: [...scheduledCapture(payment), ...holdEnd(operation, heard.facts, side.modified_at!)],
  }
}

/** Is this payment still one that an approval belongs to? */
const awaitsMoney = ({ status }: Payment): boolean => statuses[status].is.includes('awaits approval')

/** Money that no payment waits for is given back. */
export const stray = (payment: Payment, operation: Operation, side: Partial<Operation>, outcome: Done): Transition<Payment> => ({
  move: null,
  head: isCurrent(payment, operation.n) ? { connector_transaction_id: outcome.reference } : {},
  operation: side,
  open: { is: 'reversal', verb: (takenOf(payment, outcome)?.amount ?? 0) > 0 ? 'refund' : 'void', alone: false },
})
