import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '../src/http/endpoint.ts'
import { endpoints } from '../src/http/endpoints.ts'
import { permissionsOf } from '../src/users/roles.ts'
import { rightOf } from './access.ts'
import { dispute, openDisputedShop } from './disputes.ts'
import { examples, queryOf } from './examples.ts'
import { payOutBody } from './payout-shop.ts'
import { type Browser, entered, openOwner, PASSWORD, someEmail, tokenOf } from './people.ts'
import { areTheSame, isRefused } from './refused.ts'
import { type Body, http, type Shop } from './shop.ts'
import { addAccount } from './two-accounts.ts'

/** A role that is limited to some profiles of the merchant: objects of other profiles do not exist for it. */

type Ids = Record<string, string>

/** Makes one of every object that belongs to a profile; gives the ids. */
async function things(shop: Shop, profile_id: string, merchant_connector_id: string): Promise<Ids> {
  const payment = await shop.pay({ profile_id, merchant_order_reference_id: 'order 7' })
  const refund = (await shop.refund(payment.payment_id, 100)).body
  const payout = (await shop.post('/payouts/create', payOutBody({ confirm: false, profile_id }))).body
  const url = `https://shop.example/${profile_id}`
  const endpoint = (await shop.post('/webhook_endpoints', { url, profile_id })).body
  const algorithm = { type: 'single', data: { connector: 'phonypay', merchant_connector_id } }
  const rules = (await shop.post('/routing', { name: 'rules', description: 'd', profile_id, algorithm })).body
  const event = (await shop.events(payment.payment_id)).find(one => one.event_type !== null)!
  return {
    profile_id,
    merchant_connector_id,
    connector_id: merchant_connector_id,
    payment_id: payment.payment_id,
    payment_link_id: `plink_${payment.payment_id}`,
    refund_id: refund.refund_id,
    payout_id: payout.payout_id,
    endpoint_id: endpoint.endpoint_id,
    routing_algorithm_id: rules.id,
    algorithm_id: rules.id,
    event_id: event.event_id,
  }
}

const join = async (shop: Shop, owner: Browser, ask: Body): Promise<Browser> => {
  const invited = await owner.post('/user/invite', { email: someEmail(), ...ask, password: PASSWORD })
  equal(invited.status, 200, invited.text)
  const accepted = { token: tokenOf(invited.body.url), name: 'Nora Narrow', password: PASSWORD }
  return entered(shop, await http('POST', `${shop.url}/user/invite/accept`, accepted))
}

/** Opens a shop with two profiles, one of every object in each, and an admin of the first profile only. */
async function openTwoProfiles() {
  const shop = await openDisputedShop()
  const [first] = (await shop.call('GET', `/account/${shop.merchant_id}/business_profile`)).body as [Body]
  const second = (await shop.post(`/account/${shop.merchant_id}/business_profile`, { profile_name: 'second' })).body
  const other = await addAccount(shop, { profile_id: second.profile_id }, `sandbox_${shop.merchant_id}_second`)
  const mine = await things(shop, first.profile_id, shop.merchant_connector_id)
  const others = await things(shop, second.profile_id, other.merchant_connector_id)
  const disputed = await dispute(shop, (await shop.pay({ profile_id: first.profile_id })).payment_id)
  const owner = await openOwner(shop)
  const person = await join(shop, owner, { role: 'admin', profile_ids: [first.profile_id] })
  const its: Ids = { ...mine, dispute_id: disputed.dispute_id }
  return { shop, owner, person, mine: its, others }
}

const nobodys: Ids = Object.fromEntries(
  Object.entries({ profile_id: 'pro_', merchant_connector_id: 'mca_', dispute_id: 'dp_', file_id: 'file_', event_id: 'evt_' }).map(
    ([name, prefix]) => [name, `${prefix}nobodys`],
  ),
)

const pathOf = (endpoint: Endpoint, merchant_id: string, ids: Ids): string =>
  endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'merchant_id' ? merchant_id : (ids[name] ?? `nobodys_${name}`))) +
  queryOf(endpoint, ids)

/** Gives an example's body, with the ids of these objects. */
const bodyOf = (endpoint: Endpoint, ids: Ids): unknown => {
  const value = examples[endpoint.name]?.value ?? {}
  if (Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, example]) => [name, Object.hasOwn(ids, name) && name.endsWith('_id') ? ids[name] : example]),
  )
}

