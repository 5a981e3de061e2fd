import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openReceiver } from '../../test/receiver.ts'
import { isRefused } from '../../test/refused.ts'
import { type Body, http, openShop, type Shop } from '../../test/shop.ts'

const deliverAll = (shop: Shop) => shop.wait('0 seconds')

/** Opens a shop with a webhook endpoint. */
async function openShopWithEndpoint() {
  const receiver = await openReceiver()
  const shop = await openShop()
  const { endpoint_id } = (await shop.post('/webhook_endpoints', { url: receiver.url })).body
  const ask = (rest: string) => shop.call('GET', `/webhook_endpoints/${endpoint_id}/${rest}`)
  return {
    ...{ shop, receiver, endpoint_id, ask },
    deliveries: async (query = ''): Promise<Body[]> => (await ask(`deliveries${query}`)).body.data,
    health: async (query = ''): Promise<Body> => (await ask(`health${query}`)).body,
  }
}

test('an endpoint’s deliveries are listed newest first, each with its last attempt', async () => {
  const { shop, receiver, deliveries } = await openShopWithEndpoint()
  deepEqual(await deliveries(), [])
  const paid = await shop.pay()
  await shop.refund(paid.payment_id)
  const refund = (await shop.get(paid.payment_id)).refunds[0]
  await deliverAll(shop)
  const listed = await deliveries()
  deepEqual(
    listed.map(({ event_type, type, object_id, status, tries, most_tries, next_try_at, last }) => [
      ...[event_type, type, object_id, status, tries, most_tries, next_try_at, last.status_code, last.error],
    ]),
    [
      ['refund_succeeded', 'refund.succeeded', refund.refund_id, 'delivered', 1, 10, null, 200, null],
      ['payment_succeeded', 'payment.succeeded', paid.payment_id, 'delivered', 1, 10, null, 200, null],
    ],
  )
  deepEqual(
    listed.map(one => one.event_id),
    receiver.received.map(({ event }) => event.event_id).reverse(),
  )
  ok(listed.every(({ last, ended_at, created }) => last.latency_ms >= 0 && last.at >= created && ended_at >= created))
})

test('a pending delivery shows its next attempt, and later events wait for it; a dead one is found by its status', async () => {
  const { shop, receiver, deliveries } = await openShopWithEndpoint()
  receiver.answers({ status: 503 })
  const paid = await shop.pay()
  await deliverAll(shop)
  await shop.refund(paid.payment_id)
  await deliverAll(shop)
  const [behind, first] = (await deliveries('?status=pending')) as [Body, Body]
  deepEqual([first.event_type, first.tries, first.last.status_code], ['payment_succeeded', 1, 503])
  ok(first.next_try_at > first.last.at)
  deepEqual([behind.event_type, behind.tries, behind.last, behind.next_try_at], ['refund_succeeded', 0, null, null])
  deepEqual(await deliveries('?status=delivered'), [])
  for (let i = 0; i < 10; i++) await shop.wait('27 hours')
  const dead = await deliveries('?status=dead')
  ok(dead.some(one => one.event_id === first.event_id && one.tries > 1 && one.ended_at !== null && one.next_try_at === null))
})

test('deliveries are read page by page', async () => {
  const { shop, deliveries } = await openShopWithEndpoint()
  for (let i = 0; i < 3; i++) await shop.pay()
  await deliverAll(shop)
  const all = await deliveries()
  equal(all.length, 3)
  const [first] = await deliveries('?limit=1')
  deepEqual(first, all[0])
  deepEqual(await deliveries(`?starting_after=${first!.event_id}`), all.slice(1))
  deepEqual(await deliveries(`?starting_after=${all[2]!.event_id}`), [])
})

test('the health of an endpoint shows attempts, latencies, and waiting and dead deliveries', async () => {
  const { shop, receiver, endpoint_id, health } = await openShopWithEndpoint()
  const { since: _since, ...none } = await health()
  const nothing = { tried: 0, delivered: 0, unanswered: 0, p50_ms: null, p95_ms: null, waiting: 0, dead: 0 }
  deepEqual(none, { endpoint_id, window: '1h', ...nothing })
  for (let i = 0; i < 3; i++) await shop.pay()
  await deliverAll(shop)
  receiver.answers({ status: 500 })
  await shop.pay()
  await deliverAll(shop)
  const now = await health('?window=24h')
  deepEqual([now.tried, now.delivered, now.unanswered, now.waiting, now.dead], [4, 3, 0, 1, 0])
  ok(now.p50_ms > 0 && now.p95_ms >= now.p50_ms)
  for (let i = 0; i < 10; i++) await shop.wait('27 hours')
  const later = await health('?window=7d')
  deepEqual([later.waiting, later.dead], [0, 0], 'it was begun more than a week ago')
})

test('deliveries and health of an endpoint are visible only to its merchant', async () => {
  const { shop, endpoint_id, ask } = await openShopWithEndpoint()
  const other = await openShop()
  for (const what of ['deliveries', 'health']) {
    isRefused(await other.call('GET', `/webhook_endpoints/${endpoint_id}/${what}`), 404, 'HE_02')
    isRefused(await ask(`${what}?status=lost`), 400, 'IR_06', /status/)
    const path = `${shop.url}/webhook_endpoints/${endpoint_id}/${what}`
    isRefused(await http('GET', path, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
  }
})
