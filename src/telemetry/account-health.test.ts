import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { choice } from '../../test/routes.ts'
import { type Body, cards, http, openPlace, openShop, type Shop, testConfig } from '../../test/shop.ts'
import { openTwoAccounts } from '../../test/two-accounts.ts'
import { start } from '../service.ts'
import { openAccountCounts } from './account-counts.ts'
import { addLatencies, countLatency, type Latencies, percentileOf } from './latencies.ts'

const pathOf = (shop: Pick<Shop, 'merchant_id'>, query = '') => `/account/${shop.merchant_id}/connectors/health${query}`
const healthOf = async (shop: Shop, query = ''): Promise<Body> => (await shop.call('GET', pathOf(shop, query))).body
const accountIn = (health: Body, id: string): Body => health.data.find((one: Body) => one.merchant_connector_id === id)
const callsIn = (account: Body): Record<string, Body> => Object.fromEntries(account.calls.map((one: Body) => [one.verb, one]))

test('the health of a connector account shows its requests, its approval rate and its latency', async () => {
  const shop = await openTwoAccounts()
  const none = accountIn(await healthOf(shop), shop.first)
  deepEqual(
    [none.payments, none.success_rate, none.calls, none.last_webhook_at, none.breaker],
    [0, null, [], null, { state: 'closed', since: null, next_try_at: null }],
  )
  const paid = await shop.pay()
  for (let i = 0; i < 28; i++) await shop.pay()
  await shop.pay({ card: cards.declines })
  await shop.post('/refunds', { payment_id: paid.payment_id, amount: 100 })
  await shop.pay({ card: cards.hangs })
  await shop.pay({ routing: { type: 'single', data: choice(shop.second) } })
  for (const window of ['1h', '24h', '7d']) {
    const health = await healthOf(shop, `?window=${window}`)
    equal(health.window, window)
    const first = accountIn(health, shop.first)
    deepEqual([first.payments, first.decided, first.success_rate], [31, 30, 96.67], window)
    const { authorize, refund } = callsIn(first)
    deepEqual([authorize!.count, authorize!.unknown, authorize!.not_sent, refund!.count], [31, 1, 0, 1])
    ok(authorize!.p50_ms > 0 && authorize!.p95_ms >= authorize!.p50_ms)
    equal(
      first.series.reduce((sum: number, point: Body) => sum + point.payments, 0),
      31,
    )
    equal(first.series.at(-1).payments, 31, 'they are of just now')
    const second = accountIn(health, shop.second)
    deepEqual([second.payments, second.success_rate], [1, null], 'one payment is no rate')
  }
  await shop.wait('2 hours')
  const later = accountIn(await healthOf(shop), shop.first)
  deepEqual([later.payments, later.calls.length], [0, 0], 'an hour is forgotten after an hour')
  const day = accountIn(await healthOf(shop, '?window=24h'), shop.first)
  deepEqual([day.payments, day.decided], [31, 31], 'what hung has been found out by now, and is no new call')
  equal(day.series.find((point: Body) => point.payments > 0).payments, 31)
})

