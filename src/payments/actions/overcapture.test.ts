import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { type Body, openShop, type PayAsk, type Shop } from '../../../test/shop.ts'

/** More is captured than was authorized: a tip. The sandbox allows a fifth more. */

const tippable = (shop: Shop, ask: PayAsk = {}): Promise<Body> => shop.hold({ amount: 1000, enable_overcapture: true, ...ask })
const charge = async (shop: Shop) => (await shop.processor.charges())[0]!

test('a tip above the authorized amount is captured where the processor allows it, and can be refunded', async () => {
  for (const connector of ['phonypay', 'stripe']) {
    const shop = await openShop({ connector })
    const hold = await tippable(shop)
    deepEqual([hold.is_overcapture_enabled, hold.amount_capturable], [true, 1000])
    isRefused(await shop.capture(hold.payment_id, 1201), 422, 'IR_06', /1200/)
    const { body } = await shop.capture(hold.payment_id, 1150)
    deepEqual([body.status, body.amount_received, body.amount_capturable, body.amount], ['succeeded', 1150, 0, 1000], connector)
    equal((await charge(shop)).captured, 1150)
    isRefused(await shop.refund(hold.payment_id, 1151), 400, 'IR_13')
    equal((await shop.refund(hold.payment_id)).body.amount, 1150)
  }
})

test('a declined overcapture, or one that was never received, leaves the authorization unchanged', async () => {
  const shop = await openShop()
  const hold = await tippable(shop)
  await shop.processor.fault('capture', 'decline')
  const { body } = await shop.capture(hold.payment_id, 1200)
  deepEqual([body.status, body.amount_capturable], ['requires_capture', 1000])
  await shop.processor.fault('capture', 'reset_before')
  equal((await shop.capture(hold.payment_id, 1200)).body.status, 'processing')
  await shop.wait('2 minutes')
  equal((await shop.get(hold.payment_id)).amount_capturable, 1000)
  await shop.processor.fault('capture', 'reset_after')
  await shop.capture(hold.payment_id, 1200)
  await shop.wait('2 minutes')
  const paid = await shop.get(hold.payment_id)
  deepEqual([paid.status, paid.amount_received, (await charge(shop)).captured], ['succeeded', 1200, 1200])
})

test('a profile can enable overcapture and extended authorization for all authorizations that do not set them', async () => {
  const shop = await openShop()
  await shop.profile({ always_enable_overcapture: true, always_request_extended_authorization: true })
  const hold = await shop.hold()
  deepEqual([hold.is_overcapture_enabled, hold.request_extended_authorization], [true, true])
  equal((await shop.post(`/payments/${hold.payment_id}/extend_authorization`, undefined)).body.extended_authorization_applied, true)
  const not = await shop.hold({ enable_overcapture: false, request_extended_authorization: false })
  deepEqual([not.is_overcapture_enabled, not.extended_authorization_applied], [false, false])
  const paid = await shop.pay()
  deepEqual([paid.enable_overcapture, paid.request_extended_authorization], [null, false])
})

test('overcapture is refused if it was not requested or the processor does not support it', async () => {
  const shop = await openShop()
  const plain = await shop.hold({ amount: 1000 })
  equal(plain.is_overcapture_enabled, null)
  isRefused(await shop.capture(plain.payment_id, 1001), 422, 'IR_06')
  const elsewhere = await openShop({ connector: 'adyen' })
  const hold = await tippable(elsewhere)
  equal(hold.is_overcapture_enabled, false)
  isRefused(await elsewhere.capture(hold.payment_id, 1001), 422, 'IR_06')
  isRefused(await shop.tryToPay({ enable_overcapture: true }), 400, 'IR_16', /enable_overcapture/)
})
