import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { type Body, openShop, type Shop } from '../../test/shop.ts'

/** Money that others moved at the processor, without a webhook: what `force_sync`, a refusal and the watch find. */

const bookedFor = async (shop: Shop, payment_id: string): Promise<Record<string, number>> => {
  const { data } = (await shop.call('GET', `/ledger/entries?object_id=${payment_id}`)).body
  const booked: Record<string, number> = {}
  for (const { lines } of data as Body[])
    for (const { account, debit, credit } of lines) booked[account] = (booked[account] ?? 0) + debit - credit
  return Object.fromEntries(Object.entries(booked).filter(([, amount]) => amount !== 0))
}

const eventsOf = async (shop: Shop, payment_id: string): Promise<string[]> =>
  (await shop.events(payment_id)).flatMap(({ event_type }) => event_type ?? [])

const chargeOf = async (shop: Shop, { connector_transaction_id }: Body): Promise<Body> =>
  (await shop.processor.charges()).find(one => one.payment === connector_transaction_id)!

test('a refund made at the processor becomes a refund: listed, in the ledger, announced; the rest can be refunded, not more', async () => {
  const shop = await openShop()
  const paid = await shop.pay({ amount: 5000 })
  await shop.processor.move(paid.connector_transaction_id, 'refund', { amount: 2000, reason: 'goodwill' })
  for (let time = 0; time < 2; time++) {
    const { refunds, status } = await shop.sync(paid.payment_id)
    deepEqual([status, refunds.map((one: Body) => [one.amount, one.status, one.origin])], ['succeeded', [[2000, 'succeeded', 'external']]])
  }
  const [{ refund_id }] = (await shop.get(paid.payment_id)).refunds
  deepEqual([(await shop.getRefund(refund_id)).amount, (await shop.getRefund(refund_id)).origin], [2000, 'external'])
  deepEqual(await bookedFor(shop, paid.payment_id), { processor: 3000, sales: -5000, refunds: 2000 })
  deepEqual(await eventsOf(shop, paid.payment_id), ['payment_succeeded', 'refund_succeeded'])
  isRefused(await shop.refund(paid.payment_id, 3001), 400, 'IR_13')
  equal((await shop.refund(paid.payment_id, 3000)).status, 200)
  equal((await chargeOf(shop, paid)).refunded, 5000)
})

test('a hold captured at the processor is paid: in whole, in part, and of several captures', async () => {
  const shop = await openShop()
  for (const [capture_method, amount, status, capturable] of [
    ['manual', 5000, 'succeeded', 0],
    ['manual', 2000, 'partially_captured', 0],
    ['manual_multiple', 2000, 'partially_captured_and_capturable', 3000],
  ] as const) {
    const hold = await shop.hold({ amount: 5000, capture_method })
    await shop.processor.move(hold.connector_transaction_id, 'capture', { amount, ...(capturable === 0 && { final: true }) })
    const now = await shop.sync(hold.payment_id)
    deepEqual([now.status, now.amount_received, now.amount_capturable], [status, amount, capturable])
    deepEqual(await bookedFor(shop, hold.payment_id), { processor: amount, sales: -amount })
  }
})

test('a hold voided at the processor is cancelled, and the rest of a partly captured one is released', async () => {
  const shop = await openShop()
  const hold = await shop.hold({ amount: 5000 })
  await shop.processor.move(hold.connector_transaction_id, 'void')
  equal((await shop.sync(hold.payment_id)).status, 'cancelled')
  deepEqual(await eventsOf(shop, hold.payment_id), ['payment_authorized', 'payment_cancelled'])
  const part = await shop.hold({ amount: 5000, capture_method: 'manual_multiple' })
  await shop.capture(part.payment_id, 2000)
  await shop.processor.move(part.connector_transaction_id, 'void')
  const now = await shop.sync(part.payment_id)
  deepEqual([now.status, now.amount_received, now.amount_capturable], ['partially_captured', 2000, 0])
})

