import { refuse } from '../../base/refusal.ts'
import type { Call } from '../../operations/verb.ts'
import { needVerb, performAlone } from '../authorization/open-authorization.ts'
import { needStatus } from '../check.ts'
import type { Payment } from '../payment.ts'

/**
 * Extends a hold; `capture_before` shows until when, if the processor reports it. The processor decides: the extension
 * need not have been announced (`request_extended_authorization`).
 */
export const extendAuthorization = (call: Call, payment_id: string): Promise<Payment> =>
  performAlone(call, payment_id, 'extend', 'extend_sent', before => {
    checkExtend(before)
    return { amount: before.amount_capturable }
  })

/** Refuses (IR_16, IR_20, HE_00) a payment whose hold cannot be extended. */
export function checkExtend(payment: Payment): void {
  needStatus(payment, 'extend_authorization', 'extend the authorization of')
  needVerb(payment, 'extend')
  if (payment.alone !== null) refuse('busy')
}
