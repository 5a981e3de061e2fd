import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { admits } from '../src/http/auth.ts'
import type { Endpoint } from '../src/http/endpoint.ts'
import { endpoints } from '../src/http/endpoints.ts'
import { examples, queryOf } from './examples.ts'
import { payOutBody } from './payout-shop.ts'
import { openPlatform } from './platform.ts'
import { areTheSame, isRefused } from './refused.ts'
import { ADMIN_KEY, type Answer, type Body, card, http, openShop, type Shop } from './shop.ts'

/**
 * The rights of all credentials. The table of endpoints is the list of operations: an operation that is added is
 * tested here without a change of this test.
 */

/** Gives a value for each parameter of the operations' addresses: real ids of this shop where there are any. */
async function fillings(shop: Shop): Promise<Record<string, string>> {
  const payment = await shop.pay()
  const refund = (await shop.refund(payment.payment_id, 100)).body
  const payout = (await shop.post('/payouts/create', payOutBody({ confirm: false }))).body
  return {
    payment_id: payment.payment_id,
    payout_id: payout.payout_id,
    refund_id: refund.refund_id,
    merchant_id: shop.merchant_id,
    attempt_id: `${payment.payment_id}_1`,
    connector: 'phonypay',
    merchant_connector_id: shop.merchant_connector_id,
    key_id: 'snd_unknown',
    organization_id: 'org_unknown',
    profile_id: payment.profile_id,
    ephemeral_key_id: 'eki_unknown',
    endpoint_id: 'we_unknown',
    event_id: 'evt_unknown',
  }
}

const pathOf = (endpoint: Endpoint, ids: Record<string, string>): string =>
  endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? `missing_${name}`) +
  (endpoint.name === 'listEvents' ? `?object_id=${ids.payment_id}` : queryOf(endpoint, ids))

const knock = (
  shop: Shop,
  endpoint: Endpoint,
  ids: Record<string, string>,
  headers: Record<string, string>,
  body: Body = {},
): Promise<Answer> => http(endpoint.method, shop.url + pathOf(endpoint, ids), endpoint.method === 'GET' ? undefined : body, headers)

const locked = endpoints.filter(endpoint => endpoint.auth.credential !== 'nothing')
const takesMerchantKeys = (endpoint: Endpoint) => admits(endpoint.auth, 'secret')

test('a missing, unknown or truncated key gets the same 401 at every operation', async () => {
  const shop = await openShop()
  const ids = await fillings(shop)
  for (const endpoint of locked) {
    const without = await knock(shop, endpoint, ids, {})
    isRefused(without, 401, 'IR_01')
    const wrong = [
      '',
      'x',
      `snd_${'0'.repeat(64)}`,
      `pk_snd_${'0'.repeat(32)}`,
      `epk_${'0'.repeat(32)}`,
      shop.api_key.slice(0, -1),
      `${shop.api_key}0`,
      `${ADMIN_KEY}x`,
    ]
    for (const key of wrong) areTheSame(await knock(shop, endpoint, ids, { 'api-key': key }), without)
    areTheSame(await knock(shop, endpoint, ids, { authorization: `Bearer ${shop.api_key}` }), without)
  }
})

test('a revoked or expired key, or one of a deleted merchant, is answered like an unknown key at every operation', async () => {
  const shop = await openShop()
  const ids = await fillings(shop)
  const admin = { 'api-key': ADMIN_KEY }
  const make = async (merchant_id: string, expiration: string) =>
    (await http('POST', `${shop.url}/api_keys/${merchant_id}`, { name: 'k', expiration }, admin)).body
  const revoked = await make(shop.merchant_id, 'never')
  equal((await http('DELETE', `${shop.url}/api_keys/${shop.merchant_id}/${revoked.key_id}`, undefined, admin)).status, 200)
  const expired = await make(shop.merchant_id, new Date(Date.now() + shop.clock.ahead - 1000).toISOString())
  const gone = await openShop()
  const visitor = (await gone.post('/ephemeral_keys', { customer_id: 'kari' })).body
  equal((await http('DELETE', `${shop.url}/accounts/${gone.merchant_id}`, undefined, admin)).status, 200)
  for (const endpoint of locked) {
    const without = await knock(shop, endpoint, ids, {})
    for (const key of [revoked.api_key, expired.api_key, gone.api_key, gone.publishable_key, visitor.secret])
      areTheSame(await knock(shop, endpoint, ids, { 'api-key': key }), without)
  }
})

