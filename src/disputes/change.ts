import type { EventType } from '../base/event-types.ts'
import type { DisputeReport } from '../connectors/dispute.ts'
import type { Change, Context, RowChange, Time } from '../context.ts'
import type { Payment } from '../payments/payment.ts'
import { initialRowOf, storedMembers } from '../resources/read.ts'
import { type Dispute, disputes, nextDeadlineCheck } from './dispute.ts'
import { disputeFields } from './fields.ts'
import { isKept } from './lifecycle.ts'
import { mergeReport } from './merge.ts'
import { postingOf } from './postings.ts'

/** The changes of one step of a dispute: its row, the totals of its payment, and the event for merchants. */
type Moved = { head: Partial<Payment>; dispute: Dispute; row: RowChange; announces: EventType | null }

/**
 * Moves a dispute to its next state, with the change of its payment. `amount_disputed`: what processors keep because
 * of disputes, temporarily or finally; it cannot be refunded as well. Of a dispute in another currency, the amount in
 * the payment's is unknown: the whole captured amount counts. Pure.
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
  dispute.due_at = nextDeadlineCheck(dispute, now)
  const totals = payment.adjustments?.disputes ?? { count: 0, lost: 0 }
  const count = totals.count + (before ? 0 : 1)
  const lost = totals.lost + lostOf(dispute, amount) - (before ? lostOf(before, before.kept) : 0)
  const goesOn = before?.dispute_status === dispute.dispute_status && before.dispute_stage === dispute.dispute_stage
  return {
    head: {
      amount_disputed: payment.amount_disputed + kept - keptBefore,
      ...((count !== totals.count || lost !== totals.lost) && { adjustments: { ...payment.adjustments, disputes: { count, lost } } }),
    },
    dispute,
    row: { table: disputes.name, before, after: dispute },
    announces: goesOn ? null : dispute.dispute_status,
  }
}

const lostOf = ({ dispute_status }: Dispute, amount: number): number => (dispute_status === 'dispute_lost' ? amount : 0)

/** Plans a step of a dispute. `type`: its name in the history; `announces`: another event than the status's own. */
export function planStep(
  { by }: Pick<Context, 'by'>,
  payment: Payment,
  before: Dispute | null,
  to: Dispute,
  type: string,
  now: Time,
  announces?: EventType | null,
): { dispute: Dispute; change: Change & { after: Payment } } {
  const { head, row, dispute, announces: own } = movedDispute(payment, before, to, now)
  const after = { ...payment, ...head, modified_at: now }
  const posts = postingOf(dispute, after.amount_disputed - payment.amount_disputed, payment.currency)
  const event = { type, announces: announces === undefined ? own : announces }
  return { dispute, change: { head: 'payments', before: payment, after, rows: [row], event, by, ...(posts && { posts }) } }
}

/** The disputed authorization and its account. `is_manual`: the merchant recorded it, no processor reported it. */
type Of = Pick<Dispute, 'attempt_id' | 'authorization_n' | 'connector' | 'merchant_connector_id' | 'is_manual'>

const initialRow = initialRowOf(disputeFields)

/** `report`: the first news. `ask`: the request of a merchant who records the dispute. Pure. */
export const newDispute = (payment: Payment, dispute_id: string, report: DisputeReport, of: Of, now: Time, ask: object = {}): Dispute => ({
  ...initialRow(storedMembers(disputeFields, 'column', ask)),
  ...mergeReport(undefined, report)!,
  ...of,
  merchant_id: payment.merchant_id,
  dispute_id,
  payment_id: payment.payment_id,
  alone: null,
  kept: 0,
  withdrawn_at: null,
  returned_at: null,
  profile_id: payment.profile_id,
  connector_dispute_id: report.reference,
  evidence: null,
  due_at: null,
  created_at: now,
  updated_at: now,
})
