import { deepEqual, equal, match, notEqual, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { join, openOwner, PASSWORD } from '../../test/people.ts'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, http, openShop, type Shop } from '../../test/shop.ts'
import { permissionsOf } from './roles.ts'
import { updateMember } from './team.ts'

/** Opens a command line that has asked to be signed in. */
async function openCommandLine(shop: Shop, device_name = 'ada-laptop') {
  const begun = await http('POST', `${shop.url}/user/device`, { device_name })
  equal(begun.status, 200, begun.text)
  const { device_code, user_code } = begun.body
  return {
    codes: begun.body,
    user_code: user_code as string,
    poll: () => http('POST', `${shop.url}/user/device/token`, { device_code }),
    /** Gives the answer to a poll, after the required pause. */
    async pollLater(): Promise<Body> {
      await shop.wait('6 seconds')
      const answer = await http('POST', `${shop.url}/user/device/token`, { device_code })
      equal(answer.status, 200, answer.text)
      return answer.body
    },
  }
}

const callWith = (shop: Shop, key: string) => (method: string, path: string, ask?: Body) =>
  http(method, shop.url + path, ask, { 'api-key': key })

test('a user approves a command line, which gets one key with the rights of the user’s role, recorded in the audit log', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const developer = await join(shop, owner, 'developer')
  const { codes, user_code, poll, pollLater } = await openCommandLine(shop)
  match(user_code, /^[0-9A-Z]{4}-[0-9A-Z]{4}$/)
  equal(codes.verification_uri_complete, `${codes.verification_uri}?code=${user_code}`)
  deepEqual([codes.expires_in, codes.interval], [600, 5])
  deepEqual((await poll()).body, { status: 'authorization_pending', interval: 5, key: null })
  const asks = await developer.post('/user/device/retrieve', { user_code: user_code.toLowerCase().replace('-', ' ') })
  equal(asks.body.device_name, 'ada-laptop', asks.text)
  deepEqual(asks.body.scopes, [...permissionsOf('developer', 'test')])
  equal((await pollLater()).status, 'authorization_pending', 'to look is not to approve')
  equal((await developer.post('/user/device/approve', { user_code, password: PASSWORD })).status, 200)
  const { status, key } = await pollLater()
  equal(status, 'approved')
  deepEqual([key.name, key.merchant_id, key.user_id], ['CLI on ada-laptop', shop.merchant_id, developer.user.user_id])
  deepEqual(key.scopes, [...permissionsOf('developer', 'test')])
  isRefused(await poll(), 401, 'UR_04')
  isRefused(await developer.post('/user/device/approve', { user_code, password: PASSWORD }), 404, 'HE_02')

  const call = callWith(shop, key.api_key)
  equal((await call('GET', '/payments/list')).status, 200)
  isRefused(await call('POST', '/payouts/create', { amount: 1, currency: 'USD' }), 403, 'IR_22', /payouts:write/)
  const [entry] = (await shop.call('GET', `/audit?object_kind=api_key&object_id=${key.key_id}`)).body.data
  deepEqual([entry.type, entry.by], ['created', `user ${developer.user.user_id}`])
  const list = (await developer.get(`/api_keys/${shop.merchant_id}/list`)).body as Body[]
  equal(list.find(one => one.key_id === key.key_id)?.name, 'CLI on ada-laptop')
  await shop.wait('91 days')
  isRefused(await call('GET', '/payments/list'), 401, 'IR_01')
})

test('the command line of an owner can do everything that the owner can do', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const { user_code, pollLater } = await openCommandLine(shop)
  equal((await owner.post('/user/device/approve', { user_code, password: PASSWORD })).status, 200)
  equal((await pollLater()).key.scopes, null)
})

test('a denied command line receives no key and an error that says so', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const { user_code, poll, pollLater } = await openCommandLine(shop)
  equal((await owner.post('/user/device/deny', { user_code })).status, 200)
  deepEqual(await pollLater(), { status: 'access_denied', interval: null, key: null })
  isRefused(await owner.post('/user/device/approve', { user_code, password: PASSWORD }), 404, 'HE_02')
  isRefused(await poll(), 401, 'UR_04')
})

