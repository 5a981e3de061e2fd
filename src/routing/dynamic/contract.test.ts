import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { choice, merchantOf, priority, routingContext } from '../../../test/routes.ts'
import type { Body } from '../../../test/shop.ts'
import { openTwoAccounts, type TwoAccounts } from '../../../test/two-accounts.ts'
import { countVolumes, learnFrom } from '../../payments/authorization/attempts.ts'
import { decide } from '../decide.ts'
import { byContract, type Contract, dueOf } from './contract.ts'
import { type AccountHealth, unknownHealth, type Volume } from './health.ts'
import { openHealth } from './health-memory.ts'

const DAY = 24 * 3_600_000

test('the due volume of a contract rises daily or monthly, up to the whole target', () => {
  const tenDays: Contract = { account: 'a', target: 100, since: 0, until: 10 * DAY }
  // biome-ignore format: a table reads better in columns
  const dues: [contract: Contract, unit: number, now: number, due: number | null][] = [
    [tenDays,                              DAY,      -1,            null],
    [tenDays,                              DAY,      0,             10],
    [tenDays,                              DAY,      DAY - 1,       10],
    [tenDays,                              DAY,      DAY,           20],
    [tenDays,                              DAY,      10 * DAY - 1,  100],
    [tenDays,                              DAY,      10 * DAY,      null],
    [{ ...tenDays, target: 3 },            DAY,      0,             1],
    [{ ...tenDays, until: 10 * DAY + 1 },  DAY,      0,             10],
    [tenDays,                              30 * DAY, 0,             100],
    [{ ...tenDays, until: 60 * DAY },      30 * DAY, 0,             50],
    [{ ...tenDays, until: 60 * DAY },      30 * DAY, 30 * DAY,      100],
  ]
  for (const [contract, unit, now, due] of dues) equal(dueOf(contract, unit, now), due, JSON.stringify([contract, unit, now]))
})

const health = (volumes: Record<string, [payments: number, due: number, target: number]>): Record<string, AccountHealth> =>
  Object.fromEntries(
    Object.entries(volumes).map(([id, [payments, due, target]]) => [
      id,
      { ...unknownHealth, contract: { payments, due, target } satisfies Volume },
    ]),
  )

test('accounts behind their contract come first, the furthest behind at the top; the others keep their order', () => {
  const known = health({ b: [10, 10, 100], c: [8, 10, 100], d: [1, 5, 10] })
  const order = byContract(['a', 'b', 'c', 'd', 'e'], id => known[id] ?? unknownHealth)
  deepEqual(order, ['d', 'c', 'a', 'b', 'e'])
})

test('a contract precedes success rates and rules, but not the routing of the request, and skips an account that is down', () => {
  const configured = {
    algorithm: priority('a', 'b'),
    contract_based: {},
    success_based: { config: { exploration_percent: 0 } },
    elimination: {},
  }
  const promised: AccountHealth = { ...unknownHealth, contract: { payments: 0, due: 5, target: 10 } }
  const known: Record<string, AccountHealth> = { a: { ...unknownHealth, success_rate: 99, payments: 100 }, b: promised }
  const first = (more: object, volumes: Record<string, AccountHealth>, routing: object = configured) =>
    decide(merchantOf(['a', 'b'], routing), routingContext(more), volumes).order[0]!.merchant_connector_id
  equal(first({}, known), 'b')
  equal(first({ routing: { type: 'single', data: choice('a') } }, known), 'a')
  equal(first({}, { ...known, b: { ...promised, breaker: 'open' } }), 'a')
  equal(first({}, known, { ...configured, enabled: 'metrics' }), 'a')
  equal(first({}, known, { ...configured, dynamic_share: 0 }), 'a')
  equal(decide(merchantOf(['a', 'b'], configured), routingContext(), known).dynamic?.contract_based, 'routing_c')
})

const base = (shop: TwoAccounts) => `/account/${shop.merchant_id}/business_profile/${shop.profile_id}/dynamic_routing/contracts`
const toggle = (shop: TwoAccounts, body: Body, enable = 'dynamic_connector_selection') =>
  shop.post(`${base(shop)}/toggle?enable=${enable}`, body)
const inSeconds = (shop: TwoAccounts, days: number) => Math.floor(Date.parse(shop.service.context.now()) / 1000) + days * 86_400
const promised = (shop: TwoAccounts, more: Body = {}) => ({
  label: 'phonypay',
  mca_id: shop.second,
  target_count: 6,
  target_time: inSeconds(shop, 3),
  ...more,
})
const went = async (shop: TwoAccounts, more: Body = {}) => (await shop.pay(more)).merchant_connector_id
const evaluate = async (shop: TwoAccounts, more: Body = { amount: 1250, currency: 'USD' }): Promise<Body> =>
  (await shop.post('/routing/evaluate', more)).body

