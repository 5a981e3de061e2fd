import { openBrowserTry } from '../authorization/card-testing-tries.ts'
import { withInlineAccount } from '../authorization/payment-credentials.ts'
import { checkConfirmable } from '../authorization/retries.ts'
import { begin } from '../begin-on-payment.ts'
import type { Payment } from '../payment.ts'
import type { ConfirmBody, UpdateBody } from '../request-shapes.ts'
import type { StoryCall } from '../services.ts'
import { planTaking, type Taking } from '../taking/plan-taking.ts'
import { wantedByConfirm } from '../taking/wanted-payment.ts'
import { performTaking, writeTaking } from '../taking/write-taking.ts'
import { checkClaims, confirmTerms, type PaymentCaller, type PaymentTerms } from '../terms.ts'

/**
 * Confirms a payment: authorizes it with the instrument in this request, or with the one stored before. Refuses
 * (IR_16) any status that does not await a confirmation, and a browser with too many failed tries. An instrument on
 * the blocklist fails the payment: nothing is sent.
 */
export async function confirmPayment(
  call: StoryCall,
  payment_id: string,
  ask: ConfirmBody | UpdateBody,
  asker: PaymentCaller,
): Promise<Payment> {
  const terms = confirmTerms(call, ask, asker)
  const browser = asker.is === 'client' ? openBrowserTry(call) : null
  try {
    const { payment, plan } = await begin(
      call,
      payment_id,
      before => planned(call, before, terms, asker),
      taking => writeTaking(taking, taking.change, browser),
    )
    return await performTaking(plan, payment)
  } finally {
    browser?.leave()
  }
}

async function planned(storyCall: StoryCall, before: Payment, given: PaymentTerms, asker: PaymentCaller): Promise<Taking> {
  checkClaims(given.claims, before)
  checkConfirmable(storyCall.merchant, before, storyCall.context.now())
  const { call, terms } = await withInlineAccount(storyCall, given, before)
  return planTaking(call, before, wantedByConfirm(call.merchant, before, terms, asker), terms, asker, true)
}
