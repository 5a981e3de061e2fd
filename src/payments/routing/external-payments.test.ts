import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { routingContext } from '../../../test/routes.ts'
import type { Body } from '../../../test/shop.ts'
import { openTwoAccounts, type TwoAccounts } from '../../../test/two-accounts.ts'
import { openHealth } from '../../routing/dynamic/dynamic-routing.ts'
import { countVolumes, learnFrom } from '../authorization/attempts.ts'

/** A shop that only queries the routing, makes its payments elsewhere, and reports their results. */

const config = {
  min_aggregates_size: 1,
  exploration_percent: 0,
  default_success_rate: 60,
  current_block_threshold: { max_total_count: 2 },
}
async function openAsking() {
  const shop = await openTwoAccounts()
  const path = `/account/${shop.merchant_id}/business_profile/${shop.profile_id}/dynamic_routing/success_based/create`
  equal((await shop.post(`${path}?enable=dynamic_connector_selection`, { params: ['Currency'], config })).status, 200)
  return shop
}
const ask = async (shop: TwoAccounts, paymentId: string, more: Body = {}): Promise<Body> =>
  (await shop.post('/routing/evaluate', { paymentInfo: { paymentId, amount: 1250, currency: 'USD', ...more } })).body
const report = (shop: TwoAccounts, paymentId: string, account: string, status: string, more: Body = {}) =>
  shop.post('/routing/feedback', { merchantId: shop.merchant_id, gateway: `phonypay:${account}`, status, paymentId, ...more })
const messageOf = async (answer: ReturnType<typeof report>) => (await answer).body.message
const rates = async (shop: TwoAccounts, currency = 'USD') => {
  const { connectors } = (await shop.post('/routing/evaluate', { amount: 1250, currency })).body
  return [shop.first, shop.second].map(id => {
    const { success_rate, payments } = connectors.find((one: Body) => one.merchant_connector_id === id)
    return [success_rate, payments]
  })
}

test('reported outcomes of payments made elsewhere decide the routing of the next payments, both external and own', async () => {
  const shop = await openAsking()
  for (const id of ['A1', 'A2']) {
    const { gateway_priority_map } = await ask(shop, id)
    equal(Object.keys(gateway_priority_map)[0], `phonypay:${shop.first}`)
    equal(await messageOf(report(shop, id, shop.first, 'FAILURE')), 'Success')
  }
  deepEqual(await rates(shop), [
    [0, 2],
    [null, 0],
  ])
  deepEqual((await rates(shop, 'EUR'))[0], [null, 0], 'another cell')
  equal(Object.keys((await ask(shop, 'A3')).gateway_priority_map)[0], `phonypay:${shop.second}`)
  equal((await shop.pay()).merchant_connector_id, shop.second)
})

test('an external payment counts once per account, when it is decided, and a new process loads the counts', async () => {
  const shop = await openAsking()
  await ask(shop, 'B1')
  equal(await messageOf(report(shop, 'B1', shop.first, 'PENDING_VBV')), 'Not counted: this status decides nothing yet')
  equal(await messageOf(report(shop, 'B1', shop.first, 'AUTHORIZATION_FAILED')), 'Success')
  equal(await messageOf(report(shop, 'B1', shop.second, 'CHARGED')), 'Success', 'tried again there')
  equal(await messageOf(report(shop, 'B1', shop.first, 'AUTHORIZATION_FAILED')), 'Not counted: it was counted before')
  await ask(shop, 'B2')
  await ask(shop, 'B2')
  await report(shop, 'B2', shop.first, 'CHARGED')
  deepEqual((await rates(shop))[0], [50, 2])
  const { context, settings } = shop.service
  const anew = openHealth({ learn: learnFrom(context), volumes: countVolumes(context) }, context.now, context.log)
  const merchant = (await settings.merchant(shop.merchant_id))!
  await anew.prepare(merchant)
  equal(anew.look(merchant, routingContext({ profile_id: shop.profile_id }))![shop.first]!.success_rate, 50)
})

test('feedback about a payment of this service is not recorded: such a payment is counted by its processor response only', async () => {
  const shop = await openAsking()
  const { payment_id } = await shop.pay()
  equal(
    await messageOf(report(shop, payment_id, shop.first, 'FAILURE')),
    'Not recorded: payments processed by this service are counted from their processor responses',
  )
  await shop.pay()
  deepEqual((await rates(shop))[0], [100, 2])
})

test('feedback without an evaluation, or with invalid values, is refused; an evaluation is forgotten after a week', async () => {
  const [shop, other] = [await openAsking(), await openAsking()]
  await ask(shop, 'C1')
  isRefused(await report(shop, 'C2', shop.first, 'CHARGED'), 404, 'HE_02')
  isRefused(await report(other, 'C1', other.first, 'CHARGED'), 404, 'HE_02')
  isRefused(await report(shop, 'C1', other.first, 'CHARGED'), 422, 'IR_06', /gateway/)
  isRefused(await report(shop, 'C1', '', 'CHARGED', { gateway: 'phonypay' }), 422, 'IR_06', /several accounts/)
  isRefused(await report(shop, 'C1', shop.first, 'success'), 400, 'IR_06', /status/)
  isRefused(await report(shop, 'C1', shop.first, 'CHARGED', { merchantId: other.merchant_id }), 404, 'HE_02')
  const second = (await shop.post(`/account/${shop.merchant_id}/business_profile`, { profile_name: 'second' })).body.profile_id
  const feedback = { merchantId: shop.merchant_id, paymentId: 'C1', gateway: `phonypay:${shop.first}`, status: 'CHARGED' }
  isRefused(await shop.call('POST', '/routing/feedback', feedback, { 'x-profile-id': second }), 404, 'HE_02')
  await shop.wait('8 days')
  isRefused(await report(shop, 'C1', shop.first, 'CHARGED'), 404, 'HE_02')
})

test('evaluated payments are not stored if dynamic routing is not enabled', async () => {
  const shop = await openTwoAccounts()
  await ask(shop, 'D1')
  deepEqual(await shop.query('select payment_id from external_payments where merchant_id = $1', [shop.merchant_id]), [])
})
