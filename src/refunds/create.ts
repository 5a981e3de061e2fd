import { canonical } from '../base/canonical.ts'
import { newResourceId } from '../base/id.ts'
import { checkAll } from '../base/refusal.ts'
import type { Change } from '../context.ts'
import { createdBefore } from '../operations/begin.ts'
import { operationRow } from '../operations/open.ts'
import type { Operation } from '../operations/operation.ts'
import type { Call } from '../operations/verb.ts'
import { performOn } from '../payments/authorization/moved-outside.ts'
import { openOn } from '../payments/authorization/open-authorization.ts'
import { checkCredentials } from '../payments/authorization/payment-credentials.ts'
import { needSecondPersonToReturn } from '../payments/check.ts'
import type { Payment } from '../payments/payment.ts'
import { changePayment, moved } from '../payments/rows.ts'
import { checksOfFields, storedMembers } from '../resources/read.ts'
import { checkReason, checkRefund, checkSplitBack } from './check.ts'
import { refundFields } from './fields.ts'
import { findRefund, initialRefund, type Refund, type RefundBody } from './refund.ts'
import { scheduledRefund } from './send-later.ts'

/** The plan of a refund: one change of its payment, and the operation to send; null if nothing is sent now. */
type RefundPlan = { refund: Refund; operation: Operation | null; change: (Change & { after: Payment }) | null }

/**
 * Refunds a captured payment, fully or in part. The amount is reserved on the payment's row before the processor is
 * called, or the caller answered (`refund_type: scheduled`, `send-later.ts`): refunds never exceed the captured
 * amount, however many are requested at once. A `refund_id` makes the request idempotent: the same body again returns
 * the stored refund, another body is refused (HE_01).
 */
export async function createRefund(call: Call, ask: RefundBody): Promise<Refund> {
  const body_digest = call.context.vault.digest('refund body', canonical(ask))
  const { payment, plan } = await changePayment(call, ask.payment_id, before => planRefund(call, before, ask, body_digest))
  const { refund, operation } = plan
  if (!operation) return refund
  await performOn(call, payment, operation, { companionRow: refund })
  return (await findRefund(call.context, refund.merchant_id, refund.refund_id)) ?? refund
}

/** `body_digest`: recognizes the same request under the same refund_id. */
async function planRefund(call: Call, before: Payment, ask: RefundBody, body_digest: string): Promise<RefundPlan> {
  const { context, merchant } = call
  const find = (id: string) => findRefund(context, merchant.merchant_id, id)
  const existing = await createdBefore(body_digest, { what: 'refund', id: ask.refund_id }, find)
  if (existing) return { refund: existing, operation: null, change: null }
  const refund_id = ask.refund_id ?? newResourceId(context, 'ref_')
  checkAll(checksOfFields(refundFields, ask, merchant))
  checkCredentials(merchant, before, ask.merchant_connector_details)
  const amount = checkRefund(context, before, ask)
  needSecondPersonToReturn(call, before, amount)
  const operation = openOn(context, before, { verb: 'refund', amount, refund_id })
  checkReason(operation.connector, ask.reason)
  checkSplitBack(before, amount, ask.split_refunds)
  const isLater = ask.refund_type === 'scheduled'
  const now = operation.began
  const refund: Refund = {
    ...initialRefund(storedMembers(refundFields, 'column', ask)),
    merchant_id: before.merchant_id,
    refund_id,
    payment_id: before.payment_id,
    n: operation.n,
    origin: null,
    amount,
    currency: before.currency,
    profile_id: before.profile_id,
    connector: operation.connector,
    merchant_connector_id: operation.merchant_connector_id,
    arn: null,
    fee: null,
    last_error: null,
    body_digest,
    created_at: now,
    updated_at: now,
  }
  const after: Payment = {
    ...before,
    amount_refunding: before.amount_refunding + amount,
    refund_count: before.refund_count + 1,
    operation_count: operation.n,
    modified_at: now,
  }
  const rows = [{ table: 'refunds', before: null, after: refund }, isLater ? scheduledRefund(refund, now) : operationRow(operation)]
  const change = moved(context, before, after, isLater ? 'refund_scheduled' : 'refund_sent', { rows })
  return { refund, operation: isLater ? null : operation, change }
}