test('a device code expires after ten minutes, also if it was approved but not fetched', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const [late, approved] = [await openCommandLine(shop), await openCommandLine(shop)]
  equal((await owner.post('/user/device/approve', { user_code: approved.user_code, password: PASSWORD })).status, 200)
  await shop.wait('10 minutes')
  isRefused(await owner.post('/user/device/retrieve', { user_code: late.user_code }), 404, 'HE_02')
  isRefused(await owner.post('/user/device/approve', { user_code: late.user_code, password: PASSWORD }), 404, 'HE_02')
  for (const { pollLater } of [late, approved]) deepEqual(await pollLater(), { status: 'expired_token', interval: null, key: null })
})

test('a command line that polls too often is told to slow down, and must poll less often from then on', async () => {
  const shop = await openShop()
  const { poll } = await openCommandLine(shop)
  equal((await poll()).body.status, 'authorization_pending')
  deepEqual((await poll()).body, { status: 'slow_down', interval: 10, key: null })
  await shop.wait('6 seconds')
  deepEqual((await poll()).body, { status: 'slow_down', interval: 15, key: null })
  await shop.wait('15 seconds')
  deepEqual((await poll()).body, { status: 'authorization_pending', interval: 15, key: null })
})

test('after ten wrong codes a user must wait, even with the right code; right codes are not counted', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const other = await join(shop, owner, 'admin')
  const { user_code } = await openCommandLine(shop)
  for (let i = 0; i < 12; i++) equal((await owner.post('/user/device/retrieve', { user_code })).status, 200)
  for (let i = 0; i < 10; i++) isRefused(await owner.post('/user/device/retrieve', { user_code: `GUESS-00${i}` }), 404, 'HE_02')
  for (const path of ['retrieve', 'approve', 'deny']) isRefused(await owner.post(`/user/device/${path}`, { user_code }), 429, 'UR_48')
  equal((await other.post('/user/device/retrieve', { user_code })).status, 200, 'others do not wait')
  isRefused(await http('POST', `${shop.url}/user/device/token`, { device_code: `swdev_${'A'.repeat(43)}` }), 401, 'UR_04')
  isRefused(await http('POST', `${shop.url}/user/device/token`, { device_code: 'guess' }), 401, 'UR_04')
  isRefused(await http('POST', `${shop.url}/user/device/token`, {}), 400, 'IR_04', /device_code/)
  isRefused(await http('POST', `${shop.url}/user/device/retrieve`, { user_code }), 401, 'IR_01')
})

test('a user who may not create keys cannot approve a command line, neither at approval nor when the key is fetched', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const operator = await join(shop, owner, 'operator')
  const one = await openCommandLine(shop)
  const asks = await operator.post('/user/device/retrieve', { user_code: one.user_code })
  equal(asks.status, 200, asks.text)
  isRefused(
    await operator.post('/user/device/approve', { user_code: one.user_code, password: PASSWORD }),
    403,
    'IR_22',
    /api_keys:write.*operator/,
  )
  isRefused(await shop.call('POST', '/user/device/approve', { user_code: one.user_code }), 403, 'IR_22')
  equal((await one.pollLater()).status, 'authorization_pending')
  equal((await operator.post('/user/device/deny', { user_code: one.user_code })).status, 200)

  const admin = await join(shop, owner, 'admin')
  const two = await openCommandLine(shop)
  equal((await admin.post('/user/device/approve', { user_code: two.user_code, password: PASSWORD })).status, 200)
  equal((await owner.post(`/user/${admin.user.user_id}`, { role: 'viewer' })).status, 200)
  deepEqual(await two.pollLater(), { status: 'access_denied', interval: null, key: null })
})

