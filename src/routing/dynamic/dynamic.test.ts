import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { isRefused } from '../../../test/refused.ts'
import { choice, routingContext } from '../../../test/routes.ts'
import { type Body, cards } from '../../../test/shop.ts'
import { attemptsOf, openTwoAccounts, type TwoAccounts } from '../../../test/two-accounts.ts'
import { countVolumes, learnFrom } from '../../payments/authorization/attempts.ts'
import { openHealth } from './health-memory.ts'

const pathOf = (shop: TwoAccounts) => `/account/${shop.merchant_id}/business_profile/${shop.profile_id}/dynamic_routing`
const create = (shop: TwoAccounts, kind: 'success_based' | 'elimination', body: Body, enable = 'dynamic_connector_selection') =>
  shop.post(`${pathOf(shop)}/${kind}/create?enable=${enable}`, body)
const toggle = (shop: TwoAccounts, kind: 'success_based' | 'elimination', enable: string) =>
  shop.post(`${pathOf(shop)}/${kind}/toggle?enable=${enable}`, {})
const evaluate = async (shop: TwoAccounts, more: Body = {}): Promise<Body> =>
  (await shop.post('/routing/evaluate', { amount: 1250, currency: 'USD', ...more })).body
const breakers = async (shop: TwoAccounts) => {
  const { connectors } = await evaluate(shop)
  return [shop.first, shop.second].map(id => connectors.find((one: Body) => one.merchant_connector_id === id).breaker)
}
const went = async (shop: TwoAccounts, more: Body = {}) => (await shop.pay(more)).merchant_connector_id

/** Settings with small blocks and without exploration, which show an effect after a few payments. */
const quick = {
  config: {
    min_aggregates_size: 1,
    max_aggregates_size: 10,
    exploration_percent: 0,
    default_success_rate: 60,
    current_block_threshold: { max_total_count: 4 },
  },
}
const named = (id: string) => ({ routing: { type: 'single', data: choice(id) } })

test('payments go to the account with the best recent success rate for similar payments', async () => {
  const shop = await openTwoAccounts()
  equal((await create(shop, 'success_based', { ...quick, params: ['Currency'] })).status, 200)
  for (let i = 0; i < 4; i++) await shop.pay({ ...named(shop.first), card: cards.declines })
  for (let i = 0; i < 4; i++) await shop.pay(named(shop.second))
  equal(await went(shop), shop.second)
  equal(await went(shop, { currency: 'EUR' }), shop.first, 'another currency is another cell')
  const { connectors, ranked, dynamic_routing } = await evaluate(shop)
  deepEqual(
    connectors.map((one: Body) => [one.merchant_connector_id, one.success_rate, one.payments]),
    [
      [shop.second, 100, 4],
      [shop.first, 0, 4],
    ],
  )
  deepEqual(
    [ranked, dynamic_routing],
    [true, { success_based: 'dynamic_connector_selection', contract_based: 'none', elimination: 'none', split: 100 }],
  )
  for (let i = 0; i < 40; i++) await shop.pay(named(shop.first))
  deepEqual((await evaluate(shop)).connectors[0].success_rate, 100, 'what was bad is forgotten after ten blocks')
})

test('an outcome counts when it is final, not while a challenge is open or a response is missing', async () => {
  const shop = await openTwoAccounts()
  await create(shop, 'success_based', { config: { ...quick.config, current_block_threshold: { max_total_count: 1 } } })
  const payments = async () => (await evaluate(shop)).connectors.find((one: Body) => one.merchant_connector_id === shop.first).payments
  await shop.pay({ card: cards.challenges, authentication_type: 'three_ds' })
  const silent = await shop.pay({ card: cards.chargesAndHangs })
  deepEqual([silent.status, await payments()], ['processing', 0])
  await shop.wait('2 minutes')
  equal((await shop.get(silent.payment_id)).status, 'succeeded')
  equal(await payments(), 1)
})

