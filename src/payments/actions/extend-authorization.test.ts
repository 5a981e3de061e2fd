import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { type Body, http, openShop, type Shop } from '../../../test/shop.ts'

const extend = (shop: Shop, { payment_id }: Body) => shop.post(`/payments/${payment_id}/extend_authorization`, undefined)
const extensible = (shop: Shop) => shop.hold({ request_extended_authorization: true })

test('an extended authorization can be captured after its original expiry', async () => {
  const shop = await openShop()
  const [hold, other] = [await extensible(shop), await extensible(shop)]
  deepEqual([hold.extended_authorization_applied, hold.extended_authorization_last_applied_at], [false, null])
  await shop.wait('4 days')
  const { status, body } = await extend(shop, hold)
  deepEqual([status, body.status, body.extended_authorization_applied, body.amount_capturable], [200, 'requires_capture', true, 1250])
  ok(body.capture_before > hold.capture_before && body.extended_authorization_last_applied_at !== null)
  await shop.wait('5 days')
  await shop.sync(other.payment_id)
  deepEqual([(await shop.get(other.payment_id)).status, (await shop.capture(hold.payment_id)).body.status], ['expired', 'succeeded'])
})

test('a declined extension changes nothing, and one with a lost response is found by a poll', async () => {
  const shop = await openShop()
  const hold = await extensible(shop)
  await shop.processor.fault('extend', 'decline')
  const { body } = await extend(shop, hold)
  deepEqual([body.status, body.extended_authorization_applied, body.error_code], ['requires_capture', false, 'extension_declined'])
  equal(body.capture_before, hold.capture_before)
  await shop.processor.fault('extend', 'reset_after')
  equal((await extend(shop, hold)).body.extended_authorization_applied, false)
  isRefused(await shop.capture(hold.payment_id), 422, 'HE_00')
  await shop.wait('1 minute')
  equal((await shop.get(hold.payment_id)).extended_authorization_applied, true)
  equal((await shop.capture(hold.payment_id)).body.status, 'succeeded')
})

test('an authorization without an extension request can also be extended where the processor supports it', async () => {
  const shop = await openShop()
  for (const capture_method of ['manual', 'manual_multiple']) {
    const hold = await shop.pay({ capture_method })
    deepEqual([hold.request_extended_authorization, hold.extended_authorization_applied], [false, null])
    await shop.processor.fault('extend', 'decline')
    const { body: no } = await extend(shop, hold)
    deepEqual([no.status, no.extended_authorization_applied, no.error_code], ['requires_capture', null, 'extension_declined'])
    await shop.wait('4 days')
    const { status, body } = await extend(shop, hold)
    deepEqual([status, body.status, body.extended_authorization_applied], [200, 'requires_capture', true])
    ok(body.capture_before > hold.capture_before)
    await shop.wait('5 days')
    equal((await shop.capture(hold.payment_id, 1250)).body.status, 'succeeded')
  }
})

test('only an authorized payment can be extended, and only with a secret key', async () => {
  const shop = await openShop()
  isRefused(await extend(shop, await shop.pay()), 400, 'IR_16', /succeeded; it must be one of requires_capture/)
  isRefused(await extend(shop, { payment_id: 'pay_nobody' }), 404, 'HE_02')
  isRefused(await shop.tryToPay({ request_extended_authorization: true }), 400, 'IR_19', /request_extended_authorization/)
  const hold = await extensible(shop)
  const url = `${shop.url}/payments/${hold.payment_id}/extend_authorization`
  isRefused(await http('POST', url, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
  deepEqual(await shop.get(hold.payment_id), hold)
})
