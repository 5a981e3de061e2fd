import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { type Body, cards, openShop, type PayAsk, type Shop } from '../../../test/shop.ts'

/** `sequential_automatic`: a hold, and a capture that follows at once as a separate request. */

const pay = (shop: Shop, ask: PayAsk = {}): Promise<Body> => shop.pay({ capture_method: 'sequential_automatic', ...ask })
const deeds = async (shop: Shop) => (await shop.processor.operations()).map(({ type, status, amount }) => `${type} ${status} ${amount}`)

test('a sequential payment is authorized and captured by two requests within one call', async () => {
  const shop = await openShop()
  const paid = await pay(shop)
  deepEqual([paid.status, paid.amount_received, paid.amount_capturable], ['succeeded', 1250, 0])
  deepEqual(await deeds(shop), ['authorization approved 1250', 'capture approved 1250'])
  deepEqual(
    (await shop.events(paid.payment_id)).map(({ event_type }) => event_type),
    [null, null, 'payment_succeeded'],
  )
  const { captures } = await shop.get(paid.payment_id, '?expand_captures=true')
  equal(captures.length, 1)
})

test('a sequential payment is not captured after a decline, and after a challenge only once it is approved', async () => {
  const shop = await openShop()
  equal((await pay(shop, { card: cards.declines })).status, 'failed')
  const challenged = await pay(shop, { card: cards.challenges, authentication_type: 'three_ds' })
  equal(challenged.status, 'requires_customer_action')
  const { id } = (await shop.processor.operations()).find(({ status }) => status === 'challenge')
  await shop.processor.decide(id, 'approved')
  deepEqual([(await shop.sync(challenged.payment_id)).status, (await deeds(shop)).at(-1)], ['succeeded', 'capture approved 1250'])
})

test('a declined capture leaves the authorization, which can be captured manually or cancelled', async () => {
  const shop = await openShop()
  await shop.processor.fault('capture', 'decline')
  const refused = await pay(shop)
  deepEqual([refused.status, refused.error_code, refused.amount_capturable], ['requires_capture', 'capture_declined', 1250])
  equal((await shop.capture(refused.payment_id)).body.status, 'succeeded')
  await shop.processor.fault('capture', 'decline')
  equal((await shop.cancel((await pay(shop)).payment_id)).body.status, 'cancelled')
  isRefused(await shop.capture((await pay(shop)).payment_id), 400, 'IR_14')
})

test('a capture with a lost response is found, and one that was never received is sent again later', async () => {
  const shop = await openShop()
  for (const fault of ['reset_after', 'reset_before'] as const) {
    await shop.processor.fault('capture', fault)
    const payment = await pay(shop)
    deepEqual([payment.status, payment.amount_received], ['processing', null])
    await shop.wait('5 minutes')
    await shop.wait('15 minutes')
    equal((await shop.get(payment.payment_id)).status, 'succeeded', fault)
  }
  equal(
    (await shop.processor.charges()).reduce((sum, { captured }) => sum + captured, 0),
    2500,
  )
})

test('a partially approved sequential payment is captured in part where that is allowed', async () => {
  const shop = await openShop()
  const part = await pay(shop, { card: cards.approvesHalf, enable_partial_authorization: true })
  deepEqual([part.status, part.amount_received], ['partially_captured', 625])
})