test('metrics mode does not change the routing, and a switch to the mode already set is refused', async () => {
  const shop = await openTwoAccounts()
  isRefused(await toggle(shop, 'success_based', 'none'), 400, 'IR_16', /already/)
  const made = (await create(shop, 'success_based', quick, 'metrics')).body
  deepEqual([made.kind, made.profile_id], ['dynamic', shop.profile_id])
  for (let i = 0; i < 4; i++) await shop.pay({ card: cards.declines })
  const { connectors, ranked } = await evaluate(shop)
  deepEqual([connectors[0].merchant_connector_id, connectors[0].success_rate, ranked], [shop.first, 0, false])
  isRefused(await toggle(shop, 'success_based', 'metrics'), 400, 'IR_16', /already/)
  equal((await toggle(shop, 'success_based', 'dynamic_connector_selection')).body.id, made.id, 'with the settings that it has')
  equal(await went(shop), shop.second)
  await toggle(shop, 'success_based', 'none')
  equal(await went(shop), shop.first)
  equal((await shop.post(`/routing/${made.id}/activate`, {})).status, 200)
  equal((await evaluate(shop)).dynamic_routing.success_based, 'dynamic_connector_selection')
  isRefused(await shop.post(`/routing/${made.id}/activate`, {}), 400, 'IR_16')
})

test('changed settings create a new algorithm in place of the old one, and settings that are not named stay', async () => {
  const shop = await openTwoAccounts()
  const { id } = (await create(shop, 'success_based', { ...quick, params: ['Currency'] })).body
  const path = `${pathOf(shop)}/success_based/config`
  const changed = await shop.call('PATCH', `${path}/${id}`, { config: { exploration_percent: 5 } })
  equal(changed.status, 200, changed.text)
  const { algorithm } = (await shop.call('GET', `/routing/${changed.body.id}`)).body
  deepEqual(algorithm, { params: ['Currency'], config: { ...quick.config, exploration_percent: 5 } })
  deepEqual((await shop.call('GET', `/routing/${id}`)).body.algorithm.config, quick.config, 'the old one is what it was')
  isRefused(await shop.call('PATCH', `${path}/${changed.body.id}`, { config: { max_aggregates_size: 0 } }), 400, 'IR_06')
  isRefused(
    await shop.call('PATCH', `${path}/${changed.body.id}`, { config: { min_aggregates_size: 50 } }),
    422,
    'IR_06',
    /max_aggregates_size/,
  )
  isRefused(await shop.call('PATCH', `${pathOf(shop)}/elimination/config/${changed.body.id}`, {}), 404, 'HE_02')
  isRefused(await create(shop, 'success_based', { params: ['Weather'] }), 400, 'IR_06', /params/)
  isRefused(await create(shop, 'success_based', { config: { specificity_level: 'global' } }), 400, 'IR_06', /specificity_level/)
  isRefused(await create(shop, 'elimination', {}, 'perhaps'), 400, 'IR_06', /enable/)
  isRefused(await shop.post(`${pathOf(shop)}/elimination/create`, {}), 400, 'IR_04', /enable/)
  isRefused(await shop.post(`${pathOf(shop)}/set_volume_split?split=101`, {}), 400, 'IR_16', /split/)
  for (const kind of ['success_based', 'elimination'])
    isRefused(
      await shop.post(`/account/${shop.merchant_id}/business_profile/pro_x/dynamic_routing/${kind}/toggle?enable=metrics`, {}),
      404,
      'HE_02',
    )
})

test('no payment is ranked by success rate if the volume split is 0', async () => {
  const shop = await openTwoAccounts()
  await create(shop, 'success_based', quick)
  for (let i = 0; i < 4; i++) await shop.pay({ ...named(shop.first), card: cards.declines })
  equal(await went(shop), shop.second)
  deepEqual((await shop.post(`${pathOf(shop)}/set_volume_split?split=0`, {})).body, { routing_type: 'dynamic', split: 0 })
  equal(await went(shop), shop.first)
})

const fragile = { elimination_analyser_config: { bucket_size: 2, bucket_leak_interval_in_secs: 60 } }

test('an account that does not respond is tried last; later one payment tries it, and a response restores it', async () => {
  const shop = await openTwoAccounts()
  await create(shop, 'elimination', fragile)
  equal((await shop.pay({ card: cards.hangs })).status, 'processing')
  deepEqual(await breakers(shop), ['closed', 'closed'])
  await shop.pay({ card: cards.hangs })
  deepEqual(await breakers(shop), ['open', 'closed'])
  const paid = await shop.pay()
  deepEqual([paid.status, paid.merchant_connector_id], ['succeeded', shop.second])
  const [{ routing }] = await attemptsOf(shop, paid.payment_id)
  deepEqual(
    routing.connectors.map((one: Body) => [one.merchant_connector_id, one.breaker]),
    [
      [shop.second, 'closed'],
      [shop.first, 'open'],
    ],
  )
  equal(await went(shop, named(shop.first)), shop.second, 'also for a payment that names it')
  await shop.wait('1 minute')
  deepEqual(await breakers(shop), ['half_open', 'closed'])
  deepEqual(await breakers(shop), ['half_open', 'closed'], 'to look at it is not to try it')
  const trial = await shop.pay()
  deepEqual([trial.status, trial.merchant_connector_id], ['succeeded', shop.first])
  deepEqual(await breakers(shop), ['closed', 'closed'])
})

