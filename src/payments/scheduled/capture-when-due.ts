import { Refusal } from '../../base/refusal.ts'
import { claimed } from '../../database/due.ts'
import { statement } from '../../database/statement.ts'
import type { Call, JobContext } from '../../operations/verb.ts'
import { capturePayment } from '../actions/capture-payment.ts'
import { allowedStatuses } from '../lifecycle.ts'
import type { Payment } from '../payment.ts'
import { findPayment } from '../rows.ts'
import { type ScheduledCapture, scheduledCaptures } from './scheduled-captures.ts'

/** Holds whose capture is due. A claim falls due again if its process died. */
export const dueCaptures = claimed(scheduledCaptures, { when: 'capture_at', gives: ['merchant_id', 'payment_id'], asksProcessor: true })

type Job = Pick<ScheduledCapture, 'merchant_id' | 'payment_id'>

const forget = statement('forget_scheduled_capture', 'delete from scheduled_captures where merchant_id = $1 and payment_id = $2')

/**
 * Captures a hold at its scheduled time. The beginning of the capture deletes the job in the same change, so only one
 * capture is made. While another operation is under way, the job stays and falls due again.
 */
export async function captureScheduled({ context, services, settings }: JobContext, { merchant_id, payment_id }: Job): Promise<void> {
  const [merchant, payment] = await Promise.all([settings.merchant(merchant_id), findPayment(context, merchant_id, payment_id)])
  const waits = payment !== undefined && (payment.status === 'processing' || isHeld(payment))
  if (!merchant || !waits) {
    await context.query(forget, [merchant_id, payment_id])
    return
  }
  if (!isHeld(payment) || payment.alone !== null) return
  const call: Call = { context, services, merchant }
  const amount_to_capture = Math.min(payment.request.amount_to_capture ?? payment.amount_capturable, payment.amount_capturable)
  try {
    await capturePayment(call, payment_id, { amount_to_capture })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // Another request was first, or is in progress: the job falls due again and checks.
    context.log.warn({ err: error, merchant_id, payment_id }, 'a scheduled capture was refused')
  }
}

const isHeld = ({ status, amount_capturable }: Payment): boolean => allowedStatuses.lapse.includes(status) && amount_capturable > 0
