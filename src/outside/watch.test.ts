import { deepEqual, equal, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import { openPlace, openShop, type Shop } from '../../test/shop.ts'
import type { Context } from '../context.ts'

/** What the watch finds that no webhook told, and what it costs: its questions to processors are counted. */

const asked = new Map<string, number>()

const wrap = (context: Context): Context => ({
  ...context,
  send(request, sender) {
    const { merchant_connector_id, purpose } = sender
    if (purpose === 'ask') asked.set(merchant_connector_id, (asked.get(merchant_connector_id) ?? 0) + 1)
    return context.send(request, sender)
  },
})

before(() => openPlace({}, wrap))

/** Lets hours pass, and gives the number of questions in each. */
async function askedInHours(shop: Shop, hours: number): Promise<number[]> {
  const counts: number[] = []
  for (let hour = 0; hour < hours; hour++) {
    const { merchant_connector_id: id } = shop
    const earlier = asked.get(id) ?? 0
    for (let minute = 0; minute < 60; minute += 10) await shop.wait('10 minutes')
    counts.push((asked.get(id) ?? 0) - earlier)
  }
  return counts
}

const openHolds = async (shop: Shop, holds: number, paid: number) => {
  for (let i = 0; i < holds; i++) await shop.hold()
  for (let i = 0; i < paid; i++) await shop.pay()
}

// The bounds are those of docs/design/outside.md.
const LIST = 1
const SINGLES = 20

test('an hour costs one question of a list where the processor has one, however many payments there are', async () => {
  const shop = await openShop({ connector: 'stripe', webhooks: 'on' })
  await openHolds(shop, 15, 25)
  for (const count of await askedInHours(shop, 4)) ok(count <= LIST, `${count} questions`)
})

test('an hour costs twenty payments at most where no list tells of them, and all are asked about in turn', async () => {
  const shop = await openShop({ connector: 'checkout', webhooks: 'on' })
  await openHolds(shop, 15, 15)
  const counts = await askedInHours(shop, 4)
  // A payment is two questions at Checkout.com, a paid one three; the list of disputes is one.
  for (const count of counts) ok(count <= LIST + 3 * SINGLES, `${counts}`)
  ok(counts.some(count => count >= 2 * SINGLES))
})

test('without webhooks the looks are six times as many', async () => {
  const shop = await openShop({ connector: 'stripe' })
  await openHolds(shop, 15, 5)
  await shop.wait('1 hour')
  for (const count of await askedInHours(shop, 3)) ok(count > LIST && count <= 6 * LIST, `${count} questions`)
})

test('what was moved while we were down is found afterwards, page after page, at each of many accounts', async () => {
  const shops = await Promise.all([1, 2, 3].map(() => openShop({ connector: 'stripe', webhooks: 'on' })))
  for (const shop of shops) {
    const payments = []
    for (let i = 0; i < 12; i++) payments.push(await shop.pay())
    for (const { connector_transaction_id } of payments)
      for (let i = 0; i < 9; i++) await shop.processor.move(connector_transaction_id, 'refund', { amount: 1, webhooks: 'lose' })
    await shop.processor.advance(6 * 3600)
  }
  shops[0]!.clock.ahead += 6 * 3_600_000
  for (let i = 0; i < 12; i++) await shops[0]!.wait('10 minutes')
  for (const shop of shops) {
    const booked = await shop.query(`select count(*)::int as n, sum(amount)::int as sum from refunds where merchant_id = $1`, [
      shop.merchant_id,
    ])
    deepEqual(booked, [{ n: 108, sum: 108 }])
  }
})

test('an account with wrong credentials costs a few questions an hour, and keeps no other account waiting', async () => {
  const [wrong, well] = [
    await openShop({ connector: 'checkout', webhooks: 'on' }),
    await openShop({ connector: 'checkout', webhooks: 'on' }),
  ]
  await openHolds(wrong, 10, 0)
  const hold = await well.hold()
  const path = `/account/${wrong.merchant_id}/connectors/${wrong.merchant_connector_id}`
  const keys = { auth_type: 'SignatureKey', api_key: 'pk_invalid', key1: 'pc_invalid', api_secret: 'sk_invalid' }
  const changed = await wrong.post(path, { connector_type: 'payment_processor', connector_account_details: keys })
  equal(changed.status, 200, changed.text)
  await well.processor.move(hold.connector_transaction_id, 'capture', { webhooks: 'lose' })
  for (const count of await askedInHours(wrong, 3)) ok(count > 0 && count <= 6 * (LIST + 3), `${count} questions`)
  equal((await well.get(hold.payment_id)).status, 'succeeded')
})