const knock = (who: Browser, shop: Shop, endpoint: Endpoint, ids: Ids) =>
  who.call(
    endpoint.method,
    pathOf(endpoint, shop.merchant_id, ids),
    endpoint.method === 'GET' || endpoint.form ? undefined : bodyOf(endpoint, ids),
  )

test('a role limited to a profile gets the same error for other profiles as for unknown ids, and no merchant-wide operations', async () => {
  const { shop, person, others } = await openTwoProfiles()
  const { merchant_id } = shop
  deepEqual([person.user.role, person.user.profile_ids?.length], ['admin', 1])
  const has = permissionsOf('admin', 'test', 'profiles')
  let tried = 0
  for (const endpoint of endpoints.filter(one => one.answers !== 'stream')) {
    const right = rightOf(endpoint)
    if (right === null || right.permission === null) continue
    const needed = right.permission
    const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).filter(name => name !== 'merchant_id')
    const isOfProfile = right.scope === 'profile'
    if (!has.has(needed as never) || !isOfProfile) {
      const refused = await knock(person, shop, endpoint, others)
      isRefused(refused, 403, 'IR_22')
      if (has.has(needed as never)) ok(refused.text.includes('merchant as a whole'), `${endpoint.name}: ${refused.text}`)
      continue
    }
    if (!names.some(name => others[name] !== undefined)) continue
    tried++
    const [one, none] = [await knock(person, shop, endpoint, others), await knock(person, shop, endpoint, nobodys)]
    areTheSame(one, none)
    ok([404, 400, 422].includes(one.status), `${endpoint.name} ${one.text}`)
    if (endpoint.method === 'GET' && endpoint.name !== 'fetchDisputes')
      equal(one.status, 404, `${endpoint.name} ${merchant_id} ${one.text}`)
  }
  ok(tried > 60, `${tried} operations`)
})

test('lists, counts, exports, searches, analytics and balances show only the profiles of the user', async () => {
  const { shop, owner, person, mine, others } = await openTwoProfiles()
  const ask = { start_time: '2020-01-01T00:00:00Z', end_time: '2100-01-01T00:00:00Z' }
  const idsIn = (value: unknown): string => JSON.stringify(value)
  const of = ['payment_id', 'refund_id', 'payout_id', 'endpoint_id', 'merchant_connector_id', 'profile_id', 'routing_algorithm_id'] as const
  const account = `/account/${shop.merchant_id}`
  const reads: [path: string, body: Body | null, shows: (typeof of)[number]][] = [
    ['/payments/list', null, 'payment_id'],
    ['/payments/export', null, 'payment_id'],
    ['/payments/list', {}, 'payment_id'],
    ['/refunds/list', null, 'refund_id'],
    ['/refunds/list', {}, 'refund_id'],
    ['/payouts/list', null, 'payout_id'],
    ['/payouts/list', { ...ask, limit: 10, currency: ['EUR'], entity_type: ['Individual'] }, 'payout_id'],
    ['/events', null, 'payment_id'],
    [`/events/${shop.merchant_id}`, {}, 'payment_id'],
    ['/ledger/entries', null, 'payment_id'],
    ['/ledger/balances', null, 'profile_id'],
    ['/ledger/export', null, 'payment_id'],
    ['/webhook_endpoints', null, 'endpoint_id'],
    [`${account}/connectors`, null, 'merchant_connector_id'],
    [`${account}/connectors/health`, null, 'merchant_connector_id'],
    [`${account}/business_profile`, null, 'profile_id'],
    ['/routing', null, 'routing_algorithm_id'],
    ['/routing/default/profile', null, 'merchant_connector_id'],
    ['/payments/v2/filter', null, 'merchant_connector_id'],
    ['/analytics/breakdown', { time_range: { start_time: ask.start_time }, group_by: ['profile_id'], metrics: ['payments'] }, 'profile_id'],
    ['/search?q=order%207', null, 'payment_id'],
  ]
  await shop.wait('2 minutes')
  for (const [path, body, shows] of reads) {
    const read = async (who: Browser) => {
      const answer = await (body === null ? who.get(path) : who.post(path, body))
      equal(answer.status, 200, `${path} ${answer.text}`)
      return idsIn(answer.body ?? answer.text)
    }
    const [all, some] = [await read(owner), await read(person)]
    ok(all.includes(mine[shows]!) && all.includes(others[shows]!), `${path} shows the owner both: ${all}`)
    ok(some.includes(mine[shows]!), `${path} shows what is theirs: ${some}`)
    for (const name of of) ok(!some.includes(others[name]!), `${path} shows ${name} of another profile: ${some}`)
  }
  equal((await person.get(`/search?q=${others.payment_id}`)).body.size, 0)
  equal((await person.get(`/search?q=${mine.payment_id}`)).body.size, 1)
  equal((await person.get(`/payments/aggregate?start_time=${ask.start_time}`)).body.status_with_count.succeeded, 2)
  isRefused(await person.get(`/payments/list?starting_after=${others.payment_id}`), 404, 'HE_02')
  isRefused(await person.call('GET', '/payments/list', undefined, { 'x-profile-id': others.profile_id! }), 400, 'IR_16')
  equal((await person.get(`/events?object_id=${mine.refund_id}`)).status, 200)
  isRefused(await person.get(`/events?object_id=${others.refund_id}`), 404, 'HE_02')
  equal((await person.get(`/ledger/balances?profile_id=${others.profile_id}`)).body.size, 0)
  equal((await person.post(`/events/${shop.merchant_id}`, { profile_id: others.profile_id })).body.total_count, 0)
  equal((await person.get('/disputes/list')).body.length, 1)
})