test('a trial payment without a response keeps the account tried last for twice as long', async () => {
  const shop = await openTwoAccounts()
  await create(shop, 'elimination', fragile)
  for (let i = 0; i < 2; i++) await shop.pay({ card: cards.hangs })
  await shop.wait('1 minute')
  equal((await shop.pay({ card: cards.hangs })).merchant_connector_id, shop.first)
  await shop.wait('1 minute')
  deepEqual(await breakers(shop), ['open', 'closed'])
  equal(await went(shop), shop.second)
  await shop.wait('1 minute')
  deepEqual(await breakers(shop), ['half_open', 'closed'])
})

test('only one payment at a time tries an account that is down', async () => {
  const shop = await openTwoAccounts()
  await create(shop, 'elimination', fragile)
  for (let i = 0; i < 2; i++) await shop.pay({ card: cards.hangs })
  await shop.wait('1 minute')
  const both = [shop.processor, shop.secondProcessor]
  for (const one of both) await one.fault('authorize', 'latency', { ms: 10_000, times: 6 })
  const paying = Promise.all(Array.from({ length: 6 }, () => shop.pay()))
  const waiting = async () => (await Promise.all(both.map(one => one.waiting()))).flat()
  await eventually(async () => (await waiting()).length === 6, 'all are at the processors at once')
  for (const one of both) await one.advance(10)
  const all = await paying
  deepEqual(all.filter(one => one.merchant_connector_id === shop.first).length, 1)
})

test('a decline is a response, and does not open the breaker', async () => {
  const shop = await openTwoAccounts()
  await create(shop, 'elimination', fragile)
  for (let i = 0; i < 5; i++) await shop.pay({ card: cards.declines })
  deepEqual(await breakers(shop), ['closed', 'closed'])
})

test('a new process loads recent outcomes with two queries, only for merchants with dynamic routing', async () => {
  const [shop, other] = [await openTwoAccounts(), await openTwoAccounts()]
  await create(shop, 'success_based', quick)
  await create(shop, 'elimination', fragile)
  for (let i = 0; i < 4; i++) await shop.pay({ ...named(shop.second), card: cards.declines })
  for (let i = 0; i < 2; i++) await shop.pay({ card: cards.hangs })
  const { context, services, settings } = shop.service
  let looks = 0
  const counting = { ...context, query: ((...all) => ++looks && context.query(...all)) as typeof context.query }
  const anew = openHealth({ learn: learnFrom(counting), volumes: countVolumes(counting) }, context.now, context.log)
  const merchant = (await settings.merchant(shop.merchant_id))!
  const asked = routingContext({ profile_id: shop.profile_id })
  await anew.prepare((await settings.merchant(other.merchant_id))!)
  equal(looks, 0)
  await anew.prepare(merchant)
  await anew.prepare(merchant)
  equal(looks, 2)
  deepEqual(anew.look(merchant, asked), services.health.look(merchant, asked))
  const seen = anew.look(merchant, asked)!
  deepEqual([seen[shop.first]!.breaker, seen[shop.second]!.success_rate], ['open', 0])
})

test('a database failure while outcomes are loaded is logged, and the merchant is still served', async () => {
  const shop = await openTwoAccounts()
  await create(shop, 'elimination', fragile)
  const warned: string[] = []
  const log = { warn: (_: object, message: string) => void warned.push(message) }
  const away = () => Promise.reject(new Error('away'))
  const health = openHealth({ learn: away, volumes: away }, shop.service.context.now, log)
  await health.prepare((await shop.service.settings.merchant(shop.merchant_id))!)
  equal(warned.length, 1)
  ok(health.look((await shop.service.settings.merchant(shop.merchant_id))!, routingContext({ profile_id: shop.profile_id })))
})