test('health counts the requests of all processes once each, also if a process writes its counts twice', async t => {
  const shop = await openTwoAccounts()
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-health-'))
  const config = testConfig(shop.databaseUrl, folder, { keys: { mode: 'test', keys: null, command: null, file: shop.keyFile } })
  const log = { info() {}, warn() {}, error() {} }
  const other = await start(config, { log, scheduler: 'by hand' })
  t.after(async () => {
    await other.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await shop.pay()
  await shop.service.tick()
  await shop.pay()
  await shop.service.tick()
  await shop.service.tick()
  const seen = async () => (await http('GET', `${other.url}${pathOf(shop)}`, undefined, { 'api-key': shop.api_key })).body
  equal(accountIn(await seen(), shop.first).payments, 2)
  const body = { amount: 100, currency: 'USD', confirm: true, payment_method: 'card', payment_method_data: { card: cards.approves } }
  await http('POST', `${other.url}/payments`, body, { 'api-key': shop.api_key })
  const payments = accountIn(await seen(), shop.first).payments
  ok(payments >= 2)
  await shop.pay()
  equal(accountIn(await seen(), shop.first).payments, payments, 'what another process has not written is not known yet')
  await shop.service.tick()
  equal(accountIn(await seen(), shop.first).payments, payments + 1)
})

test('an account whose breaker is open shows since when and when it will be tried again, in every process', async t => {
  const shop = await openTwoAccounts()
  const path = `/account/${shop.merchant_id}/business_profile/${shop.profile_id}/dynamic_routing/elimination/create`
  await shop.post(`${path}?enable=dynamic_connector_selection`, {
    elimination_analyser_config: { bucket_size: 2, bucket_leak_interval_in_secs: 60 },
  })
  for (let i = 0; i < 2; i++) await shop.pay({ card: cards.hangs })
  const breaker = async () => accountIn(await healthOf(shop), shop.first).breaker
  const open = await breaker()
  equal(open.state, 'open')
  equal(Date.parse(open.next_try_at) - Date.parse(open.since), 60_000)
  equal(accountIn(await healthOf(shop), shop.second).breaker.state, 'closed')
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-health-'))
  const config = testConfig(shop.databaseUrl, folder, { keys: { mode: 'test', keys: null, command: null, file: shop.keyFile } })
  const other = await start(config, { log: { info() {}, warn() {}, error() {} }, scheduler: 'by hand' })
  t.after(async () => {
    await other.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const seen = await http('GET', `${other.url}${pathOf(shop)}`, undefined, { 'api-key': shop.api_key })
  deepEqual(accountIn(seen.body, shop.first).breaker, open)
  await shop.wait('1 minute')
  deepEqual(await breaker(), { ...open, state: 'half_open' })
  await shop.pay()
  deepEqual(await breaker(), { state: 'closed', since: null, next_try_at: null })
})

test('only a verified webhook counts as the last webhook of an account', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const at = async () => accountIn(await healthOf(shop), shop.merchant_connector_id).last_webhook_at
  const hook = `${shop.url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`
  isRefused(await http('POST', hook, { id: 'evt_1' }), 401, 'WE_01')
  equal(await at(), null)
  const paid = await shop.pay()
  await shop.processor.flushWebhooks()
  ok(Date.parse(await at()) >= Date.parse(paid.created))
})

test('the health of an account is not shown to another profile or merchant, or for an unknown window', async () => {
  const shop = await openShop()
  const other = await openShop()
  isRefused(await other.call('GET', pathOf(shop)), 401, 'IR_01')
  isRefused(await shop.call('GET', pathOf(shop, '?profile_id=pro_nobody')), 404, 'HE_02')
  isRefused(await shop.call('GET', pathOf(shop, '?window=2h')), 400, 'IR_06', /window/)
  isRefused(await http('GET', `${shop.url}${pathOf(shop)}`, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
  await shop.pay()
  equal((await healthOf(other)).data[0].payments, 0)
  const { profile_id } = accountIn(await healthOf(shop), shop.merchant_connector_id)
  equal((await healthOf(shop, `?profile_id=${profile_id}`)).size, 1)
})

test('account health costs a payment no write; counts that could not be written are written later', async () => {
  const { service } = await openPlace()
  const shop = await openShop()
  await shop.service.tick()
  const asked: string[] = []
  const { query } = service.context
  service.context.query = (statement, values) => {
    asked.push(statement.name)
    return statement.name === 'peer_calls_write' ? Promise.reject(new Error('away')) : query(statement, values)
  }
  await shop.pay()
  ok(!asked.includes('peer_calls_write'))
  await shop.service.tick()
  service.context.query = query
  ok(asked.includes('peer_calls_write'))
  equal((await healthOf(shop)).data[0].payments, 1)
})

test('counts of a finished period are written once, and kept while the database is unavailable', () => {
  const counts = openAccountCounts()
  const call = (at: string, state: 'done' | 'open' = 'done') => {
    const of = { merchant_id: 'm', merchant_connector_id: 'a', verb: 'authorize', modified_at: at } as const
    counts.moved({ ...of, state: 'open' }, { ...of, state }, at)
  }
  call('2026-11-24T10:01:00.000Z')
  call('2026-11-24T10:06:00.000Z')
  const first = counts.take('2026-11-24T10:07:00.000Z')
  const of = ({ rows }: ReturnType<typeof counts.take>) => rows.map(({ at, minutes, calls }) => [at.slice(11, 16), minutes, calls]).sort()
  const all = [
    ['10:00', 5, 1],
    ['10:00', 60, 2],
    ['10:05', 5, 1],
  ]
  deepEqual(of(first), all)
  first.giveBack()
  call('2026-11-24T10:08:00.000Z')
  const again = [
    ['10:00', 5, 1],
    ['10:00', 60, 3],
    ['10:05', 5, 2],
  ]
  deepEqual(of(counts.take('2026-11-24T10:09:00.000Z')), again)
  deepEqual(of(counts.take('2026-11-24T10:09:10.000Z')), [], 'nothing is new')
  call('2026-11-24T10:09:20.000Z')
  deepEqual(of(counts.take('2026-11-24T11:30:00.000Z')), [
    ['10:00', 60, 4],
    ['10:05', 5, 3],
  ])
})

test('a percentile is within 10% of the true value, and the buckets of several processes add up', () => {
  const all: Latencies = {}
  for (const part of [0, 1]) {
    const some: Latencies = {}
    for (let ms = 1 + part; ms <= 2000; ms += 2) countLatency(some, ms)
    addLatencies(all, some)
  }
  for (const [percent, exact] of [
    [50, 1000],
    [95, 1900],
  ] as const) {
    const estimate = percentileOf(all, percent)!
    ok(Math.abs(estimate - exact) / exact < 0.1, `p${percent} ${estimate}`)
  }
  deepEqual([percentileOf({}, 50), percentileOf({ 0: 3 }, 95)], [null, 1])
})
