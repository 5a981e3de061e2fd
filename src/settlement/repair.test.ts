import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { balances, differencesOf, line, proven, settledLines, take } from '../../test/settlement.ts'
import { type Body, cards, openPlace, openShop, type Shop } from '../../test/shop.ts'

/** A report tells what was not known here: its lines are news, and what it lacks is asked about. */

/** The look-ups of payments, as they were sent to the processor. */
const asked: string[] = []
await openPlace({}, context => ({
  ...context,
  send(request, sender) {
    if (request.method === 'GET' && request.url.includes('/v1/payments/')) asked.push(request.url)
    return context.send(request, sender)
  },
}))

const lookUps = ({ connector_transaction_id }: Body): number => asked.filter(url => url.endsWith(`/${connector_transaction_id}`)).length

/** Lets the look at what differs come, a minute after the report. */
const look = (shop: Shop): Promise<void> => shop.wait('1 minute')
const states = async (shop: Shop) => (await differencesOf(shop)).map(({ cause, state }) => `${cause} ${state}`)
const differencesOpen = async (shop: Shop) => (await differencesOf(shop)).filter(({ state }) => state === 'open')
test('a payment without an answer that the report has as charged has succeeded, without waiting for its next poll', async () => {
  const shop = await openShop()
  await shop.processor.fault('lookup', '500_before', { times: 1000 })
  const { body } = await shop.tryToPay({ amount: 1000, card: cards.chargesAndResets })
  await shop.wait('1 day')
  equal((await shop.get(body.payment_id)).status, 'processing')
  await shop.processor.soundAgain()
  const { counts } = await take(shop, await settledLines(shop))
  deepEqual(counts!.causes, { missing_here: 1 })
  await look(shop)
  equal((await shop.get(body.payment_id)).status, 'succeeded')
  await shop.wait('10 minutes')
  deepEqual(await states(shop), ['missing_here matched'])
  deepEqual(await balances(shop), { sales: -1000, fees: 24, settled: 976 })
  await proven(shop)
})

test('a capture without an answer that the report has is one that succeeded', async () => {
  const shop = await openShop()
  const hold = await shop.hold({ amount: 1000 })
  await shop.processor.fault('lookup', '500_before', { times: 1000 })
  await shop.processor.fault('capture', 'reset_after')
  await shop.capture(hold.payment_id)
  await shop.wait('1 day')
  equal((await shop.get(hold.payment_id)).amount_received ?? 0, 0)
  await shop.processor.soundAgain()
  await take(shop, await settledLines(shop))
  await look(shop)
  equal((await shop.get(hold.payment_id)).status, 'succeeded')
  await shop.wait('10 minutes')
  deepEqual(await balances(shop), { sales: -1000, fees: 24, settled: 976 })
  await proven(shop)
})

test('a refund made at the processor’s dashboard that only the report names is a refund, settled with its line', async () => {
  const shop = await openShop()
  const paid = await shop.pay({ amount: 5000 })
  await take(shop, await settledLines(shop))
  const { operation } = await shop.processor.move(paid.connector_transaction_id, 'refund', { amount: 2000, webhooks: 'lose' })
  const refund = line({
    ...{
      type: 'refund',
      reference: 'txn_1',
      object_reference: operation.id,
      payment_reference: paid.connector_transaction_id,
      gross: -2000,
    },
  })
  const { counts } = await take(shop, [refund])
  equal(counts!.open, 1)
  await look(shop)
  const { refunds } = await shop.get(paid.payment_id)
  deepEqual(
    refunds.map(({ amount, status, origin }: Body) => [amount, status, origin]),
    [[2000, 'succeeded', 'external']],
  )
  deepEqual(
    (await states(shop)).map(one => one.split(' ')[1]),
    ['matched'],
  )
  deepEqual((await balances(shop)).processor ?? 0, 0)
  equal((await take(shop, [refund])).counts!.known, 1)
  equal((await shop.get(paid.payment_id)).refunds.length, 1)
  await proven(shop)
})

