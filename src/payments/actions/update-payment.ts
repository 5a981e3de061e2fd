import { brings } from '../authorization/payment-credentials.ts'
import { begin } from '../begin-on-payment.ts'
import { checkNoThreeDsResult, refuseStatus } from '../check.ts'
import { welcomes } from '../lifecycle.ts'
import type { Payment } from '../payment.ts'
import type { UpdateBody } from '../request-shapes.ts'
import type { StoryCall } from '../services.ts'
import { planTaking, type Taking } from '../taking/plan-taking.ts'
import { wantedByUpdate } from '../taking/wanted-payment.ts'
import { writeTaking } from '../taking/write-taking.ts'
import { checkClaims, confirmTerms, type PaymentCaller, type PaymentTerms } from '../terms.ts'
import { confirmPayment } from './confirm-payment.ts'

/**
 * Says anew what a payment is, while nothing was sent for it. `confirm: true` confirms it in the same call. What it
 * is to be paid with is confirmed as it stands when it is sent, so an update that brings nothing to pay with leaves
 * the payment waiting for it, unless it says `confirm: false`; what was kept is kept, and a confirm may use it
 * (contract 3.2). Refuses (IR_16) in any status but the first two, and (403, IR_22) what its asker may not say.
 */
export async function updatePayment(call: StoryCall, payment_id: string, ask: UpdateBody, asker: PaymentCaller): Promise<Payment> {
  const { confirm } = ask
  if (confirm === true) return confirmPayment(call, payment_id, ask, asker)
  const terms = confirmTerms(call, ask, asker)
  checkNoThreeDsResult(terms.threeDsResult)
  const { payment } = await begin(call, payment_id, before => planned(call, before, terms, asker, confirm), writeTaking)
  return payment
}

async function planned(
  storyCall: StoryCall,
  before: Payment,
  said: PaymentTerms,
  asker: PaymentCaller,
  confirm: false | undefined,
): Promise<Taking> {
  checkClaims(said.claims, before)
  checkUpdatable(before)
  const { call, terms } = await brings(storyCall, said, before)
  return planTaking(call, before, wantedByUpdate(call.merchant, before, terms, asker), terms, asker, confirm)
}

/** Refuses (IR_16) what was sent already. */
export function checkUpdatable(payment: Payment): void {
  if (!welcomes.update.includes(payment.status)) refuseStatus(payment, 'update', welcomes.update)
}
