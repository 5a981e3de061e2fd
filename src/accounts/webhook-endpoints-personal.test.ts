import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { join, openOwner, PASSWORD } from '../../test/people.ts'
import { isRefused } from '../../test/refused.ts'
import { type Body, http, openShop } from '../../test/shop.ts'

/** An address for webhooks receives customers' personal data, so who chooses one must be allowed to see it. */

const url = 'https://shop.example/hooks'

test('a role or a key without customers:personal cannot have customers’ data sent to an address of its own', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const developer = await join(shop, owner, 'developer')
  const made = await owner.post('/webhook_endpoints', { url })
  equal(made.status, 200, made.text)
  const path = `/webhook_endpoints/${made.body.endpoint_id}`
  const scopes = ['webhooks:read', 'webhooks:write', 'profiles:read', 'profiles:write']
  const { api_key } = (
    await owner.post(`/api_keys/${shop.merchant_id}`, { name: 'hooks', expiration: 'never', scopes, password: PASSWORD })
  ).body
  const byKey = (method: string, at: string, body: Body) => http(method, shop.url + at, body, { 'api-key': api_key })
  const [{ profile_id }] = (await shop.call('GET', `/account/${shop.merchant_id}/business_profile`)).body as [Body]
  const ofProfile = `/account/${shop.merchant_id}/business_profile/${profile_id}`
  const webhook_details = { webhook_url: 'https://mallory.example/hooks' }
  for (const refused of [
    await developer.post('/webhook_endpoints', { url: webhook_details.webhook_url }),
    await developer.post(path, { url: webhook_details.webhook_url }),
    await byKey('POST', '/webhook_endpoints', { url: webhook_details.webhook_url }),
    await byKey('POST', path, { url: webhook_details.webhook_url }),
    await byKey('POST', ofProfile, { webhook_details }),
    await byKey('POST', `/account/${shop.merchant_id}/business_profile`, { profile_name: 'mine', webhook_details }),
  ])
    isRefused(refused, 403, 'IR_22', /customers:personal/)
  equal((await developer.post(path, { enabled: false })).status, 200, 'the rest of an endpoint needs no more')
  equal((await byKey('POST', ofProfile, { profile_name: 'renamed' })).status, 200)
  equal((await owner.get('/webhook_endpoints')).body.data.length, 1)
})

test('an endpoint that is older than the rule needs a review, until somebody who may see personal data confirms its address', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const developer = await join(shop, owner, 'developer')
  const { endpoint_id, needs_review } = (await owner.post('/webhook_endpoints', { url })).body
  equal(needs_review, false)
  await shop.query('update webhook_endpoints set needs_review = true where endpoint_id = $1', [endpoint_id])
  const path = `/webhook_endpoints/${endpoint_id}`
  equal((await owner.get(path)).body.needs_review, true)
  equal((await developer.post(path, { description: 'mine' })).body.needs_review, true)
  isRefused(await developer.post(path, { url }), 403, 'IR_22')
  const confirmed = (await owner.post(path, { url })).body
  deepEqual([confirmed.url, confirmed.needs_review], [url, false])
})
