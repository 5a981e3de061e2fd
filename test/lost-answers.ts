import { equal } from 'node:assert/strict'
import type { Body, Shop } from './shop.ts'

/**
 * Answers that are lost after the processor has done its work: the service learns the result later, and the money
 * moves only once.
 */

const losses = ['reset_after', '500_after', 'html_after', 'empty_after', 'truncate_after'] as const

/**
 * Makes payments whose answers are lost, each in another way: each is charged once, and has succeeded a minute later.
 */
export async function loseAuthorizations(shop: Shop): Promise<void> {
  for (const loss of losses) {
    await shop.processor.fault('authorize', loss)
    const payment = await shop.pay()
    equal(payment.status, 'processing', loss)
    await shop.wait('1 minute')
    equal((await shop.get(payment.payment_id)).status, 'succeeded', loss)
  }
  equal((await shop.processor.charges()).length, losses.length)
}

/**
 * Makes a payment whose request never reached the processor. Verifies that the payment is processing at first, and
 * failed only later, though nothing was charged. `why`: the reason, for the message of a failure.
 */
export async function loseRequest(shop: Shop, why: string): Promise<void> {
  const before = (await shop.processor.charges()).length
  await shop.processor.fault('authorize', 'reset_before')
  const payment = await shop.pay()
  await shop.wait('10 minutes')
  equal((await shop.get(payment.payment_id)).status, 'processing', why)
  await shop.wait('2 hours')
  equal((await shop.get(payment.payment_id)).status, 'failed')
  equal((await shop.processor.charges()).length, before)
}

/** Makes a hold and captures 8.00 of it with a lost answer: the amount is captured once. Gives the payment. */
export async function loseCapture(shop: Shop): Promise<Body> {
  const hold = await shop.hold()
  await shop.processor.fault('capture', 'reset_after')
  await shop.capture(hold.payment_id, 800)
  await shop.wait('1 minute')
  equal((await shop.get(hold.payment_id)).status, 'partially_captured')
  return hold
}

/** Makes a refund of 3.00 whose answer is lost: the amount is refunded once. */
export async function loseRefund(shop: Shop, { payment_id }: Body): Promise<void> {
  await shop.processor.fault('refund', '500_after')
  const { body } = await shop.refund(payment_id, 300)
  await shop.wait('1 minute')
  equal((await shop.getRefund(body.refund_id)).status, 'succeeded')
}
