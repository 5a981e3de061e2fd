import Type from 'typebox'
import { refuse } from '../base/refusal.ts'
import { boundedText, shortText, strictObject } from '../base/shapes.ts'
import { approvedManually, declinedManually, declineMembers, resolveManually } from '../operations/manual-resolution.ts'
import { findOperations } from '../operations/operation.ts'
import type { Call } from '../operations/verb.ts'
import { PAYMENT } from '../payments/payment.ts'
import { needRefund, type Refund } from './refund.ts'

export const manualRefundShape = strictObject({
  refund_id: Type.Optional(boundedText(64)),
  merchant_id: boundedText(64),
  status: Type.Enum(['success', 'succeeded', 'failure', 'failed'], { description: 'Result at the processor' }),
  ...declineMembers,
  connector_refund_id: Type.Optional(shortText),
})
type Ask = Type.Static<typeof manualRefundShape>

/** Applies an operator's decision about a refund. Refuses (IR_16) one that has ended, or was not sent yet. */
export async function updateRefundByHand(call: Call, refund_id: string, ask: Ask): Promise<Refund> {
  const { context, merchant } = call
  const { merchant_id } = merchant
  if (ask.refund_id !== undefined && ask.refund_id !== refund_id)
    refuse('precondition', { problem: 'refund_id in the body differs from the one in the path' })
  const { payment_id } = await needRefund(context, merchant_id, refund_id)
  const all = await findOperations(context, { merchant_id, kind: PAYMENT, object_id: payment_id })
  const operation =
    all.findLast(one => one.refund_id === refund_id) ??
    refuse('precondition', { problem: 'The refund has not been sent to the processor yet' })
  const happened = ask.status === 'success' || ask.status === 'succeeded'
  const outcome = happened ? approvedManually(operation, ask.connector_refund_id, false) : declinedManually(operation, ask)
  await resolveManually(call, operation, outcome, ask)
  return needRefund(context, merchant_id, refund_id)
}