test('an ephemeral key is refused with 403 at every operation that does not accept ephemeral keys', async () => {
  const shop = await openShop()
  const ids = await fillings(shop)
  const { secret } = (await shop.post('/ephemeral_keys', { customer_id: 'kari' })).body
  for (const endpoint of locked.filter(one => !admits(one.auth, 'ephemeral')))
    isRefused(await knock(shop, endpoint, ids, { 'api-key': secret }), 403, 'IR_22')
})

test('a request for another profile finds no object of this profile, and an unknown profile is rejected', async () => {
  const shop = await openShop()
  const ids = await fillings(shop)
  const second = (await shop.post(`/account/${shop.merchant_id}/business_profile`, { profile_name: 'second' })).body
  const scoped = locked.filter(
    one => one.auth.credential === 'secret or admin' && /\{profile_id\}|\{merchant_connector_id\}/.test(one.path),
  )
  equal(scoped.length >= 6, true)
  for (const endpoint of scoped) {
    const body = examples[endpoint.name]?.value
    const meaning = (profile_id: string) => knock(shop, endpoint, ids, { 'api-key': shop.api_key, 'x-profile-id': profile_id }, body)
    isRefused(await meaning(second.profile_id), 404, 'HE_02')
    isRefused(await meaning('pro_nobodys'), 400, 'IR_16')
  }
})

test('the operations without credentials are exactly those on a fixed list', () => {
  deepEqual(
    endpoints
      .filter(endpoint => endpoint.auth.credential === 'nothing')
      .map(endpoint => endpoint.name)
      .sort(),
    [
      'acceptInvitation',
      'beginDevice',
      'beginSso',
      'createFirstOwner',
      'customerAuthenticated',
      'customerAuthenticatedByPost',
      'customerReturned',
      'customerReturnedByPost',
      'customerReturnedUnnamed',
      'featureMatrix',
      'forgotPassword',
      'getWebhook',
      'health',
      'passkeySignInOptions',
      'pollDevice',
      'putWebhook',
      'ready',
      'receiveWebhook',
      'resetPassword',
      'retrieveDeployment',
      'showCollectLink',
      'showPaymentLink',
      'showPayoutLink',
      'showSecurePaymentLink',
      'showWaitingPage',
      'signIn',
      'signInPasskey',
      'signInTotp',
      'ssoReturned',
      'startChallenge',
    ],
  )
})

test('a publishable key works only at operations for browsers, and is refused with 403 at all others', async () => {
  const shop = await openShop()
  const ids = await fillings(shop)
  for (const endpoint of locked) {
    const answer = await knock(shop, endpoint, ids, { 'api-key': shop.publishable_key })
    if (admits(endpoint.auth, 'publishable')) isRefused(answer, 404, 'HE_02')
    else if (admits(endpoint.auth, 'client')) isRefused(answer, 400, 'IR_04', /client_secret/)
    else isRefused(answer, 403, 'IR_22')
  }
  deepEqual(
    locked.filter(endpoint => endpoint.auth.credential === 'secret or client').map(endpoint => endpoint.name),
    [
      'retrievePayment',
      'confirmPayment',
      'updatePayment',
      'completeAuthorize',
      'checkEligibility',
      'checkEligibilityToo',
      'createSessionTokens',
      'calculateTax',
      'postSessionTokens',
      'retrievePaymentLink',
      'confirmPayout',
      'updatePaymentMethod',
      'savePaymentMethod',
      'listPaymentMethods',
    ],
  )
})

test('a merchant key is refused at deployment operations, and the admin key cannot take payments', async () => {
  const shop = await openShop()
  const ids = await fillings(shop)
  for (const endpoint of locked) {
    const [status, code] = endpoint.auth.credential === 'publishable' ? ([401, 'IR_01'] as const) : ([403, 'IR_22'] as const)
    if (!takesMerchantKeys(endpoint)) isRefused(await knock(shop, endpoint, ids, { 'api-key': shop.api_key }), status, code)
    if (!admits(endpoint.auth, 'admin')) isRefused(await knock(shop, endpoint, ids, { 'api-key': ADMIN_KEY }), 401, 'IR_01')
  }
})

