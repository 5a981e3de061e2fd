import { newId } from '../base/id.ts'
import type { DisputeReport } from '../connectors/dispute.ts'
import { Unscreened } from '../connectors/redaction/card-numbers.ts'
import type { Context, Time } from '../context.ts'
import type { Operation } from '../operations/operation.ts'
import { screenOf } from '../operations/references.ts'
import type { Call } from '../operations/verb.ts'
import type { Payment } from '../payments/payment.ts'
import { needPayment } from '../payments/rows.ts'
import { newDispute, planStep } from './change.ts'
import { type Dispute, findDisputeByReference } from './dispute.ts'
import { mergeReport } from './merge.ts'

/**
 * Applies news of a dispute from any source (webhooks, `force_sync`, the look at a deadline), in any order and
 * repeatedly (`merge.ts`); news of an unknown dispute creates it. `operation`: the one that the processor names.
 */
export async function applyDisputeReport(call: Call, operation: Operation, received: DisputeReport): Promise<void> {
  const { context } = call
  const { merchant_id, object_id } = operation
  for (;;) {
    // Read after its payment, whose version guards the change: if the dispute changed in between, the write conflicts.
    const payment = await needPayment(context, merchant_id, object_id)
    const report = new Unscreened(received).screened(screenOf(call, payment, operation))
    const before = await findDisputeByReference(context, operation, report.reference)
    const merged = mergeReport(before, report)
    if (!merged) return
    const now = context.now()
    const to: Dispute = before ? { ...before, ...merged, is_manual: false } : begun(context, payment, operation, report, now)
    const { change } = planStep(context, payment, before ?? null, to, before ? 'dispute_updated' : 'dispute_begun', now)
    if ((await context.commit(change)).is === 'written') return
  }
}

const begun = (context: Context, payment: Payment, operation: Operation, report: DisputeReport, now: Time): Dispute => {
  const { connector, merchant_connector_id } = operation
  const attempt_id = `${payment.payment_id}_${operation.attempt}`
  const of = { attempt_id, authorization_n: operation.acts_on ?? operation.n, connector, merchant_connector_id, is_manual: false }
  return newDispute(payment, newId(context, 'dp_'), report, of, now)
}