test('a user limited to a profile cannot move money of another one by any id in a request, and can move their own', async () => {
  const { shop, person, mine, others } = await openTwoProfiles()
  isRefused(await person.post('/refunds', { payment_id: others.payment_id, amount: 100 }), 404, 'HE_02')
  isRefused(await person.post('/refunds/sync', { refund_id: others.refund_id }), 404, 'HE_02')
  isRefused(await person.post(`/payments/${others.payment_id}/capture`, {}), 404, 'HE_02')
  isRefused(await person.post('/payments', { ...shop.payBody({}), profile_id: others.profile_id }), 404, 'HE_02')
  isRefused(await person.post('/payouts/create', payOutBody({ profile_id: others.profile_id })), 404, 'HE_02')
  isRefused(await person.post('/routing/evaluate', { payment_id: others.payment_id }), 404, 'HE_02')
  const verify = { connector_name: 'phonypay', merchant_connector_id: others.merchant_connector_id }
  isRefused(await person.post('/account/connectors/verify', verify), 404, 'HE_02')
  equal((await shop.get(others.payment_id!)).refunds?.length ?? 1, 1)
  equal((await person.post('/refunds', { payment_id: mine.payment_id, amount: 100 })).status, 200)
  equal((await person.get('/payments/profile/list')).body.size, 2)
  const paid = await person.post('/payments', shop.payBody({}))
  equal(paid.status, 200, paid.text)
  equal(paid.body.profile_id, mine.profile_id, 'the only profile is theirs where none is named')
})

test('a role is limited to profiles, or to all again, from the next request on; an owner cannot be limited', async () => {
  const { shop, owner, person, mine, others } = await openTwoProfiles()
  const { user_id } = person.user
  const change = (body: Body) => owner.post(`/user/${user_id}`, { ...body, password: PASSWORD })
  deepEqual((await change({ profile_ids: [mine.profile_id, others.profile_id] })).body.profile_ids, [mine.profile_id, others.profile_id])
  equal((await person.get(`/payments/${others.payment_id}`)).status, 200)
  isRefused(await person.get('/customers/list'), 403, 'IR_22', /as a whole/)
  equal((await change({ all_profiles: true })).body.profile_ids, null)
  equal((await person.get('/customers/list')).status, 200)
  equal((await change({ role: 'operator', profile_ids: [others.profile_id] })).body.role, 'operator')
  isRefused(await person.get(`/payments/${mine.payment_id}`), 404, 'HE_02')
  deepEqual((await change({ role: 'developer' })).body.profile_ids, [others.profile_id], 'what is not said stays')
  isRefused(await change({ role: 'owner' }), 400, 'IR_16', /owner/)
  isRefused(await change({ profile_ids: ['pro_nobodys'] }), 404, 'HE_02')
  isRefused(await change({ profile_ids: [] }), 400, 'IR_06')
  const invite = (more: Body) => owner.post('/user/invite', { email: someEmail(), ...more, password: PASSWORD })
  isRefused(await invite({ role: 'owner', profile_ids: [mine.profile_id] }), 400, 'IR_16')
  isRefused(await invite({ role: 'viewer', profile_ids: ['pro_nobodys'] }), 404, 'HE_02')
  equal((await owner.get('/user/list')).body.data.find((one: Body) => one.user_id === user_id).profile_ids[0], others.profile_id)
  const admin = await join(shop, owner, { role: 'admin', profile_ids: [mine.profile_id] })
  for (const [method, path] of [
    ['GET', '/user/list'],
    ['POST', '/user/invite'],
    ['POST', `/user/${user_id}`],
    ['GET', `/api_keys/${shop.merchant_id}/list`],
  ])
    isRefused(await admin.call(method!, path!, method === 'GET' ? undefined : { email: someEmail(), role: 'viewer' }), 403, 'IR_22')
})