test('the admin key gets a 404 for an unknown merchant, at every operation whose path names one', async () => {
  const shop = await openShop()
  const ids = { ...(await fillings(shop)), merchant_id: 'nobody' }
  for (const endpoint of locked.filter(one => one.auth.credential.includes('admin') && one.path.includes('{merchant_id}')))
    isRefused(await knock(shop, endpoint, ids, { 'api-key': ADMIN_KEY }, examples[endpoint.name]?.value), 404, 'HE_02')
})

test('a path that names another merchant is refused alike, whether that merchant exists or not', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const ids = await fillings(shop)
  const scoped = locked.filter(endpoint => takesMerchantKeys(endpoint) && endpoint.path.includes('{merchant_id}'))
  equal(scoped.length > 0, true)
  for (const endpoint of scoped) {
    const existing = await knock(shop, endpoint, { ...ids, merchant_id: other.merchant_id }, { 'api-key': shop.api_key })
    isRefused(existing, 401, 'IR_01')
    areTheSame(await knock(shop, endpoint, { ...ids, merchant_id: 'nobody' }, { 'api-key': shop.api_key }), existing)
  }
})

test('a payment or refund of another merchant is answered as not found at every operation', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const otherIds = await fillings(other)
  const nobodys = { ...otherIds, payment_id: `pay_${'0'.repeat(26)}`, refund_id: `ref_${'0'.repeat(26)}` }
  const bodies: Record<string, (ids: Record<string, string>) => Body> = {
    createRefund: ids => ({ payment_id: ids.payment_id, amount: 100 }),
    confirmPayment: () => ({ payment_method: 'card', payment_method_data: card() }),
    updateMetadata: () => ({ metadata: { a: 'b' } }),
    incrementAuthorization: () => ({ amount: 2000 }),
    checkEligibility: () => ({ payment_method_type: 'card', payment_method_data: card() }),
    checkEligibilityToo: () => ({ payment_method_type: 'card', payment_method_data: card() }),
    postSessionTokens: () => ({ payment_method: 'wallet', payment_method_type: 'paypal' }),
  }
  const before = await other.get(otherIds.payment_id!)
  let tried = 0
  for (const endpoint of locked.filter(
    endpoint => endpoint.auth.credential === 'secret' || endpoint.auth.credential === 'secret or client',
  )) {
    const names = /\{payment_id\}|\{refund_id\}/.test(endpoint.path) || ['createRefund', 'listEvents'].includes(endpoint.name)
    if (!names) continue
    tried++
    const body = (ids: Record<string, string>) => bodies[endpoint.name]?.(ids) ?? {}
    const missing = await knock(shop, endpoint, nobodys, { 'api-key': shop.api_key }, body(nobodys))
    isRefused(missing, 404, 'HE_02')
    areTheSame(await knock(shop, endpoint, otherIds, { 'api-key': shop.api_key }, body(otherIds)), missing)
  }
  ok(tried >= 21)
  deepEqual(await other.get(otherIds.payment_id!), before)
})

test('an unauthenticated request gets a 401 before its body is validated', async () => {
  const shop = await openShop()
  for (const endpoint of locked.filter(endpoint => endpoint.method === 'POST')) {
    const path = pathOf(endpoint, { merchant_id: shop.merchant_id })
    if (endpoint.auth.credential === 'secret or client') continue
    isRefused(await http('POST', shop.url + path, '{', {}), 401, 'IR_01')
    isRefused(await http('POST', shop.url + path, { no: 'such member' }, { 'api-key': 'x' }), 401, 'IR_01')
  }
})

// --- client_secret

const browser = (
  shop: Shop,
  payment_id: string,
  secret: string | undefined,
  headers: Record<string, string> = { 'api-key': shop.publishable_key },
) => ({
  get: () => http('GET', `${shop.url}/payments/${payment_id}${secret === undefined ? '' : `?client_secret=${secret}`}`, undefined, headers),
  confirm: () => http('POST', `${shop.url}/payments/${payment_id}/confirm`, { client_secret: secret }, headers),
})