test('a command line can sign itself out; the same call with a server’s key is refused', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const { user_code, pollLater } = await openCommandLine(shop)
  await owner.post('/user/device/approve', { user_code, password: PASSWORD })
  const { key } = await pollLater()
  const call = callWith(shop, key.api_key)
  const out = await call('DELETE', '/user/device')
  deepEqual(out.body, { merchant_id: shop.merchant_id, key_id: key.key_id, revoked: true })
  isRefused(await call('GET', '/payments/list'), 401, 'IR_01')
  isRefused(await shop.call('DELETE', '/user/device'), 400, 'IR_16', /dashboard/)
  isRefused(await owner.call('DELETE', '/user/device'), 404, 'HE_02')
  equal((await shop.call('GET', '/payments/list')).status, 200)
})

test('a user’s command-line keys end when their role changes or they are removed; keys for servers stay', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const admin = await join(shop, owner, 'admin')
  const signIn = async () => {
    const { user_code, pollLater } = await openCommandLine(shop)
    equal((await admin.post('/user/device/approve', { user_code, password: PASSWORD })).status, 200)
    return callWith(shop, (await pollLater()).key.api_key)
  }
  const server = (await admin.post(`/api_keys/${shop.merchant_id}`, { name: 'shop server', expiration: 'never', password: PASSWORD })).body
  equal(server.user_id, null)
  const first = await signIn()
  equal((await first('GET', '/payments/list')).status, 200)
  equal((await owner.post(`/user/${admin.user.user_id}`, { role: 'developer', password: PASSWORD })).status, 200)
  isRefused(await first('GET', '/payments/list'), 401, 'IR_01')
  const second = await signIn()
  equal((await owner.call('DELETE', `/user/${admin.user.user_id}`)).status, 200)
  isRefused(await second('GET', '/payments/list'), 401, 'IR_01')
  equal((await callWith(shop, server.api_key)('GET', '/payments/list')).status, 200)
})

test('after a crash during a role change, no command line keeps the old role’s rights; a refused change ends no key', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const admin = await join(shop, owner, 'admin')
  const signIn = async (person: typeof owner) => {
    const { user_code, pollLater } = await openCommandLine(shop)
    equal((await person.post('/user/device/approve', { user_code, password: PASSWORD })).status, 200)
    return callWith(shop, (await pollLater()).key.api_key)
  }
  const [owners, admins] = [await signIn(owner), await signIn(admin)]
  isRefused(await owner.post(`/user/${owner.user.user_id}`, { role: 'admin' }), 400, 'IR_16', /last owner/)
  equal((await owners('GET', '/payments/list')).status, 200)

  const { context } = shop.service
  const dies: typeof context.commit = change =>
    change.head === 'user_roles' ? Promise.reject(new Error('the process died')) : context.commit(change)
  const { merchant_id } = shop
  const by = { user_id: owner.user.user_id, role: 'owner', ofOrganization: null } as const
  const team = { merchant_id, organization: '@none', profiles: [] }
  const changed = updateMember(
    { ...context, commit: dies },
    team,
    by,
    admin.user.user_id,
    { role: 'developer' },
    { mode: 'test', prove: async () => {} },
  )
  await rejects(changed, /died/)
  isRefused(await admins('GET', '/payments/list'), 401, 'IR_01')
})

test('an address with a hundred unfinished sign-ins must wait; device codes are unique and not stored in clear', async () => {
  const shop = await openShop()
  await shop.wait('1 hour')
  const lines = []
  for (let i = 0; i < 100; i++) lines.push(await openCommandLine(shop))
  equal(new Set(lines.map(one => one.user_code)).size, 100)
  isRefused(await http('POST', `${shop.url}/user/device`, { device_name: 'x' }), 429, 'UR_48')
  const [row] = await shop.service.context.query<Body>(
    { name: 'test_devices', text: 'select * from device_authorizations order by created desc limit 1' } as never,
    [],
  )
  const { device_code, user_code } = lines.at(-1)!.codes
  for (const code of [device_code, user_code, user_code.replace('-', '')]) notEqual(JSON.stringify(row).includes(code), true)
  await shop.wait('1 hour')
  isRefused(await http('POST', `${shop.url}/user/device`, { device_name: 'a\u001b[31m' }), 422, 'IR_05')
  equal((await http('POST', `${shop.url}/user/device`, { device_name: 'x' }, { 'api-key': ADMIN_KEY })).status, 200)
})
