import { refuse } from '../../base/refusal.ts'
import type { Operation } from '../../operations/operation.ts'
import type { Call } from '../../operations/verb.ts'
import { needVerb, performAlone } from '../authorization/open-authorization.ts'
import { needSecondPersonToReturn, needStatus } from '../check.ts'
import type { Payment } from '../payment.ts'
import type { CancelPostCaptureAsk } from '../request-shapes.ts'

/**
 * Cancels a payment after a capture, as a whole, by the processor's own reversal, which also releases what is still
 * held. Until the processor confirms, the status stays (`state_metadata.post_capture_void` shows the progress), and
 * nothing can be captured or refunded.
 */
export const cancelPostCapture = (call: Call, payment_id: string, ask: CancelPostCaptureAsk): Promise<Payment> =>
  performAlone(call, payment_id, 'post_capture_void', 'post_capture_void_sent', before => {
    checkCancelPostCapture(before)
    needSecondPersonToReturn(call, before, before.amount_received)
    const columns = ({ began }: Operation): Partial<Payment> => ({
      adjustments: {
        ...before.adjustments,
        post_capture_void: { status: 'pending', connector_reference_id: null, description: null, updated_at: began },
      },
      cancellation_reason: ask.cancellation_reason ?? null,
    })
    return { amount: before.amount_received, columns }
  })

/** Refuses (IR_16, IR_20, HE_00) a payment that cannot be cancelled after capture as a whole. */
export function checkCancelPostCapture(payment: Payment): void {
  needStatus(payment, 'cancel_post_capture', 'cancel post capture of')
  needVerb(payment, 'post_capture_void')
  if (payment.amount_refunding + payment.amount_refunded + payment.amount_disputed > 0)
    refuse('precondition', { problem: 'This payment cannot be cancelled after capture: it was refunded or disputed, at least in part' })
  if (payment.amount_received === 0)
    refuse('precondition', { problem: 'This payment cannot be cancelled after capture: nothing was captured' })
  if (payment.alone !== null) refuse('busy')
}