test('an approval request is shown to, and decided by, only users of its profile', async () => {
  const { shop, owner, person, mine, others } = await openTwoProfiles()
  equal((await shop.post('/approvals/settings', { above: { USD: 10 } })).status, 200)
  const asked = async (payment_id: string) => (await owner.post('/refunds', { payment_id, amount: 100 })).body
  const [one, other] = [await asked(mine.payment_id!), await asked(others.payment_id!)]
  const listed = (await person.get('/approvals')).body.data.map(({ approval_id }: Body) => approval_id)
  deepEqual(listed, [one.approval_id])
  isRefused(await person.get(`/approvals/${other.approval_id}`), 404, 'HE_02')
  isRefused(await person.post(`/approvals/${other.approval_id}/approve`), 404, 'HE_02')
  const approved = await person.post(`/approvals/${one.approval_id}/approve`)
  deepEqual([approved.status, approved.body.status], [200, 'executed'])
  const [attention] = [(await person.get('/attention')).body.data as Body[]]
  ok(!JSON.stringify(attention).includes(others.profile_id!))
  // The role is narrowed after the request: an action that the user may no longer take is not carried out in the
  // user's name.
  const later = (await person.post('/refunds', { payment_id: mine.payment_id, amount: 200 })).body
  equal((await owner.post(`/user/${person.user.user_id}`, { profile_ids: [others.profile_id], password: PASSWORD })).status, 200)
  const refused = (await owner.post(`/approvals/${later.approval_id}/approve`)).body
  deepEqual([refused.status, refused.error_code], ['refused', 'HE_02'])
})

/** What a role for some profiles may not ask although its request names an object of a profile, and why. */
const ofTheMerchant: Readonly<Record<string, string>> = {
  createCollectLink: 'a link collects payment methods of a customer, who belongs to the merchant',
  deleteProfile: 'the merchant loses a profile',
  listRequestLogs: 'a request may be about objects of several profiles',
}

test('every operation of people that names a payment, a refund or another object of a profile can be called by a role for this profile', () => {
  const objects = [
    'profile_id',
    'payment_id',
    'payment_link_id',
    'refund_id',
    'payout_id',
    'dispute_id',
    'file_id',
    'event_id',
    'object_id',
  ]
  const membersOf = (shape: unknown) => Object.keys((shape as { properties?: object } | undefined)?.properties ?? {})
  const namesOne = ({ path, query, body }: Endpoint) => {
    const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part!)
    return [...parts, ...membersOf(query), ...membersOf(body)].some(name => objects.includes(name))
  }
  for (const { name, auth, query, body } of endpoints)
    for (const id of auth.ids)
      ok(
        [...membersOf(query), ...membersOf(body)].includes(id),
        `${name} has no member ${id} in query or body: correct \`ids\` of its auth`,
      )
  const missing = endpoints.filter(endpoint => namesOne(endpoint) && rightOf(endpoint)?.scope === 'merchant')
  deepEqual(missing.map(({ name }) => name).sort(), Object.keys(ofTheMerchant).sort())
})

test('a role for a profile synchronizes a payment of this profile, and finds no payment of another', async () => {
  const { person, mine, others } = await openTwoProfiles()
  equal((await person.post('/payments/sync', { payment_id: mine.payment_id })).status, 200)
  isRefused(await person.post('/payments/sync', { payment_id: others.payment_id }), 404, 'HE_02')
})
