import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { openReceiver } from '../../test/receiver.ts'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, http, openShop } from '../../test/shop.ts'
import { eventCatalogue } from '../base/event-types.ts'
import { statuses } from '../payments/lifecycle.ts'
import { statuses as payoutStatuses } from '../payouts/lifecycle.ts'
import { refundStatuses } from '../refunds/lifecycle.ts'

const admin = { 'api-key': ADMIN_KEY }

test('each event type is announced, by a status or by a change', () => {
  const byStatus = [statuses, refundStatuses, payoutStatuses].flatMap(all => Object.values<{ eventType: string | null }>(all))
  const announced = new Set(byStatus.map(status => status.eventType))
  const sources = globSync('src/**/*.ts', { exclude: ['**/*.test.ts', 'src/base/event-types.ts', 'src/base/event-types.ts'] })
  const code = sources.map(file => readFileSync(file, 'utf8')).join('\n')
  deepEqual(
    Object.keys(eventCatalogue).filter(name => !announced.has(name) && !new RegExp(`'${name}'|^  ${name}: [{]`, 'm').test(code)),
    [],
    'nothing announces these: name each as `eventType` of a status (lifecycle.ts), or as `announces` of a change',
  )
  equal(new Set(Object.values(eventCatalogue).map(({ dotted }) => dotted)).size, Object.keys(eventCatalogue).length)
})

test('events are found by time, type, class, delivery, and by the id of a payment, refund or event', async () => {
  const [receiver, shop] = [await openReceiver(), await openShop()]
  receiver.answers(({ event }) => ({ status: event.event_type === 'refund_succeeded' ? 500 : 200 }))
  await shop.post('/webhook_endpoints', { url: receiver.url })
  const { payment_id } = await shop.pay()
  const { body: refund } = await shop.refund(payment_id)
  const other = await shop.hold()
  await shop.wait('1 second')
  const path = `/events/${shop.merchant_id}`
  const found = async (ask: Body) => (await http('POST', shop.url + path, ask, admin)).body.events.map((event: Body) => event.event_type)
  deepEqual(await found({}), ['payment_authorized', 'refund_succeeded', 'payment_succeeded'])
  deepEqual(await found({ is_delivered: false }), ['refund_succeeded'])
  deepEqual(await found({ event_classes: ['refunds'] }), ['refund_succeeded'])
  deepEqual(await found({ event_types: ['payment.authorized', 'payment_succeeded'], limit: 1, offset: 1 }), ['payment_succeeded'])
  deepEqual(await found({ object_id: payment_id }), ['refund_succeeded', 'payment_succeeded'])
  deepEqual(await found({ object_id: refund.refund_id }), ['refund_succeeded'])
  deepEqual(await found({ object_id: other.payment_id }), ['payment_authorized'])
  const { body } = await shop.post('/events/profile/list', { created_before: shop.service.context.now() })
  equal(body.total_count, 3)
  const { event_id } = body.events[1]
  deepEqual(await found({ event_id }), ['refund_succeeded'])
  const { data } = (await shop.call('GET', '/events?event_types=refund.succeeded')).body
  deepEqual([data[0].event_id, data[0].type, data[0].is_delivery_successful], [event_id, 'refund_done', false])
})

test('a search with contradictory or excessive filters is refused with the name of the filter', async () => {
  const shop = await openShop()
  const now = shop.service.context.now()
  const wrong: [Body, number, string, RegExp][] = [
    [{ object_id: 'x', event_id: 'y' }, 400, 'IR_16', /together/],
    [{ object_id: 'x', limit: 3 }, 400, 'IR_16', /limit/],
    [{ limit: 101 }, 422, 'IR_06', /limit/],
    [{ created_after: '2020-01-01T00:00:00Z' }, 422, 'IR_06', /created_after/],
    [{ created_after: now, created_before: new Date(Date.parse(now) - 1000).toISOString() }, 422, 'IR_06', /created_after/],
    [{ event_classes: ['parcels'] }, 422, 'IR_06', /event_classes\[0\]/],
    [{ event_classes: ['refunds'], event_types: ['payment_failed'] }, 422, 'IR_06', /event_types\[0\]/],
    [{ event_types: ['payment_lost'] }, 422, 'IR_06', /event_types\[0\]/],
  ]
  for (const [ask, status, code, pattern] of wrong) isRefused(await shop.post(`/events/${shop.merchant_id}`, ask), status, code, pattern)
})

