import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { http, openPlace, openShop, type Shop } from '../../test/shop.ts'
import type { Refusal } from '../base/refusal.ts'
import type { Credential } from '../http/auth.ts'
import { bearer } from '../http/credentials.ts'

const make = async (shop: Shop, customer_id: unknown = 'cus_kari') => shop.post('/ephemeral_keys', { customer_id })

/**
 * Authenticates with this key at an operation that accepts these credentials and names this customer; gives the
 * caller.
 */
async function knock(key: string, credential: Credential, customer_in_path: string) {
  const { settings, context } = (await openPlace()).service
  const given = { apiKey: key, authorization: undefined, merchant_in_path: undefined, customer_in_path, connected: undefined }
  return bearer(
    settings,
    'admin_key_of_nobody',
    { auth: { credential, permission: 'payments:read', scope: 'merchant', ids: [], within: null }, platforms: 'for others' },
    given,
    context.now(),
  )
}

test('an ephemeral key gives access to one customer for an hour, and to no other customer', async () => {
  const shop = await openShop()
  const { status, body } = await make(shop)
  equal(status, 200)
  match(body.secret, /^epk_[0-9a-f]{32}$/)
  deepEqual([body.customer_id, body.expires - body.created_at], ['cus_kari', 3600])
  for (const credential of ['secret or ephemeral', 'secret, client or ephemeral'] as const) {
    const holder = await knock(body.secret, credential, 'cus_kari')
    ok(holder.is === 'ephemeral' && holder.merchant.merchant_id === shop.merchant_id && holder.customer_id === 'cus_kari')
    await rejects(knock(body.secret, credential, 'cus_ola'), /Customer does not exist/)
  }
  await rejects(knock(body.secret, 'secret', 'cus_kari'), (error: Refusal) => /ephemeral key cannot be used/.test(error.help))
  await shop.wait('59 minutes')
  equal((await knock(body.secret, 'secret or ephemeral', 'cus_kari')).is, 'ephemeral')
  await shop.wait('2 minutes')
  await rejects(knock(body.secret, 'secret or ephemeral', 'cus_kari'), /invalid API key/)
  deepEqual(await shop.query('select 1 from ephemeral_keys where merchant_id = $1', [shop.merchant_id]), [], 'and it is forgotten')
})

test('an ephemeral key is refused with 403 for other operations, and an unknown one with 401', async () => {
  const shop = await openShop()
  const { secret } = (await make(shop)).body
  isRefused(await http('POST', `${shop.url}/payments`, {}, { 'api-key': secret }), 403, 'IR_22')
  const unknown = await http('POST', `${shop.url}/payments`, {}, { 'api-key': `epk_${'0'.repeat(32)}` })
  isRefused(unknown, 401, 'IR_01')
  areTheSame(await http('POST', `${shop.url}/payments`, {}, {}), unknown)
})

test('a deleted ephemeral key is refused at once; only its own merchant can delete it', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const { id, secret } = (await make(shop)).body
  isRefused(await other.call('DELETE', `/ephemeral_keys/${id}`), 404, 'HE_02')
  const { body } = await shop.call('DELETE', `/ephemeral_keys/${id}`)
  deepEqual([body.id, body.customer_id, body.deleted, 'secret' in body], [id, 'cus_kari', true, false])
  await rejects(knock(secret, 'secret or ephemeral', 'cus_kari'), /invalid API key/)
  isRefused(await shop.call('DELETE', `/ephemeral_keys/${id}`), 404, 'HE_02')
})

test('an ephemeral key requires a valid customer id, and is not stored in plain text', async () => {
  const shop = await openShop()
  isRefused(await shop.post('/ephemeral_keys', {}), 400, 'IR_06', /customer_id/)
  isRefused(await make(shop, 'a b'), 422, 'IR_05', /customer_id/)
  isRefused(await make(shop, 'x'.repeat(65)), 422, 'IR_06', /customer_id/)
  const { secret } = (await make(shop)).body
  const [{ row }] = (await shop.query('select to_jsonb(k) as row from ephemeral_keys k where merchant_id = $1', [shop.merchant_id])) as [
    { row: object },
  ]
  ok(!JSON.stringify(row).includes(secret.slice(4)))
})
