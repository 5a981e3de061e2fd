import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, http, openShop, type Shop } from '../../test/shop.ts'

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

test('a revoked key is dead at once; the others live', async () => {
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

test('a key with an end works until then', async () => {
  const shop = await openShop()
  const end = new Date(Date.now() + shop.clock.ahead + 3_600_000).toISOString()
  const { body } = await make(shop, { expiration: end })
  equal(body.expiration, end)
  equal((await sell(shop, body.api_key)).status, 200)
  await shop.wait('61 minutes')
  isRefused(await sell(shop, body.api_key), 401, 'IR_01')
  equal((await sell(shop, shop.api_key)).status, 200)
})

test('a key is for somebody, has a name and says until when', async () => {
  const shop = await openShop()
  isRefused(await make(shop, { name: undefined }), 400, 'IR_04', /name/)
  isRefused(await make(shop, { expiration: undefined }), 400, 'IR_04', /expiration/)
  isRefused(await make(shop, { expiration: null }), 400, 'IR_04', /expiration/)
  isRefused(await make(shop, { expiration: 'tomorrow' }), 400, 'IR_06', /expiration/)
  isRefused(await make(shop, { name: 'x'.repeat(65) }), 422, 'IR_06', /name/)
  isRefused(await make(shop, { scope: 'all' }), 400, 'IR_06', /scope/)
  isRefused(await http('POST', `${shop.url}/api_keys/nobody`, { name: 'x', expiration: 'never' }, admin), 404, 'HE_02')
})

test("a key is revoked only under its own merchant's name", async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const { body } = await make(shop)
  isRefused(await revoke(shop, body.key_id, other.merchant_id), 404, 'HE_02')
  isRefused(await revoke(shop, 'snd_x'), 404, 'HE_02')
  equal((await sell(shop, body.api_key)).status, 200)
})
