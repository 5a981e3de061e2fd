import { refuse } from '../../base/refusal.ts'
import type { Time } from '../../context.ts'
import type { Call } from '../../operations/verb.ts'
import { needStatus } from '../check.ts'
import type { Payment } from '../payment.ts'
import { changePayment, moved } from '../rows.ts'

/** Ends the session of a failed payment, which then cannot be confirmed again (docs/design/retries.md). */
export async function expireSession(call: Call, payment_id: string): Promise<Payment> {
  const { context } = call
  const { payment } = await changePayment(call, payment_id, before => {
    const now = context.now()
    checkExpireSession(before, now)
    return { change: moved(context, before, { ...before, expires_on: now, modified_at: now }, 'session_expired') }
  })
  return payment
}

/** Refuses (IR_16) a payment whose session has ended, or whose status keeps it from being ended. */
export function checkExpireSession(payment: Payment, now: Time): void {
  needStatus(payment, 'expire_session', 'expire the session of')
  if (payment.expires_on <= now) refuse('precondition', { problem: 'The session of this payment has already ended' })
}
