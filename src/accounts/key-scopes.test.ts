import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { rightOf } from '../../test/access.ts'
import { join, openOwner, PASSWORD } from '../../test/people.ts'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, http, openShop, type Shop } from '../../test/shop.ts'
import { admits } from '../http/auth.ts'
import { endpoints } from '../http/endpoints.ts'
import { permissionsOf } from '../users/roles.ts'

const admin = { 'api-key': ADMIN_KEY }
const make = (shop: Shop, more: Body = {}) =>
  http('POST', `${shop.url}/api_keys/${shop.merchant_id}`, { name: 'till 3', expiration: 'never', ...more }, admin)

/** Makes an API key of the shop with these scopes; gives a function that calls with it. */
async function withScopes(shop: Shop, ...scopes: string[]) {
  const { body } = await make(shop, { scopes })
  return (method: string, path: string, ask?: Body) => http(method, shop.url + path, ask, { 'api-key': body.api_key })
}

test('a key with scopes can do what they allow, and is refused other requests with the name of the missing scope', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const reads = await withScopes(shop, 'payments:read', 'ledger:read')
  equal((await reads('GET', `/payments/${payment_id}`)).status, 200)
  equal((await reads('POST', '/refunds/list', { limit: 10 })).status, 200, 'a question by POST is one too')
  const ledger = await reads('GET', '/ledger/balances')
  equal(ledger.status, 200, ledger.text)
  isRefused(await reads('POST', '/refunds', { payment_id, amount: 100 }), 403, 'IR_22', /payments:write/)
  isRefused(await reads('POST', '/payments', { amount: 1, currency: 'USD' }), 403, 'IR_22', /payments:write/)
  isRefused(await reads('GET', '/webhook_endpoints'), 403, 'IR_22', /webhooks:read/)
  const writes = await withScopes(shop, 'payments:write')
  const refund = await writes('POST', '/refunds', { payment_id, amount: 100 })
  equal(refund.status, 200, refund.text)
  isRefused(await writes('GET', `/payments/${payment_id}`), 403, 'IR_22', /payments:read/)
  const whole = await shop.refund(payment_id, 100)
  equal(whole.status, 200, 'a key without scopes does everything, as before')
})

test('every operation that an API key can call is refused to a key without the scope for it', async () => {
  const shop = await openShop()
  const call = await withScopes(shop, 'merchant:read')
  const tried = endpoints.filter(one => admits(one.auth, 'secret') && ![null, 'merchant:read'].includes(rightOf(one)!.permission))
  ok(tried.length > 150)
  for (const endpoint of tried) {
    const path = endpoint.path.replace('{merchant_id}', shop.merchant_id).replace(/\{\w+\}/g, 'x')
    const answer = await call(endpoint.method, path, endpoint.method === 'GET' ? undefined : {})
    isRefused(answer, 403, 'IR_22', /scope/)
  }
})

test('personal data is masked for a key without the scope customers:personal', async () => {
  const shop = await openShop()
  const { body } = await shop.post('/customers', { name: 'Ada Lovelace', email: 'ada@example.com' })
  const path = `/customers/${body.customer_id}`
  const masked = await (await withScopes(shop, 'payments:read'))('GET', path)
  ok(masked.status === 200 && !masked.text.includes('Lovelace') && !masked.text.includes('ada@'))
  const whole = await (await withScopes(shop, 'payments:read', 'customers:personal'))('GET', path)
  deepEqual([whole.body.name, whole.body.email], ['Ada Lovelace', 'ada@example.com'])
})