test('a client_secret gives access to its own payment only', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const [payment, second] = [await shop.create(), await shop.create()]
  const foreign = await other.create()
  for (const way of ['get', 'confirm'] as const) {
    isRefused(await browser(shop, payment.payment_id, undefined)[way](), 400, 'IR_04', /client_secret/)
    isRefused(await browser(shop, payment.payment_id, second.client_secret)[way](), 400, 'IR_09')
    isRefused(await browser(shop, payment.payment_id, 'guess')[way](), 400, 'IR_09')
    isRefused(await browser(shop, payment.payment_id, `${payment.client_secret}0`)[way](), 400, 'IR_09')
    const missing = await browser(shop, `pay_${'0'.repeat(26)}`, payment.client_secret)[way]()
    isRefused(missing, 404, 'HE_02')
    areTheSame(await browser(shop, foreign.payment_id, foreign.client_secret)[way](), missing)
    const server = { 'api-key': shop.api_key }
    isRefused(await browser(shop, payment.payment_id, second.client_secret, server)[way](), 400, 'IR_09')
    const named = await shop.create()
    equal((await browser(shop, named.payment_id, named.client_secret, server)[way]()).status, 200)
  }
  equal((await browser(shop, payment.payment_id, payment.client_secret).get()).body.status, 'requires_confirmation')
  equal((await browser(shop, payment.payment_id, payment.client_secret).confirm()).body.status, 'succeeded')
})

test('a client_secret expires after 15 minutes or the session_expiry of the payment; the server can still confirm', async () => {
  const shop = await openShop()
  const payment = await shop.create()
  const long = await shop.create({ session_expiry: 3600 })
  await shop.wait('14 minutes')
  equal((await browser(shop, payment.payment_id, payment.client_secret).get()).status, 200)
  await shop.wait('2 minutes')
  isRefused(await browser(shop, payment.payment_id, payment.client_secret).get(), 400, 'IR_08')
  isRefused(await browser(shop, payment.payment_id, payment.client_secret).confirm(), 400, 'IR_08')
  isRefused(await browser(shop, payment.payment_id, 'guess').get(), 400, 'IR_09')
  equal((await browser(shop, long.payment_id, long.client_secret).confirm()).body.status, 'succeeded')
  equal((await shop.confirm(payment.payment_id)).body.status, 'succeeded')
})

test('the SDK token replaces publishable key and client_secret, and takes precedence over a publishable key', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const payment = await shop.create()
  const token = (text: string) => ({ authorization: Buffer.from(text).toString('base64') })
  const good = { authorization: payment.sdk_authorization }
  ok(Buffer.from(payment.sdk_authorization, 'base64').toString().includes(`client_secret=${payment.client_secret}`))
  equal((await browser(shop, payment.payment_id, undefined, good).get()).body.payment_id, payment.payment_id)
  equal((await browser(shop, payment.payment_id, undefined, { ...good, 'api-key': other.publishable_key }).get()).status, 200)
  const half = token(`publishable_key=${shop.publishable_key},client_secret=guess`)
  isRefused(await browser(shop, payment.payment_id, undefined, half).get(), 400, 'IR_09')
  const foreign = token(`publishable_key=${other.publishable_key},client_secret=${payment.client_secret}`)
  isRefused(await browser(shop, payment.payment_id, undefined, foreign).get(), 404, 'HE_02')
  for (const text of ['', 'x', 'publishable_key=', `publishable_key=${shop.api_key},client_secret=${payment.client_secret}`])
    isRefused(await browser(shop, payment.payment_id, undefined, token(text)).get(), 401, 'IR_01')
  const decoded = Buffer.from(payment.sdk_authorization, 'base64').toString()
  const ofSession = { ...token(`${decoded},client_session_id=client_sess_x`), 'api-key': shop.publishable_key }
  isRefused(await browser(shop, payment.payment_id, undefined, ofSession).get(), 401, 'IR_01')
  equal((await browser(shop, payment.payment_id, undefined, good).confirm()).body.status, 'succeeded')
  isRefused(await http('POST', `${shop.url}/payments/${payment.payment_id}/capture`, {}, good), 401, 'IR_01')
})

test('the SDK token of a session that is over is no credential any more; a client_secret says that it has expired', async () => {
  const shop = await openShop()
  const payment = await shop.create()
  await shop.wait('20 minutes')
  const token = { authorization: payment.sdk_authorization }
  isRefused(await browser(shop, payment.payment_id, undefined, token).get(), 401, 'IR_01')
  isRefused(await browser(shop, payment.payment_id, undefined, token).confirm(), 401, 'IR_01')
  isRefused(await browser(shop, payment.payment_id, payment.client_secret).get(), 400, 'IR_08')
})

/**
 * The rights of a secret key by its kind: the kind of account that it belongs to, and whether the request names a
 * connected account in the header; for operations for connected accounts only, and for those that a platform may call
 * for itself too.
 */
