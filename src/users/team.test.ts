import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { entered, join, linkFor, openOwner, PASSWORD, signIn, someEmail, tokenOf } from '../../test/people.ts'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, http, openPlace, openShop } from '../../test/shop.ts'

const accept = (url: string, token: string, more: Body = {}) =>
  http('POST', `${url}/user/invite/accept`, { token, password: PASSWORD, ...more })

test('an owner invites users by a link that works once, and the list shows their roles and states', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const email = someEmail()
  const invited = await owner.post('/user/invite', { email, role: 'operator', password: PASSWORD })
  equal(invited.body.mailed, false)
  equal(invited.body.user.state, 'invited')
  const again = await owner.post('/user/invite', { email, role: 'viewer', password: PASSWORD })
  isRefused(await accept(shop.url, tokenOf(invited.body.url)), 401, 'UR_04')
  const token = tokenOf(again.body.url)
  isRefused(await accept(shop.url, token, { password: 'short' }), 400, 'IR_07')
  const viewer = entered(shop, await accept(shop.url, token, { name: 'Vera' }))
  isRefused(await accept(shop.url, token), 401, 'UR_04')
  equal(viewer.user.role, 'viewer')
  const { data } = (await owner.get('/user/list')).body
  deepEqual(
    data.map(({ role, state }: Body) => `${role} ${state}`),
    ['owner active', 'viewer active'],
  )
  isRefused(await owner.post('/user/invite', { email, role: 'viewer', password: PASSWORD }), 400, 'HE_01')
  isRefused(await owner.post('/user/invite', { email: 'no address', role: 'viewer', password: PASSWORD }), 422, 'IR_05')
})

test('a changed role applies from the next request; a disabled or removed user loses access at once', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const person = await join(shop, owner, 'viewer')
  const { user_id } = person.user
  isRefused(await person.post('/customers', { customer_id: 'c1' }), 403, 'IR_22')
  equal((await owner.post(`/user/${user_id}`, { role: 'operator', password: PASSWORD })).body.role, 'operator')
  equal((await person.post('/customers', { customer_id: 'c1' })).status, 200)
  equal((await owner.post(`/user/${user_id}`, { disabled: true })).body.state, 'disabled')
  isRefused(await person.get('/payments/list'), 403, 'IR_22')
  equal((await person.get('/user')).body.merchant_id, null)
  equal((await owner.post(`/user/${user_id}`, { disabled: false, password: PASSWORD })).body.state, 'active')
  equal((await person.get('/payments/list')).status, 200)
  equal((await owner.call('DELETE', `/user/${user_id}`)).body.deleted, true)
  isRefused(await person.get('/payments/list'), 403, 'IR_22')
  isRefused(await owner.post(`/user/${user_id}`, { role: 'viewer' }), 404, 'HE_02')
  isRefused(await owner.call('DELETE', `/user/${user_id}`), 404, 'HE_02')
  equal((await signIn(shop, person.user.email)).status, 200, 'the account is theirs')
  const back = await owner.post('/user/invite', { email: person.user.email, role: 'admin', password: PASSWORD })
  equal(entered(shop, await accept(shop.url, tokenOf(back.body.url))).user.role, 'admin')
  const types = (await owner.get(`/audit?object_kind=user_role&object_id=${user_id}`)).body.data.map(({ type }: Body) => type)
  deepEqual(types, ['joined', 'invited', 'removed', 'updated', 'updated', 'updated', 'joined', 'invited'])
})