test('an event shows its body and every delivery attempt, and can be sent again manually', async () => {
  const [receiver, shop] = [await openReceiver(), await openShop()]
  receiver.answers({ status: 503, headers: { 'x-why': 'lunch' }, body: 'later' })
  await shop.post('/webhook_endpoints', { url: receiver.url })
  const paid = await shop.pay()
  await shop.wait('1 second')
  const [{ event_id }] = (await shop.call('GET', '/events')).body.data
  const event = (await shop.call('GET', `/events/${event_id}`)).body
  deepEqual(event.body.content.object, paid)
  deepEqual([event.deliveries[0].status, event.deliveries[0].tries, event.is_delivery_successful], ['pending', 1, false])
  const [attempt] = (await http('GET', `${shop.url}/events/${shop.merchant_id}/${event_id}/attempts`, undefined, admin)).body
  deepEqual(
    [attempt.event_id, attempt.delivery_attempt, attempt.response.status_code, attempt.response.body, attempt.is_delivery_successful],
    [event_id, 'initial_attempt', 503, 'later', false],
  )
  equal(attempt.request.body, receiver.received[0]!.body)
  ok(attempt.response.headers.some(([name, value]: [string, string]) => name === 'x-why' && value === 'lunch'))
  receiver.answers({ status: 200 })
  const { body: again } = await http('POST', `${shop.url}/events/${shop.merchant_id}/${event_id}/retry`, undefined, admin)
  deepEqual([again.delivery_attempt, again.is_delivery_successful, again.initial_attempt_id], ['manual_retry', true, event_id])
  deepEqual([receiver.received.length, receiver.received[1]!.body], [2, receiver.received[0]!.body])
  await shop.wait('1 hour')
  equal(receiver.received.length, 2, 'what arrived is not sent again')
  deepEqual(await shop.query('select * from delivery_lines where merchant_id = $1', [shop.merchant_id]), [])
})

test('an event without an endpoint can be read, and cannot be sent', async () => {
  const shop = await openShop()
  const paid = await shop.pay()
  await shop.capture(paid.payment_id)
  await shop.wait('1 second')
  const [{ event_id }] = (await shop.call('GET', '/events')).body.data
  const event = (await shop.call('GET', `/events/${event_id}`)).body
  deepEqual([event.body.content.object, event.is_delivery_successful], [paid, null])
  isRefused(await shop.call('GET', `/events/${shop.merchant_id}/${event_id}/attempts`), 404, 'HE_02')
  isRefused(await shop.post(`/events/${shop.merchant_id}/${event_id}/retry`, undefined), 400, 'IR_16', /endpoint/)
})

test('events and endpoints of another merchant are not found, like missing ones', async () => {
  const [receiver, shop, other] = [await openReceiver(), await openShop(), await openShop()]
  const { body: endpoint } = await other.post('/webhook_endpoints', { url: receiver.url })
  await other.pay()
  await other.wait('1 second')
  const [{ event_id }] = (await other.call('GET', '/events')).body.data
  deepEqual((await shop.call('GET', '/events')).body.data, [])
  for (const path of [`/events/${event_id}`, `/webhook_endpoints/${endpoint.endpoint_id}`]) {
    const missing = await shop.call('GET', path.replace(/[a-zA-Z0-9]{5}$/, 'zzzzz'))
    isRefused(missing, 404, 'HE_02')
    areTheSame(await shop.call('GET', path), missing)
  }
  isRefused(await shop.call('GET', `/events/${other.merchant_id}/${event_id}/attempts`), 401, 'IR_01')
})