const rights: Record<string, Record<'for others' | 'for itself too', [number, string] | 'opens'>> = {
  'platform alone': { 'for others': [400, 'IR_43'], 'for itself too': 'opens' },
  'platform for its connected account': { 'for others': 'opens', 'for itself too': 'opens' },
  'platform for another platform’s account': { 'for others': [401, 'IR_44'], 'for itself too': [401, 'IR_44'] },
  'platform for an account that never was': { 'for others': [401, 'IR_44'], 'for itself too': [401, 'IR_44'] },
  'platform for a standard account': { 'for others': [401, 'IR_44'], 'for itself too': [401, 'IR_44'] },
  'platform for itself by name': { 'for others': [401, 'IR_44'], 'for itself too': [401, 'IR_44'] },
  'connected account alone': { 'for others': 'opens', 'for itself too': 'opens' },
  'connected account by name': { 'for others': [401, 'IR_50'], 'for itself too': [401, 'IR_50'] },
  'connected account for its sister': { 'for others': [401, 'IR_50'], 'for itself too': [401, 'IR_50'] },
  'standard account with the header': { 'for others': [401, 'IR_44'], 'for itself too': [401, 'IR_44'] },
}

test('a platform key acts for its own connected accounts and for no others, at every operation', async () => {
  const [shop, platform, other] = [await openShop(), await openPlatform(), await openPlatform()]
  const [mine, sister, foreign] = [await platform.connect(), await platform.connect(), await other.connect()]
  const has = { ...shop, ...mine, query: shop.query } as Shop
  const payment = (await http('POST', `${shop.url}/payments`, shop.payBody({}), { 'api-key': mine.api_key })).body
  const ids = (merchant_id: string) => ({
    payment_id: payment.payment_id,
    merchant_id,
    connector: 'phonypay',
    profile_id: payment.profile_id,
  })
  const knocks: Record<keyof typeof rights, [key: string, connected: string | null, merchant_id: string]> = {
    'platform alone': [platform.api_key, null, platform.platform_id],
    'platform for its connected account': [platform.api_key, mine.merchant_id, mine.merchant_id],
    'platform for another platform’s account': [platform.api_key, foreign.merchant_id, foreign.merchant_id],
    'platform for an account that never was': [platform.api_key, 'nobody', 'nobody'],
    'platform for a standard account': [platform.api_key, shop.merchant_id, shop.merchant_id],
    'platform for itself by name': [platform.api_key, platform.platform_id, platform.platform_id],
    'connected account alone': [mine.api_key, null, mine.merchant_id],
    'connected account by name': [mine.api_key, mine.merchant_id, mine.merchant_id],
    'connected account for its sister': [mine.api_key, sister.merchant_id, sister.merchant_id],
    'standard account with the header': [shop.api_key, mine.merchant_id, shop.merchant_id],
  }
  let opened = 0
  for (const endpoint of locked.filter(takesMerchantKeys))
    for (const [caller, [key, connected, merchant_id]] of Object.entries(knocks)) {
      // Calls that are allowed to the key, and that may change or delete an object, are left out.
      const right = rights[caller]![endpoint.platforms]
      if (right === 'opens' && endpoint.method !== 'GET') continue
      if (endpoint.answers === 'stream') continue
      const headers = { 'api-key': key, ...(connected !== null && { 'x-connected-merchant-id': connected }) }
      const answer = await knock(has, endpoint, ids(merchant_id), headers)
      if (right !== 'opens') isRefused(answer, right[0], right[1])
      else if (![401, 403].includes(answer.status) && answer.body?.error?.code !== 'IR_43') opened++
      else throw new Error(`${caller} at ${endpoint.name}: ${answer.text}`)
    }
  ok(opened > 60, `${opened} were let in`)
})

test('the header that names a connected account is refused with any other kind of key', async () => {
  const [shop, platform] = [await openShop(), await openPlatform()]
  const mine = await platform.connect()
  const { secret } = (await http('POST', `${shop.url}/ephemeral_keys`, { customer_id: 'kari' }, { 'api-key': mine.api_key })).body
  const ids = { merchant_id: mine.merchant_id, customer_id: 'kari' }
  const connected = { 'x-connected-merchant-id': mine.merchant_id }
  for (const endpoint of locked) {
    const keys = [
      admits(endpoint.auth, 'admin') && ADMIN_KEY,
      (admits(endpoint.auth, 'client') || admits(endpoint.auth, 'publishable')) && mine.publishable_key,
      admits(endpoint.auth, 'client') && platform.publishable_key,
      admits(endpoint.auth, 'ephemeral') && secret,
    ]
    for (const key of keys.filter(one => one !== false))
      isRefused(await knock(shop, endpoint, ids, { 'api-key': key, ...connected }), 401, 'IR_44')
  }
})

