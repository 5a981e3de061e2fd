import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { listen } from '../../test/event-stream.ts'
import { openReceiver } from '../../test/receiver.ts'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, http, openPlace, openShop, type Shop } from '../../test/shop.ts'
import { newEventId } from '../base/id.ts'
import { registerListener } from './listener.ts'

/** What the service waits for before it looks for the response of a listener; a stream waits with a signal. */
let nextLook: () => Promise<void> = async () => {}
await openPlace({}, context => ({ ...context, wait: (ms, signal) => (signal ? context.wait(ms, signal) : nextLook()) }))

const laptop = { name: 'ada', machine: 'adas-laptop', forward_to: 'http://localhost:3000/hooks' }

/** Opens a listener of the shop with its stream. */
async function listening(shop: Shop, more: object = {}) {
  const { body, status } = await shop.post('/event_listeners', { ...laptop, ...more })
  equal(status, 200)
  const stream = await listen(shop, `/events/stream?listener_id=${body.listener_id}`)
  const report = (...attempts: Body[]) => shop.post(`/event_listeners/${body.listener_id}/attempts`, { attempts })
  return { ...body, stream, report } as { listener_id: string; expires_at: string; stream: typeof stream; report: typeof report }
}
const took = { latency_ms: 12, began_ms_ago: 1500 }
const names = async (shop: Shop) => (await shop.call('GET', '/event_listeners')).body.data.map((one: Body) => one.name)
const attemptsOf = async (shop: Shop, event_id: string) =>
  (await shop.call('GET', `/events/${shop.merchant_id}/${event_id}/attempts`)).body as Body[]
/** Makes a payment; gives the id of its event. */
async function paidEvent(shop: Shop): Promise<string> {
  await shop.pay()
  await shop.wait('1 second')
  return (await shop.call('GET', '/events?limit=1')).body.data[0].event_id
}

test('an event that is sent again reaches every listener for its type, and the responses are listed among its attempts', {
  timeout: 60_000,
}, async t => {
  const shop = await openShop()
  const event_id = await paidEvent(shop)
  isRefused(await shop.post(`/events/${shop.merchant_id}/${event_id}/retry`, undefined), 400, 'IR_16', /endpoint/)
  const [ada, bob, refunds] = [
    await listening(shop),
    await listening(shop, { name: 'bob' }),
    await listening(shop, { name: 'cleo', event_types: ['refund.succeeded'] }),
  ]
  t.after(() => [ada, bob, refunds].map(({ stream }) => stream.leave()))
  deepEqual(await names(shop), ['ada', 'bob', 'cleo'])
  const reported = Promise.withResolvers<void>()
  nextLook = () => reported.promise
  const asked = shop.post(`/events/${shop.merchant_id}/${event_id}/retry`, undefined)
  await Promise.all([ada.stream.untilRedelivered(1), bob.stream.untilRedelivered(1)])
  const [again] = ada.stream.redelivered
  equal(again!.event_id, event_id)
  deepEqual(JSON.parse(again!.body), (await shop.call('GET', `/events/${event_id}`)).body.body)
  equal((await ada.report({ event_id, attempt_id: again!.delivery_id, status_code: 500, response_body: 'no', ...took })).status, 200)
  reported.resolve()
  const { body: answer } = await asked
  deepEqual([answer.event_id, answer.is_delivery_successful, answer.response.status_code], [again!.delivery_id, false, 500])
  const bobsDelivery = bob.stream.redelivered[0]!.delivery_id
  await bob.report({ event_id, attempt_id: bobsDelivery, status_code: 204, ...took })
  equal((await bob.report({ event_id, attempt_id: bobsDelivery, status_code: 200, ...took })).status, 200, 'told twice, listed once')
  const all = await attemptsOf(shop, event_id)
  deepEqual(
    all.map(one => [one.event_id, one.listener, one.endpoint_id, one.url, one.delivery_attempt, one.is_delivery_successful]).toSorted(),
    [
      [
        again!.delivery_id,
        { listener_id: ada.listener_id, name: 'ada', machine: 'adas-laptop' },
        ada.listener_id,
        laptop.forward_to,
        'manual_retry',
        false,
      ],
      [
        bobsDelivery,
        { listener_id: bob.listener_id, name: 'bob', machine: 'adas-laptop' },
        bob.listener_id,
        laptop.forward_to,
        'manual_retry',
        true,
      ],
    ].toSorted(),
  )
  deepEqual([all[0]!.latency_ms, all[0]!.response.body, all[0]!.response.error_message], [12, 'no', null])
  const event = (await shop.call('GET', `/events/${event_id}`)).body
  deepEqual([event.is_delivery_successful, event.deliveries, event.attempts], [null, [], all])
  deepEqual(refunds.stream.redelivered, [])
  equal((await shop.query('select 1 from listener_deliveries where merchant_id = $1', [shop.merchant_id])).length, 0)
})

