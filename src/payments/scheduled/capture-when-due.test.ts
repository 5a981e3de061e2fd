import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { type Body, cards, openShop, type PayAsk, type Shop } from '../../../test/shop.ts'

const inHours = (shop: Shop, hours: number) => new Date(Date.now() + shop.clock.ahead + hours * 3_600_000).toISOString()
/** Makes a hold that is captured automatically after this number of hours. */
const scheduled = (shop: Shop, hours = 2, ask: PayAsk = {}): Promise<Body> => shop.pay({ capture_on: inHours(shop, hours), ...ask })
const taken = async (shop: Shop) => (await shop.processor.charges()).reduce((sum, { captured }) => sum + captured, 0)
const jobs = async (shop: Shop) => (await shop.query('select * from scheduled_captures where merchant_id = $1', [shop.merchant_id])).length
const captures = async (shop: Shop) => (await shop.processor.operations()).filter(({ type }) => type === 'capture').length

test('a scheduled capture is made once at its time, and not before', async () => {
  const shop = await openShop()
  const hold = await scheduled(shop)
  deepEqual([hold.status, hold.capture_method, hold.amount_capturable], ['requires_capture', 'scheduled', 1250])
  await shop.wait('1 hour')
  deepEqual([(await shop.get(hold.payment_id)).status, await taken(shop)], ['requires_capture', 0])
  await shop.wait('2 hours')
  const paid = await shop.get(hold.payment_id)
  deepEqual([paid.status, paid.amount_received, await taken(shop), await jobs(shop)], ['succeeded', 1250, 1250, 0])
  await shop.wait('1 day')
  equal(await captures(shop), 1)
  const sent = (await shop.events(hold.payment_id)).find(({ type }) => type === 'capture_sent')!
  equal(sent.by, 'alarm')
})

test('a scheduled capture takes the requested partial amount, and may also be set at the confirm', async () => {
  const shop = await openShop()
  const part = await scheduled(shop, 2, { amount_to_capture: 1000 })
  const created = await shop.create()
  const later = (await shop.confirm(created.payment_id, { capture_on: inHours(shop, 2) })).body
  equal(later.status, 'requires_capture')
  await shop.wait('3 hours')
  deepEqual((await shop.get(part.payment_id)).status, 'partially_captured')
  deepEqual([(await shop.get(later.payment_id)).status, await taken(shop)], ['succeeded', 2250])
})

test('a payment that is captured or cancelled before its scheduled capture is not captured again', async () => {
  const shop = await openShop()
  const [captured, cancelled] = [await scheduled(shop), await scheduled(shop)]
  equal((await shop.capture(captured.payment_id)).body.status, 'succeeded')
  equal((await shop.cancel(cancelled.payment_id)).body.status, 'cancelled')
  await shop.wait('3 hours')
  deepEqual([await captures(shop), await taken(shop), await jobs(shop)], [1, 1250, 0])
})

test('a declined scheduled capture is not retried; the payment shows the error and can be cancelled', async () => {
  const shop = await openShop()
  const hold = await scheduled(shop, 2, { card: cards.refusesCaptures })
  await shop.wait('3 hours')
  const refused = await shop.get(hold.payment_id)
  deepEqual([refused.status, refused.error_code, refused.amount_capturable], ['requires_capture', 'capture_declined', 1250])
  await shop.wait('1 day')
  equal(await captures(shop), 1, 'it is tried once')
  equal((await shop.cancel(hold.payment_id)).status, 200)
})

test('a scheduled capture without a response is found by a poll, or made again if it never arrived', async () => {
  const shop = await openShop()
  for (const fault of ['reset_after', 'reset_before'] as const) {
    const hold = await scheduled(shop, 1)
    await shop.processor.fault('capture', fault)
    await shop.wait('61 minutes')
    // Silence is no refusal. The hourly look at the account may have found the capture already.
    notEqual((await shop.get(hold.payment_id)).status, 'requires_capture')
    await shop.wait('5 minutes')
    await shop.wait('20 minutes')
    equal((await shop.get(hold.payment_id)).status, 'succeeded', fault)
  }
  deepEqual([await captures(shop), await taken(shop)], [2, 2500])
})

test('a scheduled capture waits for an incremental authorization in progress, and takes the new amount', async () => {
  const shop = await openShop()
  const hold = await scheduled(shop, 1, { request_incremental_authorization: true })
  await shop.wait('59 minutes')
  await shop.processor.fault('increment', 'reset_after')
  await shop.processor.fault('lookup', 'reset_before')
  await shop.post(`/payments/${hold.payment_id}/incremental_authorization`, { amount: 2000 })
  await shop.wait('2 minutes')
  equal((await shop.get(hold.payment_id)).status, 'requires_capture')
  await shop.wait('30 minutes')
  await shop.wait('2 minutes')
  const paid = await shop.get(hold.payment_id)
  deepEqual([paid.status, paid.amount_received, await taken(shop)], ['succeeded', 2000, 2000])
})

test('a payment whose challenge is accepted after its scheduled capture time is captured then', async () => {
  const shop = await openShop()
  const payment = await scheduled(shop, 1, { card: cards.challenges, authentication_type: 'three_ds' })
  equal(payment.status, 'requires_customer_action')
  await shop.wait('2 hours')
  const [operation] = await shop.processor.operations()
  await shop.processor.decide(operation.id, 'approved')
  await shop.sync(payment.payment_id)
  await shop.wait('1 minute')
  deepEqual([(await shop.get(payment.payment_id)).status, await taken(shop)], ['succeeded', 1250])
})

test('a capture_on in the past, and a scheduled capture without capture_on, are refused with the field name', async () => {
  const shop = await openShop()
  isRefused(await shop.tryToPay({ capture_on: inHours(shop, -1) }), 422, 'IR_06', /capture_on/)
  isRefused(await shop.tryToPay({ capture_method: 'scheduled' }), 501, 'IR_00', /capture_on/)
  deepEqual([await shop.processor.operations(), await jobs(shop)], [[], 0])
  const created = await shop.create({ capture_on: inHours(shop, 1) })
  const changed = await shop.post(`/payments/${created.payment_id}`, { capture_method: 'manual', confirm: false })
  deepEqual([changed.body.capture_method, changed.body.capture_on], ['manual', null])
})

test('capture_on is shown in UTC with milliseconds, in whatever time zone it was sent', async () => {
  const shop = await openShop()
  const time = inHours(shop, 1)
  const inHelsinki = `${new Date(Date.parse(time) + 2 * 3_600_000).toISOString().slice(0, -1)}+02:00`
  equal((await shop.create({ capture_on: inHelsinki })).capture_on, time)
})

test('capture_on is ignored with any other capture_method, in the past or the future, and responses show null', async () => {
  const shop = await openShop()
  const statuses = { automatic: 'succeeded', manual: 'requires_capture', manual_multiple: 'requires_capture' }
  for (const [capture_method, status] of Object.entries(statuses)) {
    const paid = await shop.pay({ capture_method, capture_on: '2022-09-10T10:11:12Z' })
    deepEqual([paid.status, paid.capture_method, paid.capture_on], [status, capture_method, null])
  }
  const created = await shop.create({ capture_method: 'manual', capture_on: inHours(shop, 1) })
  const confirmed = await shop.confirm(created.payment_id, { capture_method: 'manual', capture_on: inHours(shop, -9) })
  deepEqual([confirmed.body.status, confirmed.body.capture_on, await jobs(shop)], ['requires_capture', null, 0])
})