test('the last owner cannot be removed, also by concurrent requests; only owners can change owners', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const { user_id } = owner.user
  for (const ask of [{ role: 'admin' }, { disabled: true }]) isRefused(await owner.post(`/user/${user_id}`, ask), 400, 'IR_16')
  isRefused(await owner.call('DELETE', `/user/${user_id}`), 400, 'IR_16')
  const admin = await join(shop, owner, 'admin')
  isRefused(await admin.post('/user/invite', { email: someEmail(), role: 'owner', password: PASSWORD }), 403, 'IR_22')
  isRefused(await admin.post(`/user/${user_id}`, { role: 'viewer' }), 403, 'IR_22')
  isRefused(await admin.post(`/user/${admin.user.user_id}`, { role: 'owner' }), 403, 'IR_22')
  isRefused(await admin.call('DELETE', `/user/${user_id}`), 403, 'IR_22')
  equal((await admin.post('/user/invite', { email: someEmail(), role: 'developer', password: PASSWORD })).status, 200)
  const second = await join(shop, owner, 'owner')
  const both = await Promise.all([
    owner.post(`/user/${second.user.user_id}`, { role: 'viewer' }),
    second.post(`/user/${user_id}`, { role: 'viewer' }),
  ])
  equal(both.filter(({ status }) => status === 200).length, 1, both.map(({ text }) => text).join())
})

test('an existing user signs in to accept an invitation of another merchant, and can switch between merchants', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const [owner, others] = [await openOwner(shop), await openOwner(other)]
  const { email } = owner.user
  const { url } = (await others.post('/user/invite', { email, role: 'viewer', password: PASSWORD })).body
  isRefused(await accept(shop.url, tokenOf(url), { password: 'what somebody else wants' }), 401, 'UR_01')
  const here = entered(shop, await accept(shop.url, tokenOf(url)))
  deepEqual(
    here.user.merchants.map(({ merchant_id, role }: Body) => [merchant_id, role]).sort(),
    [
      [shop.merchant_id, 'owner'],
      [other.merchant_id, 'viewer'],
    ].sort(),
  )
  const there = await here.post('/user/merchant', { merchant_id: other.merchant_id })
  equal(there.body.role, 'viewer')
  isRefused(await here.post('/customers', { customer_id: 'c' }), 403, 'IR_22')
  equal((await here.get(`/accounts/${other.merchant_id}`)).body.merchant_id, other.merchant_id)
})

test('users of another merchant are answered exactly like users that do not exist', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const owner = await openOwner(shop)
  await openOwner(other)
  const payment = await other.pay()
  areTheSame(await owner.get(`/payments/${payment.payment_id}`), await owner.get(`/payments/pay_${'0'.repeat(26)}`))
  const paths = ['/account/ID/connectors', '/account/ID/business_profile', '/accounts/ID', '/api_keys/ID/list']
  const outsider = await join(other, await openOwner(await openShop()), 'admin')
  for (const path of paths) {
    const answer = await outsider.get(path.replace('ID', other.merchant_id))
    isRefused(answer, 404, 'HE_02')
    areTheSame(await outsider.get(path.replace('ID', 'nobody')), answer)
  }
  const otherUserId = (await other.query('select user_id from user_roles where merchant_id = $1', [other.merchant_id]))[0].user_id
  areTheSame(await outsider.post(`/user/${otherUserId}`, { role: 'viewer' }), await outsider.post('/user/usr_nobody', { role: 'viewer' }))
  isRefused(await outsider.post('/user/merchant', { merchant_id: other.merchant_id }), 404, 'HE_02')
})

test('developers and viewers see customer data only masked', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const body = {
    ...shop.payBody({}),
    email: 'kari@nordmann.example',
    name: 'Kari Nordmann',
    billing: { address: { line1: 'Gata 1', first_name: 'Kari' } },
  }
  const { payment_id } = (await owner.post('/payments', body)).body
  const seen = async (role: 'developer' | 'viewer' | 'operator') => {
    const person = await join(shop, owner, role)
    const [payment, list] = [await person.get(`/payments/${payment_id}`), await person.get('/payments/list')]
    equal(payment.status, 200, payment.text)
    const text = payment.text + list.text
    return { text, email: payment.body.email, exported: (await person.get('/payments/export')).status }
  }
  for (const role of ['developer', 'viewer'] as const) {
    const { text, email, exported } = await seen(role)
    ok(!/nordmann|Gata/i.test(text), role)
    equal(email, 'k•••')
    equal(exported, 403)
  }
  const { text, exported } = await seen('operator')
  ok(/kari@nordmann/.test(text))
  equal(exported, 200)
})

