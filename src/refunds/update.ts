import { checkAll, refuse } from '../base/refusal.ts'
import type { Call } from '../operations/verb.ts'
import type { Payment } from '../payments/payment.ts'
import { changePayment, moved } from '../payments/rows.ts'
import { checksOfFields, storedMembers } from '../resources/read.ts'
import { checkReason } from './check.ts'
import { refundFields } from './fields.ts'
import { needRefund, type Refund, type RefundUpdateAsk, refunds } from './refund.ts'

/**
 * Replaces a refund's reason or metadata, in any status and without an event; the processor keeps the reason that was
 * sent. A refund's history is part of its payment's history, so the payment changes with it.
 */
export async function updateRefund(call: Call, refund_id: string, ask: RefundUpdateAsk): Promise<Refund> {
  const { context, merchant } = call
  const { refund_id: named = refund_id, ...changes } = ask
  if (named !== refund_id) refuse('malformed', { field: 'refund_id', expected: `${refund_id}, as in the path` })
  checkAll(checksOfFields(refundFields, changes, merchant))
  const { payment_id } = await needRefund(context, merchant.merchant_id, refund_id)
  const { plan } = await changePayment(call, payment_id, async (before: Payment) => {
    const was = await needRefund(context, merchant.merchant_id, refund_id)
    checkReason(was.connector, ask.reason)
    const now = context.now()
    const refund: Refund = { ...was, ...storedMembers(refundFields, 'column', changes), updated_at: now }
    const rows = [{ table: refunds.name, before: was, after: refund }]
    return { refund, change: moved(context, before, { ...before, modified_at: now }, 'refund_updated', { rows }) }
  })
  return plan.refund
}