test('capture, cancel and refund of what was moved at the processor meanwhile are refused, say what was done there, and the payment shows it', async () => {
  const shop = await openShop()
  const captured = await shop.hold({ amount: 5000 })
  await shop.processor.move(captured.connector_transaction_id, 'capture')
  const cancel = await shop.cancel(captured.payment_id)
  isRefused(cancel, 400, 'IR_16')
  match(cancel.body.error.message, /phonypay reports a capture of 5000 USD/)
  equal((await shop.get(captured.payment_id)).status, 'succeeded')

  const voided = await shop.hold({ amount: 5000 })
  await shop.processor.move(voided.connector_transaction_id, 'void')
  isRefused(await shop.capture(voided.payment_id), 400, 'IR_16')
  equal((await shop.get(voided.payment_id)).status, 'cancelled')

  const refunded = await shop.pay({ amount: 5000 })
  await shop.processor.move(refunded.connector_transaction_id, 'refund', { amount: 4000 })
  isRefused(await shop.refund(refunded.payment_id, 5000), 400, 'IR_16')
  const { refunds } = await shop.get(refunded.payment_id)
  deepEqual(refunds.map((one: Body) => [one.amount, one.status, one.origin]).sort(), [
    [4000, 'succeeded', 'external'],
    [5000, 'failed', 'merchant'],
  ])
  equal((await shop.refund(refunded.payment_id, 1000)).status, 200)
})

test('a lost answer to our own capture or refund is never booked as somebody else’s', async () => {
  const shop = await openShop()
  const hold = await shop.hold({ amount: 5000 })
  await shop.processor.fault('capture', 'reset_after')
  await shop.processor.fault('lookup', '500_before')
  await shop.capture(hold.payment_id)
  await shop.sync(hold.payment_id)
  const paid = await shop.sync(hold.payment_id)
  deepEqual([paid.status, paid.amount_received], ['succeeded', 5000])
  await shop.processor.fault('refund', 'reset_after')
  await shop.refund(hold.payment_id, 2000)
  const { refunds } = await shop.sync(hold.payment_id)
  deepEqual(
    refunds.map((one: Body) => [one.amount, one.status, one.origin]),
    [[2000, 'succeeded', 'merchant']],
  )
})

test('what nobody told of is found within hours, by a bounded number of calls', async () => {
  const shop = await openShop()
  const hold = await shop.hold({ amount: 5000 })
  const paid = await shop.pay({ amount: 5000 })
  await shop.processor.move(hold.connector_transaction_id, 'capture')
  await shop.processor.move(paid.connector_transaction_id, 'refund', { amount: 2000 })
  await shop.processor.move(paid.connector_transaction_id, 'dispute', { amount: 3000 })
  await shop.wait('2 hours')
  equal((await shop.get(hold.payment_id)).status, 'succeeded')
  const { refunds, disputes } = await shop.get(paid.payment_id)
  equal(refunds[0].amount, 2000)
  deepEqual(
    disputes.map(({ amount, currency }: Body) => [amount, currency]),
    [['3000', paid.currency]],
  )
})

test('a refund made at the processor says so in its event, in lists, exports and the timeline, and analytics counts it apart', async () => {
  const shop = await openShop()
  const paid = await shop.pay({ amount: 5000 })
  await shop.refund(paid.payment_id, 300)
  await shop.processor.move(paid.connector_transaction_id, 'refund', { amount: 2000 })
  await shop.sync(paid.payment_id)
  await shop.wait('1 second')
  const told = (await shop.events(paid.payment_id)).filter(({ event_type }) => event_type === 'refund_succeeded')
  const contents = await Promise.all(told.map(async ({ event_id }) => (await shop.call('GET', `/events/${event_id}`)).text))
  equal(contents.filter(text => /origin\W+external/.test(text)).length, 1, contents[0])
  const listed: Body[] = (await shop.post('/refunds/list', { payment_id: paid.payment_id })).body.data
  deepEqual(listed.map(({ origin }) => origin).sort(), ['external', 'merchant'])
  const [head, ...lines] = (await shop.call('GET', '/refunds/export')).text.trim().split('\r\n')
  const column = head!.split(',').indexOf('origin')
  deepEqual(lines.map(line => line.split(',')[column]).sort(), ['external', 'merchant'])
  const timeline: Body[] = (await shop.call('GET', `/payments/${paid.payment_id}/timeline`)).body.data
  equal(timeline.filter(({ purpose }) => purpose === 'external').length, 1)
  const ask = { time_range: { start_time: '2020-01-01T00:00:00.000Z' }, metrics: ['refunded', 'outside'] }
  const [counted] = (await shop.post('/analytics/breakdown', ask)).body.data
  deepEqual([counted.refunded.amounts[0].amount, counted.outside.amounts[0].amount], [2300, 2000])
})
