import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, http, openShop, type Shop, testConfig } from '../../test/shop.ts'
import { start } from '../service.ts'

const admin = { 'api-key': ADMIN_KEY }
const make = async (shop: Shop, ask: Body = {}) =>
  http('POST', `${shop.url}/api_keys/${shop.merchant_id}`, { name: 'till 3', expiration: 'never', ...ask }, admin)
const sell = (shop: Shop, key: string) => http('POST', `${shop.url}/payments`, { amount: 100, currency: 'USD' }, { 'api-key': key })
const revoke = (shop: Shop, key_id: string, merchant_id = shop.merchant_id) =>
  http('DELETE', `${shop.url}/api_keys/${merchant_id}/${key_id}`, undefined, admin)

test('a new key works at once, and is shown only once', async () => {
  const shop = await openShop()
  const { status, body } = await make(shop, { description: 'the one by the door' })
  equal(status, 200)
  match(body.api_key, /^snd_[0-9A-Za-z]{64}$/)
  deepEqual([body.merchant_id, body.name, body.description, body.expiration], [shop.merchant_id, 'till 3', 'the one by the door', 'never'])
  equal((await sell(shop, body.api_key)).status, 200)
  const [row] = await shop.query('select to_jsonb(k) as row from api_keys k where key_id = $1', [body.key_id])
  ok(!JSON.stringify(row).includes(body.api_key.slice(16)), 'the key itself is stored nowhere')
})

test('a revoked key is refused at once; other keys keep working', async () => {
  const shop = await openShop()
  const { body } = await make(shop)
  equal((await sell(shop, body.api_key)).status, 200)
  deepEqual((await revoke(shop, body.key_id)).body, { merchant_id: shop.merchant_id, key_id: body.key_id, revoked: true })
  const dead = await sell(shop, body.api_key)
  isRefused(dead, 401, 'IR_01')
  areTheSame(await sell(shop, 'snd_never_was_a_key'), dead)
  equal((await sell(shop, shop.api_key)).status, 200)
  equal((await revoke(shop, body.key_id)).status, 200, 'revoking twice is the same')
})

test('a revoked key is refused by every service process within a second', async t => {
  const shop = await openShop()
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-keys-'))
  const config = testConfig(shop.databaseUrl, folder, { keys: { mode: 'test', keys: null, command: null, file: shop.keyFile } })
  const log = { info() {}, warn() {}, error() {} }
  let ahead = 0
  // No timer of these processes runs by itself: settings are valid for a second, whether or not a request has
  // refreshed them since.
  const clocks = { host: () => Date.now(), monotonic: () => performance.now() + ahead }
  const others = await Promise.all([1, 2].map(() => start(config, { log, scheduler: 'by hand', clocks })))
  t.after(async () => {
    await Promise.all(others.map(one => one.close()))
    rmSync(folder, { recursive: true, force: true })
  })
  const { body } = await make(shop)
  const sellAt = ({ url }: { url: string }) => sell({ ...shop, url }, body.api_key)
  for (const one of others) equal((await sellAt(one)).status, 200)
  await revoke(shop, body.key_id)
  ahead += 1001
  for (const one of others) isRefused(await sellAt(one), 401, 'IR_01')
})

test('a key with an expiration works until then', async () => {
  const shop = await openShop()
  const end = new Date(Date.now() + shop.clock.ahead + 3_600_000).toISOString()
  const { body } = await make(shop, { expiration: end })
  equal(body.expiration, end)
  equal((await sell(shop, body.api_key)).status, 200)
  await shop.wait('61 minutes')
  isRefused(await sell(shop, body.api_key), 401, 'IR_01')
  equal((await sell(shop, shop.api_key)).status, 200)
})

test('an API key requires an existing merchant, a name and an expiration', async () => {
  const shop = await openShop()
  isRefused(await make(shop, { name: undefined }), 400, 'IR_04', /name/)
  isRefused(await make(shop, { expiration: undefined }), 400, 'IR_04', /expiration/)
  isRefused(await make(shop, { expiration: null }), 400, 'IR_04', /expiration/)
  isRefused(await make(shop, { expiration: 'tomorrow' }), 400, 'IR_06', /expiration/)
  isRefused(await make(shop, { name: 'x'.repeat(65) }), 422, 'IR_06', /name/)
  isRefused(await make(shop, { scope: 'all' }), 400, 'IR_06', /scope/)
  isRefused(await http('POST', `${shop.url}/api_keys/nobody`, { name: 'x', expiration: 'never' }, admin), 404, 'HE_02')
})

