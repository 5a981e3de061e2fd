import { withInlineAccount } from '../authorization/payment-credentials.ts'
import { checkNoThreeDsResult, needStatus } from '../check.ts'
import type { Payment } from '../payment.ts'
import { type PaymentPlan, planPayment } from '../plan/plan-payment.ts'
import { wantedByUpdate } from '../plan/wanted-payment.ts'
import { writePlan } from '../plan/write-plan.ts'
import type { UpdateBody } from '../request-shapes.ts'
import { changePayment } from '../rows.ts'
import type { UseCaseCall } from '../services.ts'
import { checkClaims, confirmTerms, type PaymentCaller, type PaymentTerms } from '../terms.ts'
import { confirmPayment } from './confirm-payment.ts'

/**
 * Updates a payment before anything was sent to a processor; with `confirm: true` confirms it too. An instrument is
 * chosen for the terms that it is sent with: an update without one leaves the payment waiting for one, unless it sends
 * `confirm: false`. A confirm may still use the stored instrument (contract 3.2). Refuses (IR_16) other statuses, and
 * (403, IR_22) members that the caller may not set.
 */
export async function updatePayment(call: UseCaseCall, payment_id: string, ask: UpdateBody, caller: PaymentCaller): Promise<Payment> {
  const { confirm } = ask
  if (confirm === true) return confirmPayment(call, payment_id, ask, caller)
  const terms = confirmTerms(call, ask, caller)
  checkNoThreeDsResult(terms.threeDsResult)
  const { payment } = await changePayment(call, payment_id, before => planned(call, before, terms, caller, confirm), writePlan)
  return payment
}

async function planned(
  outerCall: UseCaseCall,
  before: Payment,
  given: PaymentTerms,
  caller: PaymentCaller,
  confirm: false | undefined,
): Promise<PaymentPlan> {
  checkClaims(given.claims, before)
  checkUpdatable(before)
  const { call, terms } = await withInlineAccount(outerCall, given, before)
  return planPayment(call, before, wantedByUpdate(call.merchant, before, terms, caller), terms, caller, confirm)
}

/** Refuses (IR_16) a payment that was already sent to a processor. */
export function checkUpdatable(payment: Payment): void {
  needStatus(payment, 'update', 'update')
}
