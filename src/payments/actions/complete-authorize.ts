import { refuse } from '../../base/refusal.ts'
import { keepReturn } from '../../operations/customer-return.ts'
import { forceSync } from '../../operations/sync.ts'
import type { Call } from '../../operations/verb.ts'
import { mergedAddress } from '../billing.ts'
import { needStatus } from '../check.ts'
import { ownerOf, type Payment } from '../payment.ts'
import type { CompleteAuthorizeAsk } from '../request-shapes.ts'
import { changePayment, moved, needPayment } from '../rows.ts'
import type { PaymentCaller } from '../terms.ts'
import { nativeOf } from '../three-ds/external-three-ds.ts'
import { storeMethodCompletion } from '../three-ds/native-three-ds.ts'

/**
 * Handles a checkout's report that the customer has finished the challenge. The report is not trusted: the processor is
 * polled, and its answer decides. `shipping`: ignored from a browser if the payment has an address. `otp`,
 * `threeds_method_comp_ind`: stored before the processor, which may need them, is called. Refuses (IR_16) a payment
 * that has ended (contract 3.5).
 */
export async function completeAuthorize(
  call: Call,
  payment_id: string,
  ask: CompleteAuthorizeAsk,
  caller: PaymentCaller['is'],
): Promise<Payment> {
  const { shipping, otp, threeds_method_comp_ind } = ask
  const { context, merchant } = call
  const check = (payment: Payment) => {
    needStatus(payment, 'complete_authorize', 'complete the authorization of')
  }
  if (shipping !== undefined)
    await changePayment(call, payment_id, before => {
      check(before)
      // Amount and taxes were agreed for the address that the payment has.
      if (caller === 'client' && before.request.shipping !== undefined) return { change: null }
      const after: Payment = {
        ...before,
        request: { ...before.request, shipping: mergedAddress(before.request.shipping, shipping) },
        modified_at: context.now(),
      }
      return { change: moved(context, before, after, 'shipping_updated') }
    })
  const payment = await needPayment(context, merchant.merchant_id, payment_id)
  check(payment)
  if (otp !== undefined && payment.next_action?.type !== 'collect_otp')
    refuse('precondition', { problem: 'This payment is not waiting for a one-time password (otp)' })
  if (threeds_method_comp_ind !== undefined && nativeOf(payment)) await storeMethodCompletion(call, payment, threeds_method_comp_ind)
  else if (payment.authorization_request_id !== null && (otp !== undefined || threeds_method_comp_ind !== undefined))
    await keepReturn(context, merchant.merchant_id, payment.authorization_request_id, { otp, threeds_method_comp_ind })
  return payment.status === 'requires_customer_action' || payment.status === 'processing'
    ? forceSync(call, payment, ownerOf(payment))
    : payment
}
