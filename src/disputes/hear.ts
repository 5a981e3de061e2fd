import { newId } from '../base/id.ts'
import type { DisputeSaid } from '../connectors/dispute.ts'
import { screened } from '../connectors/screen.ts'
import { screenOf } from '../operations/names.ts'
import type { Operation } from '../operations/operation.ts'
import type { Call } from '../operations/verb.ts'
import type { Payment } from '../payments/payment.ts'
import { needPayment } from '../payments/plan.ts'
import { changeOf, movedDispute } from './change.ts'
import { type Dispute, findDisputeCalled } from './dispute.ts'
import { mergeNews } from './merge.ts'

/**
 * The one door for news of disputes: webhooks, `force_sync`, the look at a deadline. A dispute that nobody knew
 * begins with it. Whatever comes, in whatever order and however often, ends in the same state (`merge.ts`).
 * `operation`: of the payment, the one that the processor names.
 */
export async function hearOfDispute(call: Call, operation: Operation, told: DisputeSaid): Promise<void> {
  const { context } = call
  const { merchant_id, object_id } = operation
  for (;;) {
    // The dispute after its payment: a change is guarded by the payment's version, so what is newer only makes it
    // conflict.
    const payment = await needPayment(context, merchant_id, object_id)
    const said = screened(told, screenOf(call, payment, operation))
    const before = await findDisputeCalled(context, operation, said.reference)
    const news = mergeNews(before, said)
    if (!news) return
    const now = context.now()
    const to: Dispute = before ? { ...before, ...news, is_manual: false } : { ...begun(call, payment, operation, said), ...news }
    const change = changeOf(
      payment,
      movedDispute(payment, before ?? null, to, now),
      before ? 'dispute_told' : 'dispute_begun',
      context.by,
      now,
    )
    // A conflict says that somebody else got on.
    if ((await context.commit(change)).is === 'written') return
  }
}

/** One that the processor tells of first. */
function begun(
  { context }: Call,
  payment: Payment,
  operation: Operation,
  said: DisputeSaid,
): Omit<Dispute, keyof ReturnType<typeof mergeNews> & string> {
  const now = context.now()
  return {
    merchant_id: payment.merchant_id,
    dispute_id: newId(context, 'dp_'),
    payment_id: payment.payment_id,
    attempt_id: `${payment.payment_id}_${operation.attempt}`,
    authorization_n: operation.acts_on ?? operation.n,
    alone: null,
    kept: 0,
    withdrawn_at: null,
    returned_at: null,
    profile_id: payment.profile_id,
    connector: operation.connector,
    merchant_connector_id: operation.merchant_connector_id,
    connector_dispute_id: said.reference,
    is_manual: false,
    transition_reason: null,
    evidence: null,
    due_at: null,
    created_at: now,
    updated_at: now,
  } as Omit<Dispute, never>
}
