import { Refusal } from '../../base/refusal.ts'
import { claimed } from '../../database/due.ts'
import { statement } from '../../database/statement.ts'
import type { Call, JobContext } from '../../operations/verb.ts'
import { capturePayment } from '../actions/capture-payment.ts'
import { welcomes } from '../lifecycle.ts'
import type { Payment } from '../payment.ts'
import { findPayment } from '../rows.ts'
import { type ScheduledCapture, scheduledCaptures } from './scheduled-captures.ts'

/** Holds whose capture is due. A claim whose process died falls due again. */
export const captureAlarms = claimed(scheduledCaptures, { when: 'capture_at', gives: ['merchant_id', 'payment_id'], asksProcessor: true })

type Alarm = Pick<ScheduledCapture, 'merchant_id' | 'payment_id'>

const forget = statement('forget_scheduled_capture', 'delete from scheduled_captures where merchant_id = $1 and payment_id = $2')

/**
 * The time of a capture has come. Beginning it deletes the alarm in the same change, so it is asked for once; while
 * something else is under way for the payment the alarm stays, and rings again. A capture or cancel in the meantime
 * makes it pointless.
 */
export async function captureScheduled({ context, services, settings }: JobContext, { merchant_id, payment_id }: Alarm): Promise<void> {
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
    // Another request was first, or is in progress: the next ring sees.
    context.log.warn({ err: error, merchant_id, payment_id }, 'a scheduled capture was refused')
  }
}

const isHeld = ({ status, amount_capturable }: Payment): boolean => welcomes.lapse.includes(status) && amount_capturable > 0