test('roles list their permissions; developers and operators see only their own actions in the audit log', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const { roles } = (await owner.get('/roles')).body
  const of = (role: string) => roles.find((one: Body) => one.role === role).permissions
  ok(of('developer').includes('payments:write'), 'in test mode')
  ok(!of('operator').includes('routing:activate') && of('operator').includes('routing:simulate'))
  ok(!of('owner').includes('deployment'))
  const developer = await join(shop, owner, 'developer')
  const { endpoint_id } = (await owner.post('/webhook_endpoints', { url: 'https://shop.example/hooks' })).body
  equal((await developer.post(`/webhook_endpoints/${endpoint_id}`, { event_types: ['payment.succeeded'] })).status, 200)
  const { data } = (await developer.get('/audit')).body
  deepEqual([...new Set(data.map(({ by }: Body) => by))], [`user ${developer.user.user_id}`])
  ok((await owner.get('/audit')).body.data.some(({ by }: Body) => by !== `user ${developer.user.user_id}`))
})

test('an organization role applies to each of its merchants, and only users of the organization can grant it', async () => {
  const admin = { 'api-key': ADMIN_KEY }
  const { organization_id } = (await http('POST', `${(await openPlace()).service.url}/organization`, { organization_name: 'Group' }, admin))
    .body
  const [chairs, tables] = [await openShop({ account: { organization_id } }), await openShop({ account: { organization_id } })]
  const first = await linkFor(chairs, { organization_id })
  const newcomer = { token: tokenOf(first.url), email: someEmail(), password: PASSWORD }
  const owner = entered(chairs, await http('POST', `${chairs.url}/user/first`, newcomer))
  deepEqual(owner.user.merchants.map(({ merchant_id, role }: Body) => `${merchant_id} ${role}`).slice(0, 2), [
    `${chairs.merchant_id} owner`,
    `${tables.merchant_id} owner`,
  ])
  isRefused(await http('POST', `${chairs.url}/user/link`, { organization_id }, admin), 400, 'IR_16')
  isRefused(await http('POST', `${chairs.url}/user/link`, { organization_id: 'org_none' }, admin), 404, 'IR_37')
  const invited = await owner.post('/user/invite', { email: someEmail(), role: 'viewer', organization: true, password: PASSWORD })
  equal(invited.body.user.of, 'organization')
  const viewer = entered(chairs, await accept(chairs.url, tokenOf(invited.body.url)))
  equal((await viewer.post('/user/merchant', { merchant_id: tables.merchant_id })).body.role, 'viewer')
  const local = await join(chairs, owner, 'owner')
  isRefused(await local.post('/user/invite', { email: someEmail(), role: 'viewer', organization: true, password: PASSWORD }), 403, 'IR_22')
  isRefused(await local.post(`/user/${viewer.user.user_id}`, { role: 'admin' }), 403, 'IR_22')
  isRefused(await local.call('DELETE', `/user/${viewer.user.user_id}`), 403, 'IR_22')
  const shown = (await local.get('/user/list')).body.data.map(({ of, role }: Body) => `${of} ${role}`)
  deepEqual(shown.sort(), ['merchant owner', 'organization owner', 'organization viewer'])
  // A role at the merchant takes precedence over the role of the organization.
  const here = await owner.post('/user/invite', { email: viewer.user.email, role: 'operator', password: PASSWORD })
  equal(
    entered(chairs, await accept(chairs.url, tokenOf(here.body.url))).user.merchants.find(
      (one: Body) => one.merchant_id === chairs.merchant_id,
    ).role,
    'operator',
  )
  equal((await owner.call('DELETE', `/user/${viewer.user.user_id}`)).status, 200)
  isRefused(await owner.call('DELETE', `/user/${owner.user.user_id}`), 400, 'IR_16')
})
