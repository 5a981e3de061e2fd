import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { listen } from '../../test/event-stream.ts'
import { entered, openOwner, PASSWORD, someEmail, tokenOf } from '../../test/people.ts'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, http, newDatabase, openShop, type Shop, testConfig } from '../../test/shop.ts'
import { later } from '../base/time.ts'
import { openCommit } from '../database/commit.ts'
import { openWriter } from '../database/writer.ts'
import type { Payment } from '../payments/payment.ts'
import { findPayment } from '../payments/rows.ts'
import { start } from '../service.ts'

test('events are streamed as in webhooks, and a client that reconnects continues where it stopped', { timeout: 60_000 }, async t => {
  const shop = await openShop()
  const first = await listen(shop)
  t.after(first.leave)
  match(String(first.answer.headers['content-type']), /^text\/event-stream/)
  const held = await shop.hold()
  await first.until(1)
  first.leave()
  await shop.capture(held.payment_id)
  const { payment_id } = await shop.pay()
  const back = await listen(shop, '/events/stream', first.events[0]!.id)
  t.after(back.leave)
  await back.until(3)
  const [again, ...fresh] = back.events
  equal(again!.id, first.events[0]!.id, 'at least once')
  deepEqual(
    fresh.map(({ event, data }) => [event, data.content.object.payment_id, data.sequence]),
    [
      ['payment_succeeded', held.payment_id, 2],
      ['payment_succeeded', payment_id, 1],
    ],
  )
  for (const { id, data } of back.events) {
    equal(id, data.event_id)
    deepEqual((await shop.call('GET', `/events/${id}`)).body.body, data)
  }
})

test('an event stream goes on when another service of the same process stops', { timeout: 60_000 }, async t => {
  const shop = await openShop()
  const stream = await listen(shop)
  t.after(stream.leave)
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-stream-'))
  const database = await newDatabase()
  const log = { info() {}, warn() {}, error() {} }
  const other = await start(testConfig(database.url, folder), { log, scheduler: 'by hand' })
  await other.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
  const { payment_id } = await shop.pay()
  await stream.until(1)
  deepEqual([stream.events[0]!.event, stream.events[0]!.data.content.object.payment_id], ['payment_succeeded', payment_id])
})

test('an event that is written ten minutes late is streamed once when it is written, also to a client that reconnects', {
  timeout: 60_000,
}, async t => {
  const shop = await openShop()
  const { context } = shop.service
  const held = await shop.hold()
  const before = (await findPayment(context, shop.merchant_id, held.payment_id))!
  await shop.wait('10 minutes')
  const stream = await listen(shop)
  t.after(stream.leave)
  const paid = await shop.pay()
  await stream.until(1)
  // The change was handed over ten minutes ago, and is sent now.
  const [times, seconds] = [
    [later(context.now(), -600_000), context.now()],
    [0, 600],
  ]
  const writer = openWriter(shop.databaseUrl, context.wait, () => 1000 * (seconds.shift() ?? 600))
  t.after(() => writer.close())
  const commit = openCommit(writer, { ...context, now: () => times.shift()! })
  const event = { type: 'moved', announces: 'payment_processing' as const }
  const written = await commit<Payment>({ head: 'payments', before, after: before, rows: [], event, by: 'a use case' })
  equal(written.is, 'written')
  await stream.until(2)
  const { payment_id } = await shop.pay()
  await stream.until(3)
  const payments = [paid.payment_id, held.payment_id, payment_id]
  deepEqual(
    stream.events.map(({ data }) => data.content.object.payment_id),
    payments,
  )
  ok(stream.events[1]!.id < stream.events[0]!.id)
  const back = await listen(shop, '/events/stream', stream.events[0]!.id)
  t.after(back.leave)
  await back.until(3)
  deepEqual(
    back.events.map(({ data }) => data.content.object.payment_id),
    payments,
  )
})

