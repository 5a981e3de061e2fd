import { refuse } from '../../base/refusal.ts'
import { insertHead } from '../../operations/insert.ts'
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
import { isMerchantInitiated } from '../stored-credentials/stored-credential.ts'
import { type CreateTerms, createTerms, merchantsServer } from '../terms.ts'

/**
 * Creates a payment, and with `confirm: true` authorizes it in the same call.
 *
 * An instrument on the blocklist fails the payment: nothing is sent. A `payment_id` makes creation idempotent: the
 * same body again returns the stored payment, another body is refused (HE_01).
 */
export async function createPayment(outerCall: UseCaseCall, ask: CreateBody): Promise<Payment> {
  const given = createTerms(outerCall, ask)
  if (given.confirm) checkNotAtOnce(given.request)
  else checkNoThreeDsResult(given.threeDsResult)
  // A repeated request must not reset the account's credentials to earlier ones, and the first request may have used
  // up the mandate that the payment is charged by.
  const earlier = given.credentials || isMerchantInitiated(given.request) ? await createdBefore(outerCall, given) : null
  if (earlier) return earlier
  const { call, terms } = given.credentials ? await withInlineAccount(outerCall, given, null) : { call: outerCall, terms: given }
  const plan = await planPayment(call, null, newPayment(call, terms), terms, merchantsServer, terms.confirm)
  const { head, after, rows, event } = plan.change
  const written = await insertHead(
    call,
    { head, after, rows, event },
    () => findPayment(call.context, after.merchant_id, after.payment_id),
    existing => sameAs(existing, after.body_digest),
    change => writePlan(plan, change),
  )
  // If a concurrent request created the payment with the same body, that request calls the processor.
  return written.mine ? performPlan(plan, written.head) : written.head
}

/**
 * Returns the payment that was created with this id and body; null if none exists, or if the request did not choose
 * the id. Refuses (HE_01) another body.
 */
async function createdBefore({ context, merchant }: UseCaseCall, { columns, body_digest }: CreateTerms): Promise<Payment | null> {
  if (body_digest === null) return null
  const existing = await findPayment(context, merchant.merchant_id, columns.payment_id!)
  return existing ? sameAs(existing, body_digest) : null
}

/** Refuses (HE_01) an existing payment that was created with another body. */
function sameAs(existing: Payment, body_digest: string | null): Payment {
  if (existing.body_digest !== null && existing.body_digest === body_digest) return existing
  return refuse('duplicate', { what: 'payment', id: existing.payment_id })
}
