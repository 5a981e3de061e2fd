import { newId } from '../base/id.ts'
import type { DisputeReport } from '../connectors/dispute.ts'
import { Unscreened } from '../connectors/redaction/card-numbers.ts'
import type { Context, Time } from '../context.ts'
import type { Operation } from '../operations/operation.ts'
import { screenOf } from '../operations/references.ts'
import type { Call } from '../operations/verb.ts'
import { needPayment } from '../payments/begin-on-payment.ts'
import type { Payment } from '../payments/payment.ts'
import { newDispute } from './begin.ts'
import { changeOf, movedDispute } from './change.ts'
import { type Dispute, findDisputeCalled } from './dispute.ts'
import { mergeReport } from './merge.ts'

/**
 * Applies news of a dispute. It is the only entry point for such news: from webhooks, from `force_sync`, and from the
 * look at a deadline. News of an unknown dispute creates it. News in any order, and repeated news, leads to the same
 * state (`merge.ts`). `operation`: the operation of the payment that the processor names.
 */
export async function applyDisputeReport(call: Call, operation: Operation, received: DisputeReport): Promise<void> {
  const { context } = call
  const { merchant_id, object_id } = operation
  for (;;) {
    // The dispute is read after its payment. A change is guarded by the payment's version; if the dispute changed in
    // between, the write conflicts.
    const payment = await needPayment(context, merchant_id, object_id)
    const report = new Unscreened(received).screened(screenOf(call, payment, operation))
    const before = await findDisputeCalled(context, operation, report.reference)
    const merged = mergeReport(before, report)
    if (!merged) return
    const now = context.now()
    const to: Dispute = before ? { ...before, ...merged, is_manual: false } : begun(context, payment, operation, report, now)
    const change = changeOf(
      payment,
      movedDispute(payment, before ?? null, to, now),
      before ? 'dispute_updated' : 'dispute_begun',
      context.by,
      now,
    )
    // A conflict means a concurrent change.
    if ((await context.commit(change)).is === 'written') return
  }
}

/** Builds a dispute that the processor reports for the first time. */
const begun = (context: Context, payment: Payment, operation: Operation, report: DisputeReport, now: Time): Dispute => {
  const { connector, merchant_connector_id } = operation
  const attempt_id = `${payment.payment_id}_${operation.attempt}`
  const of = { attempt_id, authorization_n: operation.acts_on ?? operation.n, connector, merchant_connector_id, is_manual: false }
  return newDispute(payment, newId(context, 'dp_'), report, of, now)
}
