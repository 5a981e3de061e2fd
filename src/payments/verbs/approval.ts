import type { Money } from '../../base/money.ts'
import { failure } from '../../operations/failure.ts'
import type { Operation } from '../../operations/operation.ts'
import { contradicts, type Done } from '../../operations/operation-patch.ts'
import type { Transition } from '../../operations/verb.ts'
import { authorizationExpiry } from '../authorization/authorization-expiry.ts'
import { statuses } from '../lifecycle.ts'
import { capturesAtOnce, type Payment, takesAtOnce } from '../payment.ts'
import { scheduledCapture } from '../scheduled/scheduled-captures.ts'
import { freed, ifAllowed, isBeingUndone, isCurrent } from './moves.ts'

/** The effect of an authorization's approval on its payment: the amounts held, captured and returned. Pure. */

/** Returns the money captured with an approval: as reported, or as requested. */
export const capturedMoney = (payment: Payment, { amount, captured }: Done): Money | null =>
  captured === 'as asked' ? (takesAtOnce(payment) ? amount : null) : captured

/** An approval may be of less, but nothing may be captured beyond it. */
export function contradictsIn(payment: Payment) {
  return (operation: Operation, outcome: Done): boolean => {
    const { amount, currency } = outcome.amount
    const captured = capturedMoney(payment, outcome)
    if (captured && (captured.currency !== currency || captured.amount > amount)) return true
    return contradicts(operation, outcome) || amount > operation.amount || (amount <= 0 && operation.amount !== 0)
  }
}

/** Applies the approval of the payment's current authorization. */
export function applyApproval(payment: Payment, operation: Operation, outcome: Done, side: Partial<Operation>): Transition<Payment> | null {
  const authorized = outcome.amount.amount
  const captured = capturedMoney(payment, outcome)?.amount ?? 0
  const partial = authorized < operation.amount
  const reported = { facts: { ...payment.facts, ...outcome.facts }, connector_transaction_id: outcome.reference, next_action: null }
  // The approval is already in the books: the operation was read before it was settled.
  if (payment.amount_authorized > 0) return null
  // The approval arrives after the payment ended without it: the money is returned.
  if (!awaitsMoney(payment)) {
    // Our own void has released this approval, and only the news is late; unless the void had found nothing.
    if (payment.status === 'cancelled' && captured === 0 && !payment.facts?.voided_nothing) return { move: null, head: {}, operation: side }
    return stray(payment, operation, side, outcome)
  }
  if (partial && payment.request.enable_partial_authorization !== true) {
    return {
      move: payment.status === 'requires_customer_action' ? 'reversal_sent' : null,
      head: { ...reported, last_error: failure.partialApproval(authorized, operation) },
      operation: side,
      open: { is: 'reversal', alone: true, ...givingBack(captured) },
    }
  }
  // This also applies to a hold that the processor captured by itself, though a capture was to follow.
  if (takesAtOnce(payment) || (capturesAtOnce(payment) && captured > 0)) {
    if (captured !== authorized) {
      const move = ifAllowed(payment, 'customer_returned')
      if (!move && operation.state === 'waiting') return null
      return { move, head: reported, operation: { ...side, state: 'waiting', poll_at: operation.poll_at ?? side.modified_at! } }
    }
    const totals = { amount_authorized: authorized, amount_received: captured, amount_capturable: 0 }
    return {
      move: ifAllowed(payment, partial ? 'captured_in_part' : 'captured'),
      head: { ...reported, ...freed(payment, operation), ...totals, last_error: null },
      operation: side,
    }
  }
  // A capture that nothing here asked for, of a hold whose approval is late: the comparison of the whole books it.
  const byOthers = capturesAtOnce(payment) ? 0 : captured
  const taken = captured - byOthers
  const held = Math.min((outcome.capturable?.amount ?? authorized) + byOthers, authorized - taken)
  const totals = { amount_authorized: authorized, amount_capturable: held, amount_received: taken }
  if (capturesAtOnce(payment) && held > 0 && !isBeingUndone(payment, operation))
    return {
      move: ifAllowed(payment, 'customer_returned'),
      head: { ...reported, ...freed(payment, operation), ...totals, amount_capturable: 0, amount_capturing: held, last_error: null },
      operation: side,
      open: { is: 'capture', amount: held },
    }
  // A void is under way: its answer decides.
  const move = isBeingUndone(payment, operation)
    ? null
    : ifAllowed(payment, held === 0 ? 'lapsed' : partial ? 'partially_authorized' : 'authorized')
  const facts = held === 0 ? { ...reported.facts, lapsed_at: side.modified_at! } : reported.facts
  return {
    move,
    head: { ...reported, facts, ...freed(payment, operation), ...totals, last_error: null },
    operation: side,
    rows: [...scheduledCapture(payment), ...authorizationExpiry(operation, reported.facts, side.modified_at!)],
  }
}

/** A hold is voided. What was captured is refunded; if others captured only a part, the rest of the hold expires. */
const givingBack = (captured: number) => (captured > 0 ? ({ verb: 'refund', amount: captured } as const) : ({ verb: 'void' } as const))

/** Whether the payment still expects an approval. */
const awaitsMoney = ({ status }: Payment): boolean => statuses[status].traits.includes('awaits approval')

/** Opens the reversal of money that no payment expects. */
export const stray = (payment: Payment, operation: Operation, side: Partial<Operation>, outcome: Done): Transition<Payment> => ({
  move: null,
  head: isCurrent(payment, operation.n) ? { connector_transaction_id: outcome.reference } : {},
  operation: side,
  open: { is: 'reversal', alone: false, ...givingBack(capturedMoney(payment, outcome)?.amount ?? 0) },
})
