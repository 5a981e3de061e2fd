import { createdBefore, insertHead } from '../../operations/begin.ts'
import { checkNotAtOnce } from '../authorization/installments.ts'
import { withInlineAccount } from '../authorization/payment-credentials.ts'
import { checkNoThreeDsResult } from '../check.ts'
import type { Payment } from '../payment.ts'
import { newPayment } from '../plan/new-payment.ts'
import { planPayment } from '../plan/plan-payment.ts'
import { performPlan, writePlan } from '../plan/write-plan.ts'
import type { CreateBody } from '../request-shapes.ts'
import { findPayment } from '../rows.ts'
import type { UseCaseCall } from '../services.ts'
import { createTerms, merchantsServer, paymentDigest } from '../terms.ts'

/**
 * Creates a payment, and with `confirm: true` authorizes it in the same call. A blocked instrument fails the payment. A
 * `payment_id` makes creation idempotent: the same body returns the stored payment, another is refused (HE_01).
 */
export async function createPayment(outerCall: UseCaseCall, ask: CreateBody): Promise<Payment> {
  const { context, merchant } = outerCall
  const body_digest = paymentDigest(context, ask)
  const find = (id: string) => findPayment(context, merchant.merchant_id, id)
  const earlier = await createdBefore(body_digest, { what: 'payment', id: ask.payment_id }, find)
  if (earlier) return earlier
  const given = createTerms(outerCall, ask)
  if (given.confirm) checkNotAtOnce(given.request)
  else checkNoThreeDsResult(given.threeDsResult)
  const { call, terms } = given.credentials ? await withInlineAccount(outerCall, given, null) : { call: outerCall, terms: given }
  const plan = await planPayment(call, null, newPayment(call, terms, body_digest), terms, merchantsServer, terms.confirm)
  return insertHead(
    call,
    plan.change,
    { what: 'payment', id: plan.change.after.payment_id },
    {
      find,
      write: change => writePlan(plan, change),
      perform: written => performPlan(plan, written),
    },
  )
}