test('an event that a listener missed while it was disconnected is delivered when it reconnects', {
  timeout: 60_000,
}, async t => {
  const shop = await openShop()
  const event_id = await paidEvent(shop)
  const ada = await listening(shop)
  ada.stream.leave()
  const { body } = await shop.post(`/events/${shop.merchant_id}/${event_id}/retry`, undefined)
  deepEqual([body.is_delivery_successful, body.response.error_message], [false, 'The listener has not answered yet'])
  deepEqual(await shop.query('select 1 from delivery_attempts where event_id = $1', [event_id]), [], 'silence is no attempt')
  const back = await listen(shop, `/events/stream?listener_id=${ada.listener_id}`, event_id)
  t.after(back.leave)
  await back.untilRedelivered(1)
  equal(back.redelivered[0]!.delivery_id, body.event_id)
  await ada.report({ event_id, attempt_id: body.event_id, error: 'ECONNREFUSED', ...took })
  const [attempt] = await attemptsOf(shop, event_id)
  deepEqual([attempt!.response.status_code, attempt!.response.error_message], [null, 'ECONNREFUSED'])
})

test('a listener is listed for a minute after its last contact, and expires after a day without contact', {
  timeout: 60_000,
}, async t => {
  const shop = await openShop()
  const event_id = await paidEvent(shop)
  const ada = await listening(shop)
  t.after(ada.stream.leave)
  await shop.wait('40 seconds')
  equal((await ada.report()).status, 200)
  await shop.wait('40 seconds')
  deepEqual(await names(shop), ['ada'])
  await shop.wait('21 seconds')
  deepEqual(await names(shop), [])
  isRefused(await shop.post(`/events/${shop.merchant_id}/${event_id}/retry`, undefined), 400, 'IR_16', /endpoint/)
  const back = await listen(shop, `/events/stream?listener_id=${ada.listener_id}`)
  t.after(back.leave)
  deepEqual(await names(shop), ['ada'])
  for (let hour = 0; hour < 26; hour++) await shop.wait('1 hour')
  isRefused(await shop.call('GET', `/events/stream?listener_id=${ada.listener_id}`), 404, 'HE_02', /event listener/)
  isRefused(await ada.report(), 404, 'HE_02', /event listener/)
})

test('a listener that fails changes neither the deliveries nor the health of an endpoint', { timeout: 60_000 }, async t => {
  const [receiver, shop] = [await openReceiver(), await openShop()]
  const { body: endpoint } = await shop.post('/webhook_endpoints', { url: receiver.url })
  const ada = await listening(shop)
  t.after(ada.stream.leave)
  const event_id = await paidEvent(shop)
  const before = (await shop.call('GET', `/webhook_endpoints/${endpoint.endpoint_id}`)).body
  const health = async () => (await shop.call('GET', `/webhook_endpoints/${endpoint.endpoint_id}/health`)).body
  const was = await health()
  for (let i = 0; i < 5; i++) {
    const attempts = Array.from({ length: 20 }, () => ({
      event_id,
      attempt_id: newEventId(shop.service.context),
      status_code: 410,
      ...took,
    }))
    equal((await ada.report(...attempts)).status, 200)
  }
  deepEqual((await shop.call('GET', `/webhook_endpoints/${endpoint.endpoint_id}`)).body, before)
  deepEqual({ ...(await health()), since: null }, { ...was, since: null })
  const event = (await shop.call('GET', `/events/${event_id}`)).body
  deepEqual([event.is_delivery_successful, event.deliveries.length, event.attempts.length], [true, 1, 101])
  const { body } = await shop.post(`/events/${shop.merchant_id}/${event_id}/retry`, undefined)
  deepEqual([body.endpoint_id, body.listener, body.is_delivery_successful], [endpoint.endpoint_id, null, true])
  await ada.stream.untilRedelivered(1)
  equal(ada.stream.redelivered[0]!.body, receiver.received[0]!.body, 'the bytes that the endpoint got')
})