test('a payment created by a platform belongs to its connected account and names its initiator; other accounts cannot see it', async () => {
  const [shop, platform] = [await openShop(), await openPlatform()]
  const [mine, sister] = [await platform.connect(), await platform.connect()]
  equal((await platform.post('/customers', { customer_id: 'kari' }, mine.merchant_id)).status, 200)
  const paid = (await platform.post('/payments', shop.payBody({ customer_id: 'kari' }), mine.merchant_id)).body
  deepEqual(
    [paid.status, paid.merchant_id, paid.processor_merchant_id, paid.initiator],
    ['succeeded', platform.platform_id, mine.merchant_id, 'platform'],
  )
  const own = (await http('POST', `${shop.url}/payments`, shop.payBody({}), { 'api-key': mine.api_key })).body
  deepEqual([own.merchant_id, own.processor_merchant_id, own.initiator], [mine.merchant_id, mine.merchant_id, 'connected'])
  const standard = await shop.pay()
  deepEqual([standard.merchant_id, standard.processor_merchant_id, standard.initiator], [shop.merchant_id, shop.merchant_id, null])
  const get = (key: string, path: string) => http('GET', shop.url + path, undefined, { 'api-key': key })
  for (const { payment_id } of [paid, own]) {
    equal((await get(mine.api_key, `/payments/${payment_id}`)).status, 200)
    equal((await platform.call('GET', `/payments/${payment_id}`, undefined, mine.merchant_id)).status, 200)
    isRefused(await platform.call('GET', `/payments/${payment_id}`, undefined, sister.merchant_id), 404, 'HE_02')
    for (const other of [sister, shop]) isRefused(await get(other.api_key, `/payments/${payment_id}`), 404, 'HE_02')
  }
  equal((await get(mine.api_key, '/customers/kari')).status, 200)
  isRefused(await get(sister.api_key, '/customers/kari'), 404, 'HE_02')
  // A browser continues with the account's own publishable key, which is in the payment's token.
  const created = (await platform.post('/payments', shop.payBody({ confirm: false }), mine.merchant_id)).body
  const body = { client_secret: created.client_secret, payment_method: 'card', payment_method_data: card() }
  const confirm = (key: string) => http('POST', `${shop.url}/payments/${created.payment_id}/confirm`, body, { 'api-key': key })
  isRefused(await confirm(platform.publishable_key), 404, 'HE_02')
  ok(atob(created.sdk_authorization).includes(mine.publishable_key))
  deepEqual([(await confirm(mine.publishable_key)).body.status, created.initiator], ['succeeded', 'platform'])
})

test('events, audit log and request log record that a platform key acted', async () => {
  const [shop, platform] = [await openShop(), await openPlatform()]
  const mine = await platform.connect()
  const { payment_id } = (await platform.post('/payments', shop.payBody({}), mine.merchant_id)).body
  const profile = `/account/${mine.merchant_id}/business_profile`
  const [{ profile_id }] = (await platform.call('GET', profile, undefined, mine.merchant_id)).body
  equal((await platform.post(`${profile}/${profile_id}`, { session_expiry: 600 }, mine.merchant_id)).status, 200)
  isRefused(await platform.post(`${profile}/${profile_id}`, { session_expiry: 600 }), 401, 'IR_01')
  const is = new RegExp(`^platform_key snd_\\w+ of ${platform.platform_id}$`)
  const as = { 'api-key': mine.api_key }
  const [event] = (await http('GET', `${shop.url}/events?object_id=${payment_id}`, undefined, as)).body.data
  match(event.by, is)
  const [entry] = (await http('GET', `${shop.url}/audit?limit=1&object_kind=profile`, undefined, as)).body.data
  match(entry.by, is)
  await shop.service.tick()
  const logged = (await http('GET', `${shop.url}/logs?limit=100`, undefined, as)).body.data.find((one: Body) => one.route === '/payments')
  match(logged.by, is)
})
