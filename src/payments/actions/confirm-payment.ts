import { withInlineAccount } from '../authorization/payment-credentials.ts'
import { checkConfirmable } from '../authorization/retry-target.ts'
import type { Payment } from '../payment.ts'
import { type PaymentPlan, planPayment } from '../plan/plan-payment.ts'
import { wantedByConfirm } from '../plan/wanted-payment.ts'
import { performPlan, writePlan } from '../plan/write-plan.ts'
import type { ConfirmBody, UpdateBody } from '../request-shapes.ts'
import { changePayment } from '../rows.ts'
import type { UseCaseCall } from '../services.ts'
import { checkClaims, confirmTerms, type PaymentCaller, type PaymentTerms } from '../terms.ts'

/**
 * Confirms a payment: authorizes it with the instrument in this request, or the stored one. Refuses (IR_16) a status
 * that awaits no confirmation, and a browser after too many failed tries. A blocked instrument fails the payment.
 */
export async function confirmPayment(
  call: UseCaseCall,
  payment_id: string,
  ask: ConfirmBody | UpdateBody,
  caller: PaymentCaller,
): Promise<Payment> {
  const terms = confirmTerms(call, ask, caller)
  const { payment, plan } = await changePayment(call, payment_id, before => planned(call, before, terms, caller), writePlan)
  return performPlan(plan, payment)
}

async function planned(outerCall: UseCaseCall, before: Payment, given: PaymentTerms, caller: PaymentCaller): Promise<PaymentPlan> {
  checkClaims(given.claims, before)
  checkConfirmable(outerCall.merchant, before, outerCall.context.now(), caller.is === 'client' && caller.ours)
  const { call, terms } = await withInlineAccount(outerCall, given, before)
  return planPayment(call, before, wantedByConfirm(call.merchant, before, terms, caller), terms, caller, true)
}
