import { canonical } from '../base/canonical.ts'
import { createdBefore } from '../operations/insert.ts'
import type { Call } from '../operations/verb.ts'
import { begin } from '../payments/begin-on-payment.ts'
import { performPlan, planRefund, type RefundPlan } from './plan.ts'
import { findRefund, type Refund, type RefundBody } from './refund.ts'

/**
 * Refunds a captured payment, fully or in part. The amount is reserved on the payment's row before the processor is
 * called, or the caller answered (`refund_type: scheduled`, `send-later.ts`): refunds never exceed the captured
 * amount, however many are requested at once. A `refund_id` makes the request idempotent: the same body again returns
 * the stored refund, another body is refused (HE_01).
 */
export async function createRefund(call: Call, ask: RefundBody): Promise<Refund> {
  const { context, merchant } = call
  const body_digest = context.vault.digest('refund body', canonical(ask))
  const find = (id: string) => findRefund(context, merchant.merchant_id, id)
  const { payment, plan } = await begin(call, ask.payment_id, async (before): Promise<RefundPlan> => {
    const existing = await createdBefore(body_digest, { what: 'refund', id: ask.refund_id }, find)
    return existing ? { refund: existing, operation: null, change: null } : planRefund(call, before, ask, body_digest)
  })
  return performPlan(call, plan, payment)
}