test('a key can be revoked only under the id of its own merchant', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const { body } = await make(shop)
  isRefused(await revoke(shop, body.key_id, other.merchant_id), 404, 'HE_02')
  isRefused(await revoke(shop, 'snd_x'), 404, 'HE_02')
  equal((await sell(shop, body.api_key)).status, 200)
})

const one = (shop: Shop, key_id: string, merchant_id = shop.merchant_id) => `${shop.url}/api_keys/${merchant_id}/${key_id}`
const list = async (shop: Shop, query = ''): Promise<Body[]> =>
  (await http('GET', `${shop.url}/api_keys/${shop.merchant_id}/list${query}`, undefined, admin)).body

test('a key can be retrieved, renamed and given an expiration; its secret is never shown again', async () => {
  const shop = await openShop()
  const { api_key, key_id } = (await make(shop, { description: 'by the door' })).body
  const { body, text } = await http('GET', one(shop, key_id), undefined, admin)
  deepEqual([body.name, body.description, body.prefix, body.expiration], ['till 3', 'by the door', api_key.slice(0, 12), 'never'])
  ok(!text.includes(api_key) && !('api_key' in body))
  const end = new Date(Date.now() + shop.clock.ahead + 60_000).toISOString()
  const changed = (await http('POST', one(shop, key_id), { name: 'till 4', expiration: end }, admin)).body
  deepEqual([changed.name, changed.description, changed.expiration], ['till 4', 'by the door', end])
  equal((await sell(shop, api_key)).status, 200)
  await shop.wait('2 minutes')
  isRefused(await sell(shop, api_key), 401, 'IR_01')
  equal((await http('POST', one(shop, key_id), { expiration: 'never' }, admin)).status, 200)
  equal((await sell(shop, api_key)).status, 200, 'and it opens again')
  isRefused(await http('POST', one(shop, key_id), { expiration: 'soon' }, admin), 400, 'IR_06', /expiration/)
  isRefused(await http('POST', one(shop, key_id), { api_key: 'mine' }, admin), 400, 'IR_06', /api_key/)
})

test('the list shows the keys that were not revoked, newest first, a page at a time', async () => {
  const shop = await openShop()
  for (const name of ['a', 'b', 'c']) {
    shop.clock.ahead += 1000
    await make(shop, { name })
  }
  const names = (keys: Body[]) => keys.map(key => key.name)
  const all = await list(shop)
  deepEqual(names(all), ['c', 'b', 'a', 'tests'])
  deepEqual(names(await list(shop, '?limit=2&skip=1')), ['b', 'a'])
  await revoke(shop, all[0]!.key_id)
  deepEqual(names(await list(shop)), ['b', 'a', 'tests'])
  isRefused(await http('GET', one(shop, all[0]!.key_id), undefined, admin), 404, 'HE_02')
  isRefused(await http('POST', one(shop, all[0]!.key_id), { name: 'x' }, admin), 404, 'HE_02')
  isRefused(await http('GET', `${shop.url}/api_keys/${shop.merchant_id}/list?limit=x`, undefined, admin), 400, 'IR_06', /limit/)
})

test('the last use of a key is known to the minute', async () => {
  const shop = await openShop()
  const { api_key, key_id } = (await make(shop)).body
  const lastUsed = async () => (await http('GET', one(shop, key_id), undefined, admin)).body.last_used_at
  equal(await lastUsed(), null)
  await shop.wait('2 minutes')
  for (let i = 0; i < 3; i++) await sell(shop, api_key)
  const used = Date.now() + shop.clock.ahead
  await shop.wait('2 minutes')
  const moment = Date.parse(await lastUsed())
  ok(Math.abs(moment - used) < 60_000, 'when, and not when it was written')
  await shop.wait('1 hour')
  equal(Date.parse(await lastUsed()), moment)
  await revoke(shop, key_id)
  isRefused(await sell(shop, api_key), 401, 'IR_01')
})
