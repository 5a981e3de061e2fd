import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { priority } from '../../test/routes.ts'
import { type Body, http, openShop } from '../../test/shop.ts'
import { openTwoAccounts, type TwoAccounts } from '../../test/two-accounts.ts'

const make = async (shop: TwoAccounts, name: string, account: string, at = ''): Promise<Body> =>
  (await shop.post(`/routing${at}`, { name, description: 'd', profile_id: shop.profile_id, algorithm: priority(account) })).body
const history = async (shop: TwoAccounts, at = ''): Promise<Body[]> =>
  (await shop.call('GET', `/routing${at}/history?profile_id=${shop.profile_id}`)).body

test('the routing history lists which algorithm version was active when, activated by which key and for which reason', async () => {
  const shop = await openTwoAccounts()
  deepEqual(await history(shop), [])
  const first = await make(shop, 'european cards', shop.first)
  const second = await make(shop, 'european cards', shop.second)
  const other = await make(shop, 'dollars', shop.second)
  deepEqual([first.version, second.version, other.version], [1, 2, 1], 'versions are counted by name')
  equal((await shop.call('GET', `/routing/${second.id}`)).body.version, 2)
  deepEqual(
    (await shop.call('GET', '/routing')).body.map((one: Body) => one.version),
    [1, 2, 1],
  )
  equal((await shop.call('POST', `/routing/${first.id}/activate`)).status, 200, 'without a body, as before')
  await shop.wait('1 hour')
  const activated = await shop.post(`/routing/${second.id}/activate`, { reason: 'More of them are approved there' })
  deepEqual([activated.status, activated.body.version], [200, 2])
  // A setting that is made meanwhile is not an activation, and removes no reason.
  const fallback = await shop.post(`/routing/default/profile/${shop.profile_id}`, [
    { connector: 'phonypay', merchant_connector_id: shop.second },
    { connector: 'phonypay', merchant_connector_id: shop.first },
  ])
  equal(fallback.status, 200)
  await shop.wait('1 hour')
  await shop.post('/routing/deactivate', { profile_id: shop.profile_id })
  await shop.wait('1 hour')
  await shop.post(`/routing/${first.id}/activate`, { reason: 'Back again' })
  const [now, before, earliest, ...more] = (await history(shop)) as [Body, Body, Body]
  equal(more.length, 0)
  const summary = ({ routing_algorithm_id, name, version, reason }: Body) => [routing_algorithm_id, name, version, reason]
  deepEqual([now, before, earliest].map(summary), [
    [first.id, 'european cards', 1, 'Back again'],
    [second.id, 'european cards', 2, 'More of them are approved there'],
    [first.id, 'european cards', 1, null],
  ])
  equal(now.active_until, null)
  equal(earliest.active_until, before.active_from)
  ok(before.active_until < now.active_from, 'between them the fallback order held')
  ok([now, before, earliest].every(one => one.by.startsWith('secret_key ')))
  const { body: audit } = await shop.call('GET', `/audit?object_kind=profile_routing&object_id=${shop.profile_id}`)
  ok(audit.data.some((one: Body) => one.was?.reason === 'More of them are approved there'))
})

test('payouts have a routing history separate from payments', async () => {
  const shop = await openTwoAccounts()
  const rules = await make(shop, 'cards', shop.first)
  await shop.post(`/routing/${rules.id}/activate`, { reason: 'Payments' })
  deepEqual(await history(shop, '/payouts'), [])
  equal((await history(shop)).length, 1)
  isRefused(await shop.call('GET', '/routing/payouts/history?profile_id=pro_nobody'), 404, 'HE_02')
})

test('another merchant cannot read a routing history; an activation reason must be a text of limited length', async () => {
  const shop = await openTwoAccounts()
  const other = await openShop()
  const rules = await make(shop, 'cards', shop.first)
  isRefused(await other.call('GET', `/routing/history?profile_id=${shop.profile_id}`), 404, 'HE_02')
  isRefused(await shop.post(`/routing/${rules.id}/activate`, { reason: 7 }), 400, 'IR_06', /reason/)
  isRefused(await shop.post(`/routing/${rules.id}/activate`, { reason: 'x'.repeat(256) }), 422, 'IR_06', /reason/)
  for (const path of ['/routing/history', '/routing/payouts/history'])
    isRefused(await http('GET', `${shop.url}${path}`, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
  deepEqual((await shop.call('GET', '/routing/history')).body, [], 'of the only profile')
})