test('a listener is deleted once, and is not found afterwards', { timeout: 60_000 }, async () => {
  const shop = await openShop()
  const ada = await listening(shop)
  ada.stream.leave()
  deepEqual((await shop.call('DELETE', `/event_listeners/${ada.listener_id}`)).body, { listener_id: ada.listener_id, deleted: true })
  deepEqual(await names(shop), [])
  isRefused(await shop.call('DELETE', `/event_listeners/${ada.listener_id}`), 404, 'HE_02', /event listener/)
})

test('a listener is refused in live mode, beyond the limit, with an unknown type, and for an attempt of an unknown event', {
  timeout: 60_000,
}, async t => {
  const [shop, other] = [await openShop(), await openShop()]
  await rejects(registerListener(shop.service.context, 'live', shop.merchant_id, laptop), /test mode only/)
  isRefused(await shop.post('/event_listeners', { ...laptop, event_types: ['nothing'] }), 422, 'IR_06', /event_types\[0\]/)
  isRefused(await shop.post('/event_listeners', { name: 'ada' }), 400, 'IR_21', /machine/)
  const event_id = await paidEvent(shop)
  const ada = await listening(shop)
  t.after(ada.stream.leave)
  const attempt_id = newEventId(shop.service.context)
  isRefused(await ada.report({ event_id: attempt_id, attempt_id, ...took }), 422, 'IR_06', /attempts\[0\]\.attempt_id/)
  isRefused(await ada.report({ event_id: newEventId(shop.service.context), attempt_id, ...took }), 422, 'IR_06', /attempts\[0\]\.event_id/)
  isRefused(await ada.report({ event_id, attempt_id, status_code: 42, ...took }), 400, 'IR_06', /status_code/)
  isRefused(await shop.call('GET', `/events/${shop.merchant_id}/${event_id}/attempts`), 404, 'HE_02')
  for (let i = 1; i < 20; i++) equal((await shop.post('/event_listeners', laptop)).status, 200)
  isRefused(await shop.post('/event_listeners', laptop), 400, 'IR_16', /20 event listeners/)
  equal((await other.post('/event_listeners', laptop)).status, 200, 'of another merchant they are not counted')
})

test('a listener is accessible only to its merchant, and needs a key with the permission for webhooks', { timeout: 60_000 }, async t => {
  const [shop, other] = [await openShop(), await openShop()]
  const ada = await listening(shop)
  t.after(ada.stream.leave)
  const paths: [string, string, Body?][] = [
    ['POST', '/event_listeners', laptop],
    ['GET', '/event_listeners'],
    ['POST', `/event_listeners/${ada.listener_id}/attempts`, { attempts: [] }],
    ['DELETE', `/event_listeners/${ada.listener_id}`],
  ]
  const { body: key } = await http(
    'POST',
    `${shop.url}/api_keys/${shop.merchant_id}`,
    { name: 'reader', expiration: 'never', scopes: ['logs:read'] },
    { 'api-key': ADMIN_KEY },
  )
  for (const [method, path, body] of paths) {
    isRefused(await http(method, shop.url + path, body), 401, 'IR_01')
    isRefused(await http(method, shop.url + path, body, { 'api-key': shop.publishable_key }), 403, 'IR_22')
    isRefused(await http(method, shop.url + path, body, { 'api-key': key.api_key }), 403, 'IR_22', /webhooks:/)
    if (path.includes(ada.listener_id)) isRefused(await other.call(method, path, body), 404, 'HE_02', /event listener/)
  }
  isRefused(await other.call('GET', `/events/stream?listener_id=${ada.listener_id}`), 404, 'HE_02', /event listener/)
  deepEqual((await other.call('GET', '/event_listeners')).body, { size: 0, data: [] })
  ok((await names(shop)).includes('ada'))
})
