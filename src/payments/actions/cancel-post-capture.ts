import { refuse } from '../../base/refusal.ts'
import { operationRow } from '../../operations/open.ts'
import { perform } from '../../operations/perform.ts'
import type { Call } from '../../operations/verb.ts'
import { needVerb, openOn } from '../authorization/open-authorization.ts'
import { begin, moved } from '../begin-on-payment.ts'
import { refuseStatus } from '../check.ts'
import { allowedStatuses } from '../lifecycle.ts'
import type { Payment } from '../payment.ts'
import type { CancelPostCaptureAsk } from '../request-shapes.ts'
import { needSecondPersonToReturn } from '../second-person.ts'

/**
 * Cancels a payment after a capture, as a whole, by the processor's own reversal, which also releases what is still
 * held. Until the processor confirms, the status stays (`state_metadata.post_capture_void` shows the progress), and
 * nothing can be captured or refunded.
 */
export async function cancelPostCapture(call: Call, payment_id: string, ask: CancelPostCaptureAsk): Promise<Payment> {
  const { context } = call
  const { payment, plan } = await begin(call, payment_id, before => {
    checkCancelPostCapture(before)
    needSecondPersonToReturn(call, before, before.amount_received)
    const operation = openOn(context, before, { verb: 'post_capture_void', amount: before.amount_received })
    const now = operation.began
    const after: Payment = {
      ...before,
      alone: operation.n,
      adjustments: {
        ...before.adjustments,
        post_capture_void: { status: 'pending', connector_reference_id: null, description: null, updated_at: now },
      },
      cancellation_reason: ask.cancellation_reason ?? null,
      operation_count: operation.n,
      last_error: null,
      modified_at: now,
    }
    return { operation, change: moved(context, before, after, 'post_capture_void_sent', { rows: [operationRow(operation)] }) }
  })
  return perform(call, payment, plan.operation)
}

/** Refuses (IR_16, IR_20, HE_00) a payment that cannot be cancelled after capture as a whole. */
export function checkCancelPostCapture(payment: Payment): void {
  if (!allowedStatuses.cancel_post_capture.includes(payment.status))
    refuseStatus(payment, 'cancel post capture of', allowedStatuses.cancel_post_capture)
  needVerb(payment, 'post_capture_void')
  if (payment.amount_refunding + payment.amount_refunded + payment.amount_disputed > 0)
    refuse('precondition', { problem: 'This payment cannot be cancelled after capture: it was refunded or disputed, at least in part' })
  if (payment.amount_received === 0)
    refuse('precondition', { problem: 'This payment cannot be cancelled after capture: nothing was captured' })
  if (payment.alone !== null) refuse('busy')
}