test('a key shows its creator and its scopes, and only existing permissions are accepted as scopes', async () => {
  const shop = await openShop()
  const { body } = await make(shop, { scopes: ['payments:read', 'logs:read'] })
  deepEqual([body.created_by, body.scopes], ['admin', ['payments:read', 'logs:read']])
  const list = (await http('GET', `${shop.url}/api_keys/${shop.merchant_id}/list`, undefined, admin)).body
  const [first, ...others] = list as [Body, ...Body[]]
  deepEqual([first.key_id, first.scopes], [body.key_id, body.scopes])
  ok(others.every(one => one.scopes === null))
  isRefused(await make(shop, { scopes: ['payments:burn'] }), 400, 'IR_06', /scopes/)
  isRefused(await make(shop, { scopes: ['deployment'] }), 400, 'IR_06', /scopes/)
  isRefused(await make(shop, { scopes: [] }), 400, 'IR_06', /scopes/)
  const path = `${shop.url}/api_keys/${shop.merchant_id}/${body.key_id}`
  isRefused(await http('POST', path, { scopes: ['payments:write'] }, admin), 400, 'IR_06', /scopes/)
})

test('a key has no more permissions than the user who created it, also if no scopes are requested', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const developer = await join(shop, owner, 'developer')
  const path = `/api_keys/${shop.merchant_id}`
  const ask = { name: 'mine', expiration: 'never', password: PASSWORD }
  const { body } = await developer.post(path, ask)
  deepEqual(body.scopes, [...permissionsOf('developer', 'test')])
  const key = { 'api-key': body.api_key }
  isRefused(await http('POST', `${shop.url}/payouts/create`, { amount: 1, currency: 'USD' }, key), 403, 'IR_22', /payouts:write/)
  isRefused(await developer.post(path, { ...ask, scopes: ['payments:read', 'payouts:write'] }), 403, 'IR_22', /payouts:write.*developer/)
  deepEqual((await developer.post(path, { ...ask, scopes: ['payments:read'] })).body.scopes, ['payments:read'])
  equal((await owner.post(path, ask)).body.scopes, null)
  const admin = await join(shop, owner, 'admin')
  ok(!(await admin.post(path, ask)).body.scopes.includes('merchant:delete'))
})

test('a user cannot extend a key that has more permissions than they have, but can rename it', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const developer = await join(shop, owner, 'developer')
  const path = `/api_keys/${shop.merchant_id}`
  const later = '2031-01-01T00:00:00Z'
  const all = (await owner.post(path, { name: 'all', expiration: later, password: PASSWORD })).body
  const some = (await owner.post(path, { name: 'some', expiration: later, scopes: ['payouts:write'], password: PASSWORD })).body
  for (const { key_id } of [all, some]) {
    isRefused(await developer.post(`${path}/${key_id}`, { expiration: 'never' }), 403, 'IR_22', /payouts:write|customers:personal/)
    equal((await developer.get(`${path}/${key_id}`)).body.expiration, some.expiration)
    equal((await developer.post(`${path}/${key_id}`, { name: 'renamed' })).status, 200)
  }
  const own = (await owner.post(path, { name: 'little', expiration: later, scopes: ['payments:read'], password: PASSWORD })).body
  const never = { expiration: 'never', password: PASSWORD }
  equal((await developer.post(`${path}/${own.key_id}`, never)).body.expiration, 'never')
  equal((await owner.post(`${path}/${all.key_id}`, never)).body.expiration, 'never')
})

test('a scope limits what is shown: only own audit log entries, and no requests in a search', async () => {
  const shop = await openShop()
  const { payment_id, profile_id } = await shop.pay()
  await shop.service.tick()
  const { data } = (await shop.call('GET', `/logs?object_id=${payment_id}`)).body
  const path = `/search?q=${data[0].log_id}`
  equal((await shop.call('GET', path)).body.size, 1)
  equal((await (await withScopes(shop, 'payments:read'))('GET', path)).body.size, 0)
  const own = await withScopes(shop, 'audit:own', 'profiles:write')
  const profile = await own('POST', `/account/${shop.merchant_id}/business_profile/${profile_id}`, { return_url: 'https://a.example' })
  equal(profile.status, 200, profile.text)
  const entries = (await own('GET', '/audit')).body.data
  ok(entries.length > 0 && new Set(entries.map(({ by }: Body) => by)).size === 1)
  const all = (await (await withScopes(shop, 'audit:own', 'audit:read'))('GET', '/audit')).body.data
  ok(new Set(all.map(({ by }: Body) => by)).size > 1)
})