test('a stream ends when its API key is revoked or expires, or its merchant is deleted', { timeout: 60_000 }, async t => {
  const admin = (shop: Shop, method: string, path: string, body?: unknown) => http(method, shop.url + path, body, { 'api-key': ADMIN_KEY })
  const ends: Record<string, (shop: Shop, key_id: string) => Promise<unknown>> = {
    'is revoked': (shop, key_id) => admin(shop, 'DELETE', `/api_keys/${shop.merchant_id}/${key_id}`),
    expires: shop => shop.wait('2 hours'),
    'its merchant is deleted': shop => admin(shop, 'DELETE', `/accounts/${shop.merchant_id}`),
  }
  for (const [how, end] of Object.entries(ends)) {
    const shop = await openShop()
    const expiration = later(shop.service.context.now(), 3_600_000)
    const { body } = await admin(shop, 'POST', `/api_keys/${shop.merchant_id}`, { name: 'reader', expiration })
    const reader = await listen({ ...shop, api_key: body.api_key })
    const other = how === 'its merchant is deleted' ? null : await listen(shop)
    t.after(reader.leave)
    t.after(() => other?.leave())
    equal(reader.answer.statusCode, 200)
    await end(shop, body.key_id)
    await reader.ended
    if (!other) continue
    await shop.pay()
    await other.until(1)
    deepEqual([reader.events.length, other.events.length], [0, 1], how)
    other.leave()
  }
})

test('a stream of some event types has no other types, and no events of other merchants', { timeout: 60_000 }, async t => {
  const [shop, other] = [await openShop(), await openShop()]
  const stream = await listen(shop, '/events/stream?event_types=refund.succeeded')
  t.after(stream.leave)
  const paid = await shop.pay()
  await other.refund((await other.pay()).payment_id, 500)
  await shop.refund(paid.payment_id, 500)
  await stream.until(1)
  deepEqual(
    stream.events.map(({ event }) => event),
    ['refund_succeeded'],
  )
})

test('an invalid event id or type is refused by name, and so are more streams than a merchant may have', { timeout: 60_000 }, async t => {
  const shop = await openShop()
  const ask = (path: string, headers = {}) => http('GET', shop.url + path, undefined, { 'api-key': shop.api_key, ...headers })
  isRefused(await ask('/events/stream', { 'last-event-id': 'x' }), 400, 'IR_07', /Last-Event-ID/)
  isRefused(await ask('/events/stream?event_types=nothing'), 422, 'IR_06', /event_types/)
  isRefused(await http('GET', `${shop.url}/events/stream`, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
  const streams = await Promise.all(Array.from({ length: 10 }, () => listen(shop)))
  t.after(() => streams.map(one => one.leave()))
  const refused = await ask('/events/stream')
  isRefused(refused, 503, 'HE_00')
  ok(refused.headers['retry-after'])
  const { cookie } = await openOwner(shop)
  const tab = await new Promise<IncomingMessage>(resolve => get(`${shop.url}/events/stream`, { headers: { cookie } }, resolve))
  equal(tab.statusCode, 200, 'tabs of people are counted apart from servers')
  tab.destroy()
  streams[0]!.leave()
  for (;;) {
    const next = await listen(shop)
    next.leave()
    if (next.answer.statusCode === 200) break
  }
})

test('a user with a role for one profile receives only its events, and the stream ends when the role changes to another', {
  timeout: 60_000,
}, async t => {
  const shop = await openShop()
  const [{ profile_id }] = (await shop.call('GET', `/account/${shop.merchant_id}/business_profile`)).body
  const other = (await shop.post(`/account/${shop.merchant_id}/business_profile`, { profile_name: 'second' })).body.profile_id
  const owner = await openOwner(shop)
  const invited = (
    await owner.post('/user/invite', { email: someEmail(), role: 'operator', profile_ids: [profile_id], password: PASSWORD })
  ).body
  const accepted = { token: tokenOf(invited.url), name: 'Nora', password: PASSWORD }
  const { cookie, user } = entered(shop, await http('POST', `${shop.url}/user/invite/accept`, accepted))
  const stream = await listen(shop, '/events/stream', undefined, { cookie })
  t.after(stream.leave)
  const ask = { confirm: false, amount: 100, currency: 'EUR' }
  const cancelled = async (profile_id: string) => {
    const { payment_id } = (await shop.post('/payments', { ...ask, profile_id })).body
    equal((await shop.cancel(payment_id)).status, 200)
    return payment_id as string
  }
  await cancelled(other)
  const own = await cancelled(profile_id)
  await stream.until(1)
  deepEqual(
    stream.events.map(({ data }) => data.content.object.payment_id),
    [own],
  )
  equal((await owner.post(`/user/${user.user_id}`, { profile_ids: [other], password: PASSWORD })).status, 200)
  await stream.ended
})