test('payments go to the account behind its contract until it has caught up for the day', async () => {
  const shop = await openTwoAccounts()
  const made = await toggle(shop, { config: { constants: [0.7, 0.35], time_scale: 'day' }, label_info: [promised(shop)] })
  equal(made.status, 200, made.text)
  const ids = [await went(shop), await went(shop), await went(shop)]
  deepEqual(ids, [shop.second, shop.second, shop.first], 'two of six are due on the first day of three')
  const { connectors, dynamic_routing } = await evaluate(shop)
  deepEqual(
    connectors.map((one: Body) => [one.merchant_connector_id, one.contract]),
    [
      [shop.first, null],
      [shop.second, { payments: 2, due: 2, target: 6 }],
    ],
  )
  equal(dynamic_routing.contract_based, 'dynamic_connector_selection')
  await shop.wait('1 day')
  deepEqual([await went(shop), await went(shop), await went(shop)], [shop.second, shop.second, shop.first])
  await shop.wait('3 days')
  equal(await went(shop), shop.first, 'it is over')
})

test('a declined payment does not count for a contract, and the evaluation of an attempt returns its routing', async () => {
  const shop = await openTwoAccounts()
  await toggle(shop, { label_info: [promised(shop, { target_count: 3 })] })
  equal(await went(shop, { amount: 500, card: '4000000000000002' }), shop.second)
  const { payment_id, merchant_connector_id } = await shop.pay()
  equal(merchant_connector_id, shop.second)
  equal(await went(shop), shop.first)
  const then = await evaluate(shop, { payment_id, at: 'attempt' })
  deepEqual([then.connectors[0].merchant_connector_id, then.connectors], [shop.second, then.attempt.connectors])
})

test('a new process counts the payments of all processes for a contract, and counts again after five minutes', async () => {
  const shop = await openTwoAccounts()
  await toggle(shop, { label_info: [promised(shop)] })
  await shop.pay()
  const { context, settings } = shop.service
  let counted: Promise<unknown> = Promise.resolve()
  const count = countVolumes(context)
  const volumes: typeof count = (...asked) => {
    const counting = count(...asked)
    counted = counting
    return counting
  }
  const anew = openHealth({ learn: learnFrom(context), volumes }, context.now, context.log)
  const merchant = (await settings.merchant(shop.merchant_id))!
  await anew.prepare(merchant)
  const seen = () => anew.look(merchant, routingContext({ profile_id: shop.profile_id }))![shop.second]!.contract!.payments
  equal(seen(), 1)
  await shop.pay()
  equal(seen(), 1)
  await shop.wait('6 minutes')
  seen()
  await counted
  equal(seen(), 2)
})

test('a contract update keeps the count and the other contracts, and a new target time restarts the count', async () => {
  const shop = await openTwoAccounts()
  const id = (await toggle(shop, { label_info: [promised(shop)] })).body.id
  await shop.pay()
  const change = async (algorithm_id: string, body: Body) => {
    const answer = await shop.call('PATCH', `${base(shop)}/config/${algorithm_id}`, body)
    equal(answer.status, 200, answer.text)
    return answer.body.id as string
  }
  const contracts = async (algorithm_id: string) =>
    (await shop.call('GET', `/routing/${algorithm_id}`)).body.algorithm.label_info.map((one: Body) => [one.mca_id, one.target_count])
  const more = await change(id, { label_info: [promised(shop, { target_count: 9 })] })
  const both = await change(more, { label_info: [promised(shop, { mca_id: shop.first, target_count: 5, since: inSeconds(shop, -1) })] })
  deepEqual(await contracts(both), [
    [shop.second, 9],
    [shop.first, 5],
  ])
  const of = async (account: string) =>
    (await evaluate(shop)).connectors.find((one: Body) => one.merchant_connector_id === account).contract
  deepEqual(await of(shop.second), { payments: 1, due: 3, target: 9 })
  await shop.wait('1 hour')
  await change(both, { config: { time_scale: 'month' }, label_info: [promised(shop, { target_time: inSeconds(shop, 60) })] })
  deepEqual(await of(shop.second), { payments: 0, due: 3, target: 6 })
  equal((await toggle(shop, {}, 'none')).status, 200)
  equal(await of(shop.second), null)
  isRefused(await toggle(shop, {}, 'none'), 400, 'IR_16')
  equal((await toggle(shop, {}, 'metrics')).status, 200, 'with the contracts that there were')
})

test('an invalid contract is refused with the name of the field', async () => {
  const [shop, other] = [await openTwoAccounts(), await openTwoAccounts()]
  const of = (more: Body) => toggle(shop, { label_info: [promised(shop, more)] })
  isRefused(await toggle(shop, {}), 400, 'IR_04', /label_info/)
  isRefused(await of({ mca_id: other.first }), 422, 'IR_06', /label_info\[0\]\.mca_id/)
  isRefused(await of({ label: 'stripe' }), 422, 'IR_06', /label_info\[0\]\.label/)
  isRefused(await of({ target_time: inSeconds(shop, -1) }), 422, 'IR_06', /target_time/)
  isRefused(await of({ since: inSeconds(shop, 4) }), 422, 'IR_06', /target_time/)
  isRefused(await of({ target_count: 0 }), 400, 'IR_06', /target_count/)
  isRefused(await toggle(shop, { label_info: [promised(shop), promised(shop)] }), 422, 'IR_06', /label_info\[1\]\.mca_id/)
  isRefused(await shop.call('PATCH', `${base(shop)}/config/routing_x`, {}), 404, 'HE_02')
  const { id } = (await of({})).body
  isRefused(await other.call('PATCH', `${base(other)}/config/${id}`, {}), 404, 'HE_02')
})