test('a payment that no report has after the usual delay is asked about: at most once a day, and for ten days', async () => {
  const shop = await openShop()
  const late = await shop.pay({ amount: 1000 })
  await shop.pay({ amount: 500 })
  const booked_at = shop.service.context.now()
  const [first, second] = await settledLines(shop, booked_at)
  await take(shop, [second!])
  await shop.wait('7 days')
  equal(lookUps(late), 0)
  await shop.wait('1 day')
  await shop.wait('10 minutes')
  deepEqual([await states(shop), lookUps(late)], [['missing_there open'], 1])
  for (let time = 0; time < 3; time++) await take(shop, [second!])
  await shop.wait('12 hours')
  equal(lookUps(late), 1)
  for (let day = 2; day <= 12; day++) {
    await shop.wait('1 day')
    ok(lookUps(late) <= day)
  }
  const times = lookUps(late)
  ok(times >= 8 && times <= 10, `${times} times`)
  for (let day = 0; day < 3; day++) await shop.wait('1 day')
  equal(lookUps(late), times)
  deepEqual(await balances(shop), { processor: 1000, sales: -1500, fees: 17, settled: 483 })
  await take(shop, [first!])
  deepEqual(await states(shop), ['missing_there matched'])
  await proven(shop)
})

test('a refund of today is not late because the payment that it belongs to was settled long ago', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1000 })
  const lines = await settledLines(shop, shop.service.context.now())
  await take(shop, lines)
  await shop.wait('9 days')
  await shop.refund(payment_id, 300)
  await take(shop, lines)
  deepEqual(await states(shop), [])
})

test('a line about a payment of another account is a difference of this one, and changes nothing', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const hold = await other.hold({ amount: 1000 })
  const paid = await other.pay({ amount: 700 })
  await other.processor.move(hold.connector_transaction_id, 'capture')
  const lines = await settledLines(other)
  const before = await balances(other)
  const { counts } = await take(shop, [
    ...lines,
    line({ type: 'refund', reference: 'r1', payment_reference: paid.connector_transaction_id, gross: -100 }),
  ])
  deepEqual(counts!.causes, { missing_here: lines.length + 1 })
  await look(shop)
  deepEqual([(await other.get(hold.payment_id)).status, (await other.get(paid.payment_id)).refunds], ['requires_capture', null])
  deepEqual([await balances(other), await balances(shop)], [before, {}])
  deepEqual(new Set(await states(shop)), new Set(['missing_here open']))
  await proven(shop)
})

test('Adyen cannot be asked: a refund in its Customer Area whose webhook was lost is known from the report itself', async () => {
  const shop = await openShop({ connector: 'adyen' })
  const paid = await shop.pay({ amount: 5000 })
  await take(shop, await settledLines(shop))
  const { charge, operation } = await shop.processor.move(paid.connector_transaction_id, 'refund', { amount: 2000, webhooks: 'lose' })
  const refund = line({
    ...{ type: 'refund', reference: operation.id, object_reference: operation.id, payment_reference: paid.connector_transaction_id },
    ...{ request_id: charge.reference, batch: 'ShopECOM/12/USD', gross: -2000 },
  })
  await take(shop, [refund])
  await look(shop)
  const { refunds } = await shop.get(paid.payment_id)
  deepEqual(
    refunds.map(({ amount, status, origin }: Body) => [amount, status, origin]),
    [[2000, 'succeeded', 'external']],
  )
  deepEqual([await differencesOpen(shop), (await balances(shop)).processor ?? 0], [[], 0])
  await proven(shop)
})

test('Adyen cannot be asked: a capture of ours whose webhook was lost has succeeded once the report has it, not another', async () => {
  const shop = await openShop({ connector: 'adyen' })
  const hold = await shop.hold({ amount: 1000 })
  await shop.capture(hold.payment_id)
  await shop.wait('1 day')
  equal((await shop.get(hold.payment_id)).status, 'processing')
  const [charged] = await settledLines(shop)
  const { connector_transaction_id: payment_reference } = hold
  const settled = line({ ...charged!, object_reference: charged!.reference, payment_reference })
  await take(shop, [{ ...settled, reference: 'half', gross: 500, net: 500, fee: 0 }])
  await look(shop)
  equal((await shop.get(hold.payment_id)).status, 'processing')
  await take(shop, [settled])
  await shop.wait('1 day')
  const { status, amount_received } = await shop.get(hold.payment_id)
  deepEqual([status, amount_received], ['succeeded', 1000])
  await shop.wait('10 minutes')
  deepEqual((await differencesOpen(shop)).length, 1)
  await proven(shop)
})
