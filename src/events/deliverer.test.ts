import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { openPatientDeliverer } from '../../test/patient-deliverer.ts'
import { openPlatform } from '../../test/platform.ts'
import { openReceiver } from '../../test/receiver.ts'
import { type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'
import type { Context } from '../context.ts'
import { DatabaseAway } from '../database/connection.ts'
import { openDeliverer } from './deliverer.ts'
import { openDispatch } from './dispatch-outbox.ts'

/** Opens a shop whose profile sends webhooks to this address. */
async function openSubscribed(url: string, more: Body = {}): Promise<Shop & { profile_id: string; hash_key: string }> {
  const shop = await openShop()
  await shop.profile({ webhook_details: { webhook_url: url, ...more } })
  const [profile] = (await shop.call('GET', `/account/${shop.merchant_id}/business_profile`)).body
  return { ...shop, profile_id: profile.profile_id, hash_key: profile.payment_response_hash_key }
}

const deliverAll = (shop: Shop) => shop.wait('0 seconds')

test("a paid payment is sent to its profile's webhook URL, signed for existing clients and as Standard Webhooks", async () => {
  const receiver = await openReceiver()
  const shop = await openSubscribed(receiver.url)
  const paid = await shop.pay()
  equal(receiver.received.length, 0, 'nobody waits for it')
  await deliverAll(shop)
  const [one, ...more] = receiver.received
  equal(more.length, 0)
  const { event, headers, body } = one!
  equal(event.event_type, 'payment_succeeded')
  equal(event.type, 'payment.succeeded')
  equal(event.merchant_id, shop.merchant_id)
  deepEqual(event.content, { type: 'payment_details', object: paid })
  equal(headers['webhook-id'], event.event_id)
  equal(headers['content-type'], 'application/json')
  equal(headers['x-webhook-signature-512'], createHmac('sha512', shop.hash_key).update(body).digest('hex'))
  const signed = headers as Record<string, string>
  // The libraries use the real clock; ours has stood still since this file began.
  deepEqual(new Webhook(shop.hash_key, { format: 'raw' }).verify(body, signed), event)
})

test('endpoints of a profile receive the events they subscribed to, each signed with its own secrets', async () => {
  const [all, refunds] = [await openReceiver(), await openReceiver()]
  const shop = await openShop()
  const { body: first } = await shop.post('/webhook_endpoints', { url: all.url })
  const { body: second } = await shop.post('/webhook_endpoints', { url: refunds.url, event_types: ['refund.succeeded'] })
  match(first.secret, /^whsec_/)
  const { payment_id } = await shop.pay()
  await shop.refund(payment_id)
  await deliverAll(shop)
  deepEqual(all.types(), ['payment_succeeded', 'refund_succeeded'])
  deepEqual(refunds.types(), ['refund_succeeded'])
  const verify = (secret: string, { body, headers }: (typeof all.received)[number]) =>
    new SvixWebhook(secret).verify(body, { ...(headers as Record<string, string>) })
  verify(first.secret, all.received[0]!)
  verify(second.secret, refunds.received[0]!)
  const { body: rotated } = await shop.post(`/webhook_endpoints/${first.endpoint_id}/rotate_secret`, {})
  await shop.pay()
  await deliverAll(shop)
  verify(first.secret, all.received.at(-1)!)
  verify(rotated.secret, all.received.at(-1)!)
})

test('an event contains the payment as it was at that time', async () => {
  const receiver = await openReceiver()
  const shop = await openSubscribed(receiver.url)
  const held = await shop.hold({ amount: 1000 })
  await shop.capture(held.payment_id, 400)
  const { body: refund } = await shop.refund(held.payment_id, 100)
  await deliverAll(shop)
  deepEqual(receiver.types(), ['payment_authorized', 'payment_captured', 'refund_succeeded'])
  const [authorized, captured, refunded] = receiver.received.map(({ event }) => event.content.object)
  deepEqual(authorized, held)
  deepEqual([captured!.status, captured!.amount_received, captured!.refunds], ['partially_captured', 400, null])
  deepEqual(refunded, await shop.getRefund(refund.refund_id))
  deepEqual(
    receiver.received.map(({ event }) => event.sequence),
    [1, 2, 3],
  )
})

test('a failed delivery is attempted ten times over three days with the same bytes, and then is a dead letter', async () => {
  const receiver = await openReceiver()
  receiver.answers({ status: 500, body: 'out of order' })
  const shop = await openSubscribed(receiver.url)
  const { payment_id } = await shop.pay()
  await deliverAll(shop)
  equal(receiver.received.length, 1)
  const pauses = [
    '6 seconds',
    '6 minutes',
    '33 minutes',
    '133 minutes',
    '330 minutes',
    '660 minutes',
    '924 minutes',
    '1320 minutes',
    '1584 minutes',
  ]
  for (const [i, pause] of pauses.entries()) {
    await shop.wait(pause)
    equal(receiver.received.length, i + 2, pause)
  }
  await shop.wait('3 days')
  equal(receiver.received.length, 10)
  equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
  const [delivery] = await shop.query('select * from deliveries where line = $1', [payment_id])
  deepEqual([delivery.status, delivery.tries], ['dead', 10])
  const attempts = await shop.query('select * from delivery_attempts where event_id = $1 order by created', [delivery.event_id])
  deepEqual([attempts.length, attempts[0].status_code, attempts[0].response_body], [10, 500, 'out of order'])
})

test('events of one payment are delivered in order, and do not delay the events of another payment', async () => {
  const receiver = await openReceiver()
  const shop = await openSubscribed(receiver.url)
  const [held, other] = [await shop.hold(), await shop.hold()]
  receiver.answers(({ event }) => ({ status: event.content.object.payment_id === held.payment_id ? 503 : 200 }))
  await deliverAll(shop)
  await shop.capture(held.payment_id)
  await shop.capture(other.payment_id)
  await deliverAll(shop)
  deepEqual(receiver.types(held.payment_id), ['payment_authorized'])
  deepEqual(receiver.types(other.payment_id), ['payment_authorized', 'payment_succeeded'])
  receiver.answers({ status: 200 })
  await shop.wait('6 seconds')
  deepEqual(receiver.types(held.payment_id), ['payment_authorized', 'payment_authorized', 'payment_succeeded'])
  deepEqual(await shop.query('select * from delivery_lines where merchant_id = $1', [shop.merchant_id]), [], 'nothing waits any more')
})

test('a delivery respects Retry-After, and does not follow redirects', async () => {
  const [receiver, trap] = [await openReceiver(), await openReceiver()]
  receiver.answers({ status: 429, headers: { 'retry-after': '3600' } })
  const shop = await openSubscribed(receiver.url)
  await shop.pay()
  await deliverAll(shop)
  await shop.wait('50 minutes')
  equal(receiver.received.length, 1)
  receiver.answers({ status: 301, headers: { location: trap.url } })
  await shop.wait('11 minutes')
  equal(receiver.received.length, 2)
  equal(trap.received.length, 0)
  receiver.answers({ status: 204 })
  await shop.wait('6 minutes')
  equal(receiver.received.length, 3)
})

test('an endpoint that answers 410 is disabled until it is enabled again, and the other endpoints are notified', async () => {
  const [gone, other] = [await openReceiver(), await openReceiver()]
  gone.answers({ status: 410 })
  const shop = await openShop()
  const { body: endpoint } = await shop.post('/webhook_endpoints', { url: gone.url })
  await shop.post('/webhook_endpoints', { url: other.url })
  await shop.pay()
  await deliverAll(shop)
  await shop.pay()
  await deliverAll(shop)
  equal(gone.received.length, 1)
  deepEqual(other.types().sort(), ['payment_succeeded', 'payment_succeeded', 'webhook_endpoint_disabled'])
  const path = `/webhook_endpoints/${endpoint.endpoint_id}`
  match((await shop.call('GET', path)).body.disabled_reason, /410/)
  gone.answers({ status: 200 })
  equal((await shop.post(path, { enabled: true })).body.disabled_at, null)
  await shop.pay()
  await deliverAll(shop)
  equal(gone.received.length, 2)
})

test('an endpoint that fails for five days is disabled, two days after its merchant was warned', async () => {
  const [dead, other] = [await openReceiver(), await openReceiver()]
  dead.answers({ status: 500 })
  const shop = await openShop()
  await shop.post('/webhook_endpoints', { url: dead.url })
  await shop.post('/webhook_endpoints', { url: other.url, event_types: ['webhook_endpoint_failing', 'webhook_endpoint_disabled'] })
  const days: Record<number, unknown[]> = {}
  for (let day = 0; day < 7; day++) {
    await shop.pay()
    await shop.wait('1 day')
    days[day + 1] = [...other.types()]
  }
  deepEqual(days[2], [])
  deepEqual(days[4], ['webhook_endpoint_failing'])
  deepEqual(days[7], ['webhook_endpoint_failing', 'webhook_endpoint_disabled'])
  const calls = dead.received.length
  await shop.pay()
  await shop.wait('2 days')
  equal(dead.received.length, calls)
})

test('a slow endpoint delays no other endpoint', { timeout: 60_000 }, async () => {
  const [slow, fast] = [await openReceiver(), await openReceiver()]
  const gate = Promise.withResolvers<void>()
  slow.answers(() => gate.promise.then(() => ({ status: 200 })))
  const [waits, goes] = [await openSubscribed(slow.url), await openSubscribed(fast.url)]
  await Promise.all(Array.from({ length: 60 }, () => waits.pay()))
  await goes.pay()
  const delivering = deliverAll(waits)
  while (fast.received.length === 0) await new Promise(setImmediate)
  ok(slow.received.length < 60)
  gate.resolve()
  await delivering
  equal(slow.received.length, 60)
})

test('merchants whose endpoints hang delay no other merchant, in any order', { timeout: 60_000 }, async t => {
  const receiver = await openReceiver()
  const shops = (await Promise.all(Array.from({ length: 7 }, () => openShop()))).sort((a, b) => (a.merchant_id < b.merchant_id ? -1 : 1))
  const [good, ill] = [shops.at(-1)!, shops.slice(0, -1)]
  const silent = new Set<string>()
  await Promise.all(
    ill.flatMap(shop =>
      Array.from({ length: 8 }, async () => silent.add((await shop.post('/webhook_endpoints', { url: receiver.url })).body.endpoint_id)),
    ),
  )
  await good.post('/webhook_endpoints', { url: receiver.url })
  await Promise.all(ill.flatMap(shop => Array.from({ length: 10 }, () => shop.pay())))
  const deliverer = openPatientDeliverer(good, silent)
  t.after(deliverer.close)
  deliverer.run()
  const all = async (many: number) => {
    while (receiver.received.length < many) await new Promise(setImmediate)
  }
  for (let round = 1; round <= 5; round++) {
    await Promise.all(Array.from({ length: 4 }, () => good.pay()))
    // No time passes while these events are delivered: they wait for no endpoint that hangs.
    await all(4 * round)
    while (deliverer.held.size === 0) await new Promise(setImmediate)
    deliverer.pass(15_000)
  }
})

test('an endpoint that timed out gets one delivery at a time with a short timeout, a full one each minute, and recovers when it answers', async t => {
  const receiver = await openReceiver()
  const shop = await openShop()
  const { endpoint_id } = (await shop.post('/webhook_endpoints', { url: receiver.url })).body
  const silent = new Set([endpoint_id])
  await Promise.all(Array.from({ length: 12 }, () => shop.pay()))
  const deliverer = openPatientDeliverer(shop, silent)
  t.after(deliverer.close)
  deliverer.run()
  const called = async () => {
    while (deliverer.held.size === 0) await new Promise(setImmediate)
    return [...deliverer.held].map(one => one.within_ms)
  }
  while ((await called()).length < 2) await new Promise(setImmediate)
  deliverer.pass(15_000)
  for (let i = 0; i < 3; i++) {
    deepEqual(await called(), [3000])
    deliverer.pass(3000)
  }
  deliverer.pass(60_000)
  deepEqual(await called(), [undefined])
  silent.clear()
  deliverer.pass(15_000)
  while (receiver.received.length < 6) await new Promise(setImmediate)
})

test('a huge response is read only as far as it is stored, and a success counts as a success', async () => {
  const receiver = await openReceiver()
  receiver.answers({ status: 200, body: 'x'.repeat(5_000_000) })
  const shop = await openSubscribed(receiver.url)
  const { payment_id } = await shop.pay()
  await deliverAll(shop)
  await shop.wait('1 hour')
  equal(receiver.received.length, 1)
  const [attempt] = await shop.query('select a.* from delivery_attempts a join deliveries d using (event_id) where d.line = $1', [
    payment_id,
  ])
  equal(attempt.response_body.length, 4096)
})

test('events from before an endpoint existed are not sent, and its status filter is respected', async () => {
  const receiver = await openReceiver()
  const shop = await openShop()
  await shop.pay()
  await deliverAll(shop)
  await shop.profile({
    webhook_details: { webhook_url: receiver.url, payment_statuses_enabled: ['failed'], refund_statuses_enabled: ['success'] },
  })
  const { payment_id } = await shop.pay()
  await shop.refund(payment_id)
  await shop.pay({ card: cards.declines })
  await deliverAll(shop)
  deepEqual(receiver.types().sort(), ['payment_failed', 'refund_succeeded'])
})

test('two processes that share the work deliver every event exactly once', { timeout: 60_000 }, async () => {
  const receiver = await openReceiver()
  const shop = await openSubscribed(receiver.url)
  const other = openDeliverer(
    shop.service.context,
    shop.service.settings,
    () => shop.url,
    () => performance.now(),
  )
  await Promise.all(Array.from({ length: 40 }, () => shop.hold().then(held => shop.capture(held.payment_id))))
  await Promise.all([other.tick(), shop.service.tick(), other.tick()])
  await deliverAll(shop)
  equal(receiver.received.length, 80)
  equal(new Set(receiver.received.map(({ event }) => event.event_id)).size, 80)
})

test('a database that is unavailable while events are taken out of the outbox loses no event', async () => {
  const receiver = await openReceiver()
  const shop = await openSubscribed(receiver.url)
  await shop.pay()
  let away = 1
  const context: Context = {
    ...shop.service.context,
    query: (statement, values) => {
      if (statement.name === 'place_deliveries' && away-- > 0) return Promise.reject(new DatabaseAway('it went'))
      return shop.service.context.query(statement, values)
    },
  }
  const placeNext = openDispatch(context, shop.service.settings, () => shop.url, false)
  await rejects(placeNext(), DatabaseAway)
  equal(await placeNext(), 1)
  await deliverAll(shop)
  deepEqual(receiver.types(), ['payment_succeeded'])
})

test('an event that cannot be built delays no other event, is retried ever less often, and has its error recorded', async () => {
  const receiver = await openReceiver()
  const shop = await openSubscribed(receiver.url)
  const [broken, sound] = [await shop.pay(), await shop.pay()]
  const id = [shop.merchant_id, broken.payment_id]
  await shop.query(
    "update changes set announces = 'payment_astonished' where merchant_id = $1 and object_id = $2 and announces is not null",
    id,
  )
  let looks = 0
  for (; looks < 20; looks++) await shop.wait('10 minutes')
  deepEqual(receiver.types(sound.payment_id), ['payment_succeeded'])
  const about = async () => (await shop.query("select * from jobs where merchant_id = $1 and kind = 'outbox'", [shop.merchant_id]))[0]
  const job = await about()
  match(job.reason, /payment_astonished is announced, and is not in the catalogue/)
  ok(job.tries > 5 && job.tries < 15, `${job.tries} tries`)
  await shop.query(
    "update changes set announces = 'payment_succeeded' where merchant_id = $1 and object_id = $2 and announces is not null",
    id,
  )
  await shop.wait('1 hour')
  deepEqual(receiver.types(broken.payment_id), ['payment_succeeded'])
  equal(await about(), undefined)
})

test('every delivery attempt is stored: those to two endpoints and those of a replay', async () => {
  const [one, other] = [await openReceiver(), await openReceiver()]
  const shop = await openShop()
  const { body: endpoint } = await shop.post('/webhook_endpoints', { url: one.url })
  await shop.post('/webhook_endpoints', { url: other.url })
  await shop.pay()
  await deliverAll(shop)
  const [{ event_id }] = (await shop.call('GET', '/events')).body.data
  const attempts = async () => (await shop.call('GET', `/events/${shop.merchant_id}/${event_id}/attempts`)).body
  const first = await attempts()
  equal(first.length, 2)
  equal(first.filter((attempt: Body) => attempt.event_id === event_id).length, 1, 'one of them is called as the event is')
  const { body: replayed } = await shop.post(`/webhook_endpoints/${endpoint.endpoint_id}/replay`, { created_after: '2020-01-01T00:00:00Z' })
  equal(replayed.queued, 1)
  await deliverAll(shop)
  deepEqual([one.received.length, other.received.length, (await attempts()).length], [2, 1, 3])
})

test('events of a platform are sent to the platform, signed with its secret; those of its connected account to the account', async () => {
  const [platformReceiver, own] = [await openReceiver(), await openReceiver()]
  const [shop, platform] = [await openShop(), await openPlatform()]
  const mine = await platform.connect()
  const as = { 'api-key': mine.api_key }
  const { body: endpoint } = await platform.post('/webhook_endpoints', { url: platformReceiver.url })
  await http('POST', `${shop.url}/webhook_endpoints`, { url: own.url }, as)
  platformReceiver.answers({ status: 503 })
  const { body: paid } = await platform.post('/payments', shop.payBody({}), mine.merchant_id)
  const { body: itself } = await http('POST', `${shop.url}/payments`, shop.payBody({}), as)
  await http('POST', `${shop.url}/refunds`, { payment_id: paid.payment_id, amount: 100 }, as)
  await platform.post('/refunds', { payment_id: itself.payment_id, amount: 100 }, mine.merchant_id)
  await deliverAll(shop)
  platformReceiver.answers({ status: 200 })
  await shop.wait('2 minutes')
  const eventsOf = ({ received }: typeof own) =>
    new Set(received.map(({ event }) => `${event.event_type} ${event.content.object.payment_id}`))
  deepEqual(eventsOf(own), new Set([`payment_succeeded ${itself.payment_id}`, `refund_succeeded ${paid.payment_id}`]))
  const last = platformReceiver.received.find(({ event }) => event.event_type === 'payment_succeeded')!
  deepEqual(last.event.content.object, paid)
  deepEqual([last.event.merchant_id, last.event.processor_merchant_id], [platform.platform_id, mine.merchant_id])
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = last.headers
  const secret = Buffer.from(endpoint.secret.slice('whsec_'.length), 'base64')
  equal(signature, `v1,${createHmac('sha256', secret).update(`${id}.${at}.${last.body}`).digest('base64')}`)
  deepEqual(eventsOf(platformReceiver), new Set([`payment_succeeded ${paid.payment_id}`, `refund_succeeded ${itself.payment_id}`]))
  const path = `/events/${mine.merchant_id}/${last.event.event_id}`
  equal((await platform.call('GET', `${path}/attempts`, undefined, mine.merchant_id)).body.length, 2)
  equal((await platform.post(`${path}/retry`, {}, mine.merchant_id)).body.is_delivery_successful, true)
})