test('the evaluation of an attempt returns the account that the ranked payment was routed to', async () => {
  const shop = await openTwoAccounts()
  await create(shop, 'success_based', quick)
  for (let i = 0; i < 4; i++) await shop.pay({ ...named(shop.first), card: cards.declines })
  const { payment_id, merchant_connector_id } = await shop.pay()
  equal(merchant_connector_id, shop.second)
  await toggle(shop, 'success_based', 'none')
  const then = (await shop.post('/routing/evaluate', { payment_id, at: 'attempt' })).body
  for (const name of Object.keys(then.attempt)) deepEqual(then[name], then.attempt[name], name)
  equal((await evaluate(shop)).connectors[0].merchant_connector_id, shop.first)
})

test('requests in the format of the decision service of the ecosystem are accepted', async () => {
  const shop = await openTwoAccounts()
  const paymentInfo = {
    paymentId: 'PAY_1',
    amount: 1250,
    currency: 'USD',
    paymentType: 'ORDER_PAYMENT',
    paymentMethod: 'CARD',
    paymentMethodType: 'CREDIT',
    cardIsin: '424242',
    metadata: '{"shelf":7}',
  }
  const decide = (more: Body = {}) => shop.post('/routing/evaluate', { merchantId: shop.merchant_id, paymentInfo, ...more })
  const { body } = await decide()
  deepEqual(
    [body.payment_id, body.decided_gateway, body.gateway_priority_map, body.routing_approach],
    ['PAY_1', 'phonypay', { [`phonypay:${shop.first}`]: 1, [`phonypay:${shop.second}`]: 0.5 }, 'DEFAULT'],
  )
  const shelf = { lhs: 'metadata', comparison: 'equal', value: { type: 'metadata_variant', value: { key: 'shelf', value: '7' } } }
  const bin = { lhs: 'card_bin', comparison: 'equal', value: { type: 'str_value', value: '424242' } }
  const one = (id: string) => ({ type: 'priority', data: [choice(id)] })
  const rules = [{ name: 'r', connectorSelection: one(shop.second), statements: [{ condition: [shelf, bin] }] }]
  const ruled = await decide({ algorithm: { type: 'advanced', data: { defaultSelection: one(shop.first), rules } } })
  deepEqual([ruled.body.connectors[0].merchant_connector_id, ruled.body.routing_approach], [shop.second, 'PRIORITY_LOGIC'])
  deepEqual((await decide({ eligibleGatewayList: ['elsewhere'] })).body.connectors, [])
  isRefused(await decide({ rankingAlgorithm: 'SR_BASED_ROUTING' }), 400, 'IR_16', /Success-based/)
  isRefused(await decide({ eliminationEnabled: true }), 400, 'IR_16', /Elimination/)
  isRefused(await decide({ merchantId: 'somebody' }), 404, 'HE_02')
  isRefused(await decide({ paymentInfo: { ...paymentInfo, paymentMethod: 'PIGEON' } }), 422, 'IR_06', /PIGEON/)
  isRefused(await decide({ paymentInfo: { ...paymentInfo, metadata: '[' } }), 422, 'IR_06', /metadata/)
  await create(shop, 'success_based', quick, 'metrics')
  for (let i = 0; i < 4; i++) await shop.pay({ ...named(shop.first), card: cards.declines })
  const ranked = (await decide({ rankingAlgorithm: 'SR_BASED_ROUTING' })).body
  deepEqual([ranked.connectors[0].merchant_connector_id, ranked.routing_approach], [shop.second, 'SR_SELECTION'])
  equal((await decide({ rankingAlgorithm: 'PL_BASED_ROUTING' })).body.connectors[0].merchant_connector_id, shop.first)
})

test('a payment on the blocklist changes neither the breaker of an account nor the routing simulation', async () => {
  const shop = await openTwoAccounts()
  await create(shop, 'elimination', fragile)
  await shop.post('/blocklist/toggle?status=true', {})
  equal((await shop.post('/blocklist', { type: 'card_bin', data: cards.approves.slice(0, 6) })).status, 200)
  for (let i = 0; i < 3; i++) equal((await shop.tryToPay()).body.error.type, 'blocked')
  deepEqual(await breakers(shop), ['closed', 'closed'])
  const { context, settings } = shop.service
  const anew = openHealth({ learn: learnFrom(context), volumes: countVolumes(context) }, context.now, context.log)
  const merchant = (await settings.merchant(shop.merchant_id))!
  await anew.prepare(merchant)
  equal(anew.look(merchant, routingContext({ profile_id: shop.profile_id }))?.[shop.first]?.breaker, 'closed')
  const simulated = (await shop.post('/routing/simulate', { start_time: '2020-01-01T00:00:00Z' })).body
  deepEqual([simulated.payments, simulated.cells], [0, []])
})