test('events of a period, or only the failed ones, are replayed to an endpoint, also to a new one', async () => {
  const [receiver, shop] = [await openReceiver(), await openShop()]
  const since = shop.service.context.now()
  const { payment_id } = await shop.pay()
  await shop.refund(payment_id)
  await shop.wait('1 second')
  const { body: endpoint } = await shop.post('/webhook_endpoints', { url: receiver.url })
  const path = `/webhook_endpoints/${endpoint.endpoint_id}/replay`
  deepEqual((await shop.post(path, { created_after: since, dry_run: true })).body, { endpoint_id: endpoint.endpoint_id, queued: 2 })
  await shop.wait('1 second')
  equal(receiver.received.length, 0, 'they were only counted')
  deepEqual((await shop.post(path, { created_after: since })).body, { endpoint_id: endpoint.endpoint_id, queued: 2 })
  await shop.wait('1 second')
  deepEqual(receiver.types(), ['payment_succeeded', 'refund_succeeded'])
  receiver.answers({ status: 500 })
  await shop.pay()
  for (let day = 0; day < 9; day++) await shop.wait('1 day')
  receiver.answers({ status: 200 })
  await shop.post(`/webhook_endpoints/${endpoint.endpoint_id}`, { enabled: true })
  const calls = receiver.received.length
  equal((await shop.post(path, { created_after: since, only_failed: true })).body.queued, 1)
  await shop.wait('1 second')
  equal(receiver.received.length, calls + 1)
  equal(receiver.received.at(-1)!.body, receiver.received.at(-2)!.body)
  isRefused(await shop.post(path, {}), 400, 'IR_04', /created_after/)
})

test('a replay of an event whose stored body was deleted is retried until it is delivered', async () => {
  const [receiver, shop] = [await openReceiver(), await openShop()]
  const since = shop.service.context.now()
  const { body: endpoint } = await shop.post('/webhook_endpoints', { url: receiver.url })
  await shop.pay()
  await shop.wait('1 second')
  const [first] = receiver.received
  await shop.wait('100 days')
  receiver.answers({ status: 500 })
  const path = `/webhook_endpoints/${endpoint.endpoint_id}/replay`
  equal((await shop.post(path, { created_after: since })).body.queued, 1)
  await shop.wait('1 second')
  receiver.answers({ status: 200 })
  await shop.wait('1 day')
  deepEqual(
    receiver.received.map(({ headers }) => headers['webhook-id']),
    [1, 2, 3].map(() => first!.event.event_id),
  )
})

test('a test event is sent at once, and returns the response of the endpoint', async () => {
  const [receiver, shop] = [await openReceiver(), await openShop()]
  const { body: endpoint } = await shop.post('/webhook_endpoints', { url: receiver.url, event_types: ['payment_failed'] })
  const { body } = await shop.post(`/webhook_endpoints/${endpoint.endpoint_id}/test`, {})
  deepEqual([body.event_type, body.is_delivery_successful, body.response.status_code], ['webhook_test', true, 200])
  equal(receiver.received[0]!.event.type, 'webhook.test')
})

test('an endpoint can be updated, disabled, listed beside the endpoint of its profile, and deleted', async () => {
  const [receiver, shop] = [await openReceiver(), await openShop()]
  await shop.profile({ webhook_details: { webhook_url: receiver.url } })
  const { body: endpoint } = await shop.post('/webhook_endpoints', { url: `${receiver.url}/2`, description: 'books' })
  const path = `/webhook_endpoints/${endpoint.endpoint_id}`
  const { body: list } = await shop.call('GET', '/webhook_endpoints')
  deepEqual(
    list.data.map((one: Body) => [one.url, one.of_profile, one.secret]),
    [
      [receiver.url, true, undefined],
      [`${receiver.url}/2`, false, undefined],
    ],
  )
  equal((await shop.post(path, { enabled: false, event_types: ['payment.failed'] })).body.enabled, false)
  await shop.pay()
  await shop.wait('1 second')
  deepEqual(
    receiver.received.map(one => one.path),
    ['/hooks'],
  )
  isRefused(await shop.post(path, { event_types: ['payment.lost'] }), 422, 'IR_06', /event_types\[0\]/)
  isRefused(await shop.post(`/webhook_endpoints/${list.data[0].endpoint_id}`, { description: 'x' }), 400, 'IR_16', /profile/)
  equal((await shop.call('DELETE', path)).body.deleted, true)
  isRefused(await shop.call('GET', path), 404, 'HE_02')
  match((await shop.call('DELETE', path)).text, /HE_02/)
})

test('unknown endpoints and invalid parameters are refused by name', async () => {
  const shop = await openShop()
  isRefused(await shop.post('/events/profile/list', { limit: 101 }), 422, 'IR_06', /limit/)
  isRefused(await shop.call('GET', '/webhook_endpoints?enabled=true'), 400, 'IR_06', /enabled/)
  for (const verb of ['rotate_secret', 'test']) isRefused(await shop.post(`/webhook_endpoints/we_nowhere/${verb}`, {}), 404, 'HE_02')
})
