import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openAuthenticator } from '../../test/authenticator.ts'
import { type Browser, entered, join, openOwner, PASSWORD } from '../../test/people.ts'
import { isRefused } from '../../test/refused.ts'
import { type Body, http, openShop, type Shop } from '../../test/shop.ts'
import { siteOf } from './passkeys.ts'

const originOf = (shop: Pick<Shop, 'url'>): string => shop.url.replace('127.0.0.1', 'localhost')

const options = async (shop: Shop): Promise<Body> => (await http('POST', `${shop.url}/user/sign_in/passkey/options`, {})).body.options
const enter = (shop: Shop, response: Body) => http('POST', `${shop.url}/user/sign_in/passkey`, { response })

async function withPasskey(shop: Shop, person: Browser, authenticator = openAuthenticator(originOf(shop))) {
  const asked = await person.post('/user/passkeys/options', { password: PASSWORD })
  equal(asked.status, 200, asked.text)
  const response = authenticator.create(asked.body.options)
  const added = await person.post('/user/passkeys', { name: 'Laptop', response })
  equal(added.status, 200, added.text)
  return { authenticator, added: added.body, response }
}

test('a passkey signs in without password and second factor, and each of its responses is accepted once', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const { authenticator, response, added } = await withPasskey(shop, owner)
  isRefused(await owner.post('/user/passkeys', { name: 'Again', response }), 401, 'UR_50')
  const answer = authenticator.get(await options(shop))
  const signed = entered(shop, await enter(shop, answer))
  equal(signed.user.user_id, owner.user.user_id)
  isRefused(await enter(shop, answer), 401, 'UR_50')
  const [shown] = (await owner.get('/user/passkeys')).body.data
  deepEqual([shown.passkey_id, shown.name], [added.passkey_id, 'Laptop'])
  ok(shown.last_used_at !== null)
  isRefused(await owner.get('/user/passkeys?more=1'), 400, 'IR_06')
  const types = await shop.query("select type from changes where kind = 'user' and object_id = $1", [owner.user.user_id])
  ok(types.some(({ type }) => type === 'passkey_added'))
})

test('a passkey response of another site, of a cloned passkey, without user verification, or too late is refused', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const { authenticator } = await withPasskey(shop, owner)
  entered(shop, await enter(shop, authenticator.get(await options(shop))))
  authenticator.state.counter = 0
  isRefused(await enter(shop, authenticator.get(await options(shop))), 401, 'UR_50')
  authenticator.state.counter = 10
  isRefused(await enter(shop, authenticator.get(await options(shop), 0x01)), 401, 'UR_50')
  isRefused(await enter(shop, authenticator.get({ ...(await options(shop)), rpId: 'evil.example' })), 401, 'UR_50')
  const other = openAuthenticator(originOf(shop))
  isRefused(await enter(shop, other.get(await options(shop))), 401, 'UR_50')
  isRefused(await enter(shop, {}), 401, 'UR_50')
  isRefused(await enter(shop, { response: { clientDataJSON: 'x' } }), 401, 'UR_50')
  const late = await options(shop)
  await shop.wait('6 minutes')
  isRefused(await enter(shop, authenticator.get(late)), 401, 'UR_50')
  const phished = openAuthenticator('https://evil.example')
  const asked = (await owner.post('/user/passkeys/options', { password: PASSWORD })).body.options
  isRefused(await owner.post('/user/passkeys', { name: 'Phished', response: phished.create(asked) }), 401, 'UR_50')
})

test('adding a passkey requires the password and is possible only for oneself; a removed passkey no longer signs in', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const viewer = await join(shop, owner, 'viewer')
  isRefused(await owner.post('/user/passkeys/options', { password: 'wrong wrong wrong' }), 401, 'UR_01')
  const others = (await viewer.post('/user/passkeys/options', { password: PASSWORD })).body.options
  isRefused(await owner.post('/user/passkeys', { name: 'Mine', response: openAuthenticator(originOf(shop)).create(others) }), 401, 'UR_50')
  const { authenticator, added } = await withPasskey(shop, viewer)
  isRefused(await owner.call('DELETE', `/user/passkeys/${added.passkey_id}`), 404, 'HE_02')
  equal((await viewer.call('DELETE', `/user/passkeys/${added.passkey_id}`)).status, 200)
  isRefused(await enter(shop, authenticator.get(await options(shop))), 401, 'UR_50')
  isRefused(await http('POST', `${shop.url}/user/sign_in/passkey/options`, {}, { 'sec-fetch-site': 'cross-site' }), 403, 'IR_22')
  isRefused(await http('POST', `${shop.url}/user/sign_in/passkey/options`, { more: 1 }), 400, 'IR_06')
  isRefused(await http('POST', `${shop.url}/user/sign_in/passkey`, {}), 400, 'IR_04', /response/)
})

test('passkeys require a domain name and https', () => {
  deepEqual(siteOf('https://pay.shop.example'), { rpID: 'pay.shop.example', origin: 'https://pay.shop.example' })
  deepEqual(siteOf('http://127.0.0.1:8080'), { rpID: 'localhost', origin: 'http://localhost:8080' })
  for (const url of ['http://pay.shop.example', 'https://10.0.0.1', 'https://[fd00::1]']) equal(siteOf(url), null)
})
