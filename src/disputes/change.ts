import type { Change, Posting, RowChange, Time } from '../context.ts'
import type { Payment } from '../payments/payment.ts'
import { type Dispute, disputes, nextLook } from './dispute.ts'
import { isKept } from './lifecycle.ts'

/** What a step of a dispute changes: its row, the totals of its payment, and what merchants hear. */
export type Moved = { head: Partial<Payment>; dispute: Dispute; row: RowChange; announces: string | null }

/**
 * A dispute as it is to be from now on, and what that makes of its payment: `amount_disputed` is what processors keep
 * of it, for a while or for good, and nothing of that is refunded as well. For a dispute in another currency than the
 * payment's the amount is not known: so all that was captured counts. Pure.
 */
export function movedDispute(payment: Payment, before: Dispute | null, to: Dispute, now: Time): Moved {
  const amount = to.currency === payment.currency ? to.amount : payment.amount_received
  const kept = isKept(to) ? amount : 0
  const keptBefore = before?.kept ?? 0
  const dispute: Dispute = {
    ...to,
    kept,
    withdrawn_at: kept > 0 && keptBefore === 0 ? now : to.withdrawn_at,
    returned_at: kept > 0 ? null : keptBefore > 0 ? now : to.returned_at,
    updated_at: now,
  }
  dispute.due_at = nextLook(dispute, now)
  const told = payment.adjustments?.disputes ?? { count: 0, lost: 0 }
  const count = told.count + (before ? 0 : 1)
  const lost = told.lost + lostOf(dispute, amount) - (before ? lostOf(before, before.kept) : 0)
  const goesOn = before?.dispute_status === dispute.dispute_status && before.dispute_stage === dispute.dispute_stage
  return {
    head: {
      amount_disputed: payment.amount_disputed + kept - keptBefore,
      ...((count !== told.count || lost !== told.lost) && { adjustments: { ...payment.adjustments, disputes: { count, lost } } }),
    },
    dispute,
    row: { table: disputes.name, before, after: dispute },
    announces: goesOn ? null : dispute.dispute_status,
  }
}

const lostOf = ({ dispute_status }: Dispute, amount: number): number => (dispute_status === 'dispute_lost' ? amount : 0)

/** The same as a change of the payment. `type`: what its history calls it. */
export function changeOf(
  payment: Payment,
  { head, row, dispute, announces }: Moved,
  type: string,
  by: string,
  now: Time,
): Change & { after: Payment } {
  const after = { ...payment, ...head, modified_at: now }
  const posts = postingOf(dispute, after.amount_disputed - payment.amount_disputed, payment.currency)
  return { head: 'payments', before: payment, after, rows: [row], event: { type, announces }, by, ...(posts && { posts }) }
}

/**
 * What is withdrawn with it, or returned; by the processor's name of the dispute, because the service did not request
 * it.
 */
function postingOf(dispute: Dispute, withdrawn: number, currency: string): Posting | undefined {
  if (withdrawn === 0) return undefined
  const { profile_id, merchant_connector_id, connector_dispute_id: request_id } = dispute
  return { request_id, profile_id, merchant_connector_id, currency, entries: { processor: -withdrawn, disputes: withdrawn } }
}
