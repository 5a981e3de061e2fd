import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { succeed } from '../../test/merchant.ts'
import { openPayoutShop } from '../../test/payout-shop.ts'
import { isRefused } from '../../test/refused.ts'
import { type Body, http } from '../../test/shop.ts'

test('payouts have a default order and routing algorithms of their own, without effect on payments', async () => {
  const shop = await openPayoutShop({ others: ['fauxpay', 'pretendpay'] })
  const { profile_id } = await shop.payOut({ confirm: false })
  const to = async (): Promise<string> => (await shop.payOut()).connector
  equal(await to(), 'phonypay')
  const names = (choices: Body[]) => choices.map(({ connector }) => connector)
  deepEqual(names((await shop.call('GET', '/routing/payouts/default')).body), ['phonypay', 'fauxpay', 'pretendpay'])
  deepEqual(names((await shop.call('GET', '/routing/default')).body), ['phonypay'])
  const order = [{ connector: 'pretendpay' }, { connector: 'phonypay' }, { connector: 'fauxpay' }]
  deepEqual(names(await succeed(shop.post('/routing/payouts/default', order))), ['pretendpay', 'phonypay', 'fauxpay'])
  equal(await to(), 'pretendpay')
  isRefused(await shop.post('/routing/payouts/default', order.slice(1)), 400, 'IR_16')
  const back = [{ connector: 'phonypay' }, { connector: 'fauxpay' }, { connector: 'pretendpay' }]
  deepEqual(names((await succeed(shop.post(`/routing/payouts/default/profile/${profile_id}`, back))).connectors), [
    'phonypay',
    'fauxpay',
    'pretendpay',
  ])
  const algorithm = {
    type: 'advanced',
    data: {
      defaultSelection: { type: 'priority', data: [{ connector: 'fauxpay' }] },
      rules: [
        {
          name: 'large ones',
          connectorSelection: { type: 'priority', data: [{ connector: 'pretendpay' }] },
          statements: [{ condition: [{ lhs: 'amount', comparison: 'greater_than', value: { type: 'number', value: 100_000 } }] }],
        },
      ],
      metadata: {},
    },
  }
  const made = await succeed(shop.post('/routing/payouts', { name: 'r', description: 'd', profile_id, algorithm }))
  equal(made.algorithm_for, 'payout')
  isRefused(await shop.post(`/routing/${made.id}/activate`, {}), 400, 'IR_16', /for a payout/)
  await succeed(shop.post(`/routing/payouts/${made.id}/activate`, {}))
  isRefused(await shop.post(`/routing/payouts/${made.id}/activate`, {}), 400, 'IR_16', /already active/)
  equal(await to(), 'fauxpay')
  const { payout_id, connector } = await shop.payOut({ amount: 200_000 })
  equal(connector, 'pretendpay')
  const [attempt] = (await shop.getPayout(payout_id)).attempts
  deepEqual([attempt.routing.approach, attempt.routing.rule], ['algorithm', 'large ones'])
  deepEqual([(await shop.pay()).connector, (await shop.call('GET', '/routing/active')).body], ['phonypay', []])
  deepEqual(
    (await shop.call('GET', `/routing/payouts/active?profile_id=${profile_id}`)).body.map((one: Body) => one.id),
    [made.id],
  )
  deepEqual((await shop.call('GET', '/routing')).body, [])
  deepEqual(
    (await shop.call('GET', '/routing/payouts')).body.map((one: Body) => one.id),
    [made.id],
  )
  equal((await shop.call('GET', `/routing/payouts/${made.id}`)).body.name, 'r')
  await succeed(shop.post('/routing/payouts/deactivate', { profile_id }))
  isRefused(await shop.post('/routing/payouts/deactivate', { profile_id }), 400, 'IR_16')
  equal(await to(), 'phonypay')
  equal((await shop.payOut({ connector: ['fauxpay'] })).connector, 'fauxpay')
  const routing = { type: 'single', data: { connector: 'pretendpay' } }
  equal((await shop.payOut({ routing })).connector, 'pretendpay')
  isRefused(
    await shop.post('/routing/payouts', {
      name: 'r',
      description: 'd',
      profile_id,
      algorithm: { type: 'single', data: { connector: 'stripe' } },
    }),
    422,
    'IR_06',
  )
  equal((await shop.call('GET', '/routing/payouts/default/profile')).body.length, 1)
  equal((await http('GET', `${shop.url}/routing/payouts`, undefined, { 'api-key': shop.publishable_key })).status, 403)
})
