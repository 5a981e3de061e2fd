import { forceSync } from '../operations/ask.ts'
import type { Call } from '../operations/verb.ts'
import type { CompleteAuthorizeAsk } from './ask.ts'
import { refuseStatus } from './check.ts'
import { ownerOf } from './kind.ts'
import { welcomes } from './lifecycle.ts'
import type { Payment } from './payment.ts'
import { begin, needPayment } from './plan.ts'

/**
 * A checkout says that the customer is through with the challenge. Nobody is believed that: the processor is asked, as when the customer comes back, and what it says is the payment. `shipping`: where the goods go, if that was said
 * only now. Refuses (IR_16) a payment that has ended (contract 3.5).
 */
export async function completeAuthorize(call: Call, payment_id: string, { shipping }: CompleteAuthorizeAsk): Promise<Payment> {
  const { world, merchant } = call
  const check = (payment: Payment) => {
    if (!welcomes.complete_authorize.includes(payment.status)) refuseStatus(payment, 'completed', welcomes.complete_authorize)
  }
  if (shipping !== undefined)
    await begin(call, payment_id, before => {
      check(before)
      const after: Payment = { ...before, asked: { ...before.asked, shipping }, modified_at: world.now() }
      const event = { type: 'shipping_updated', announces: null }
      return { change: { head: 'payments', before, after, rows: [], event, by: world.by } }
    })
  const payment = await needPayment(world, merchant.merchant_id, payment_id)
  check(payment)
  return payment.status === 'requires_customer_action' || payment.status === 'processing'
    ? forceSync(call, payment, ownerOf(payment))
    : payment
}
