import { deepEqual, equal, match, ok, throws } from 'node:assert/strict'
import { after, test } from 'node:test'
import { openIdentityProvider } from '../../test/identity-provider.ts'
import { browser, cookieOf, entered, join, linkFor, openOwner, PASSWORD, signIn, someEmail, tokenOf } from '../../test/people.ts'
import { isRefused } from '../../test/refused.ts'
import { type Answer, type Body, http, openPlace, openShop, type Shop } from '../../test/shop.ts'
import { Secret } from '../base/secret.ts'
import { readConfig } from '../config.ts'
import type { Context } from '../context.ts'

const provider = await openIdentityProvider()
after(provider.close)
const sso = { issuer: provider.url, clientId: provider.client.id, secret: new Secret(provider.client.secret) }

// The service takes the addresses of callers from `x-forwarded-for`.
const place = { sso, trustedProxies: ['127.0.0.1'] }

/** While set, this function runs once before the next session begins. */
let beforeSession: (() => Promise<unknown>) | null = null
const wrap = (context: Context): Context => ({
  ...context,
  async query(statement, values) {
    const first = statement.name === 'insert_user_session' ? beforeSession : null
    if (first) beforeSession = null
    await first?.()
    return context.query(statement, values)
  },
})

const begin = (shop: Shop, next?: string): Promise<Answer> =>
  http('GET', `${shop.url}/user/sso${next === undefined ? '' : `?next=${encodeURIComponent(next)}`}`)
const locationOf = (answer: Answer): string => String(answer.headers.location)
const back = (url: string, cookie: string): Promise<Answer> => http('GET', url, undefined, { cookie })

/** Follows the whole way of a browser through single sign-on; gives the address where it ends, and the session. */
async function come(shop: Shop, login: { sub: string; email: string; email_verified?: boolean }, next?: string) {
  const begun = await begin(shop, next)
  equal(begun.status, 302, begun.text)
  const answer = await back(provider.login(locationOf(begun), login), cookieOf(begun))
  equal(answer.status, 302, answer.text)
  return { at: locationOf(answer), cookie: cookieOf(answer) }
}

const FAILED = '/dashboard/sign-in?failed=sso'

test('a sign-on provider that does not respond sends the browser back to the other ways to sign in, and is retried', async () => {
  await openPlace(place, wrap)
  const shop = await openShop()
  provider.state.isDown = true
  equal(locationOf(await begin(shop)), FAILED)
  provider.state.isDown = false
  match(locationOf(await begin(shop)), /\/authorize\?/)
})

test('an invited user signs in by the provider, which accepts the invitation, and returns to the requested page', async () => {
  await openPlace(place, wrap)
  const shop = await openShop()
  const owner = await openOwner(shop)
  const email = someEmail()
  equal((await owner.post('/user/invite', { email, role: 'operator', password: PASSWORD })).status, 200)
  const { at, cookie } = await come(shop, { sub: email, email: email.toUpperCase() }, '/dashboard/payments?status=failed')
  equal(at, '/dashboard/payments?status=failed')
  const user = (await browser(shop, cookie, null).get('/user')).body
  equal(user.email, email)
  equal(user.role, 'operator')
  equal((await come(shop, { sub: email, email: 'renamed@shop.example' })).at, '/dashboard')
  ok((await http('GET', `${shop.url}/deployment`)).body.sign_in.includes('sso'))
})

test('single sign-on refuses users who are not invited or not verified, another subject of a known address, another browser, and a second use', async () => {
  await openPlace(place, wrap)
  const shop = await openShop()
  const owner = await openOwner(shop)
  const { email } = owner.user
  equal((await come(shop, { sub: 'x', email: someEmail() })).at, FAILED)
  equal((await come(shop, { sub: 'x', email, email_verified: false })).at, FAILED)
  equal((await come(shop, { sub: email, email })).at, '/dashboard')
  equal((await come(shop, { sub: 'somebody else', email })).at, FAILED)

  const [mine, other] = [await begin(shop), await begin(shop)]
  const link = provider.login(locationOf(other), { sub: email, email })
  equal(locationOf(await back(link, cookieOf(mine))), FAILED, 'a link that was sent to me signs me in as nobody')
  equal(locationOf(await http('GET', link)), FAILED)
  const fresh = await begin(shop)
  const right = provider.login(locationOf(fresh), { sub: email, email })
  equal(locationOf(await back(right, cookieOf(fresh))), '/dashboard')
  equal(locationOf(await back(right, cookieOf(fresh))), FAILED)
  const late = await begin(shop)
  await shop.wait('6 minutes')
  equal(locationOf(await back(provider.login(locationOf(late), { sub: email, email }), cookieOf(late))), FAILED)
  equal(locationOf(await http('GET', `${shop.url}/user/sso/callback?error=access_denied`)), FAILED)
  isRefused(await http('GET', `${shop.url}/user/sso/callback?state=%00`), 400, 'IR_06')
})

test('an ID token that the provider’s keys did not sign, and an address beyond ASCII, sign nobody in', async () => {
  await openPlace(place, wrap)
  const shop = await openShop()
  const owner = await openOwner(shop)
  const email = someEmail('kelvin')
  equal((await owner.post('/user/invite', { email, role: 'viewer', password: PASSWORD })).status, 200)
  provider.state.isForged = true
  equal((await come(shop, { sub: email, email })).at, FAILED)
  provider.state.isForged = false
  equal((await come(shop, { sub: 'another', email: email.replace('k', '\u212a') })).at, FAILED)
  equal((await come(shop, { sub: email, email })).at, '/dashboard')
})

test('an account created by accepting another person’s invitation is closed when the real owner of the address signs in by the provider', async () => {
  await openPlace(place, wrap)
  const shop = await openShop()
  const owner = await openOwner(shop)
  const email = someEmail()
  const squatter = await join(shop, owner, 'viewer', email)
  equal((await squatter.get('/user')).status, 200)
  equal((await come(shop, { sub: email, email })).at, '/dashboard')
  equal((await squatter.get('/user')).status, 401)
  isRefused(await signIn(shop, email, PASSWORD), 401, 'UR_01')
})

test('an unfinished sign-in opens nothing once its user has signed in by the provider or got a new password', async () => {
  await openPlace(place, wrap)
  const shop = await openShop()
  const owner = await openOwner(shop)
  const [taken, renewed] = [someEmail(), someEmail()]
  for (const email of [taken, renewed]) await join(shop, owner, 'viewer', email)
  beforeSession = () => come(shop, { sub: taken, email: taken })
  isRefused(await signIn(shop, taken, PASSWORD), 401, 'UR_01')
  const reset = { token: tokenOf((await linkFor(shop, { email: renewed })).url), password: 'another horse battery staple' }
  beforeSession = () => http('POST', `${shop.url}/user/password/reset`, reset)
  isRefused(await signIn(shop, renewed, PASSWORD), 401, 'UR_01')
  // A session that began just before the accounts were linked ends with the link: any number at once, none remains.
  const racing = someEmail()
  await join(shop, owner, 'viewer', racing)
  const [, ...answers] = await Promise.all([
    come(shop, { sub: racing, email: racing }),
    ...Array.from({ length: 8 }, () => signIn(shop, racing, PASSWORD)),
  ])
  // Eight sign-ins at once may keep the account from being linked: the person comes again.
  equal((await come(shop, { sub: racing, email: racing })).at, '/dashboard')
  for (const answer of answers) if (answer.status === 200) equal((await browser(shop, cookieOf(answer), null).get('/user')).status, 401)
})

test('an invitation cannot set a password for an account of the provider; signing in by the provider accepts it', async () => {
  await openPlace(place, wrap)
  const shop = await openShop()
  const owner = await openOwner(shop)
  const email = someEmail()
  await owner.post('/user/invite', { email, role: 'viewer', password: PASSWORD })
  await come(shop, { sub: email, email })
  const elsewhere = await openShop()
  const other = await openOwner(elsewhere)
  const { url } = (await other.post('/user/invite', { email, role: 'viewer', password: PASSWORD })).body
  const taken = await http('POST', `${shop.url}/user/invite/accept`, { token: tokenOf(url), name: 'Mallory', password: PASSWORD })
  isRefused(taken, 401, 'UR_51')
  isRefused(await signIn(shop, email, PASSWORD), 401, 'UR_01')
  const { cookie } = await come(shop, { sub: email, email })
  equal((await browser(shop, cookie, null).get('/user')).body.merchants.length, 2)
})

test('an invitation whose link has expired gives nothing by the provider, neither an account nor a role beside another', async () => {
  await openPlace(place, wrap)
  const shop = await openShop()
  const owner = await openOwner(shop)
  const [late, known] = [someEmail('late'), someEmail('known')]
  for (const email of [late, known]) equal((await owner.post('/user/invite', { email, role: 'viewer', password: PASSWORD })).status, 200)
  equal((await come(shop, { sub: known, email: known })).at, '/dashboard')
  const elsewhere = await openShop()
  const other = await openOwner(elsewhere)
  equal((await other.post('/user/invite', { email: known, role: 'admin', password: PASSWORD })).status, 200)
  await shop.wait('8 days')
  equal((await come(shop, { sub: late, email: late })).at, FAILED)
  const { cookie } = await come(shop, { sub: known, email: known })
  const { merchants, merchant_id } = (await browser(shop, cookie, null).get('/user')).body
  deepEqual([merchants.map((one: Body) => one.merchant_id), merchant_id], [[shop.merchant_id], shop.merchant_id])
  const again = entered(shop, await signIn(shop, owner.user.email))
  equal((await again.post('/user/invite', { email: late, role: 'viewer', password: PASSWORD })).status, 200)
  equal((await come(shop, { sub: late, email: late })).at, '/dashboard', 'invited again')
})

test('a session begins at the merchant whose invitation was accepted first, not at one that only invited first', async () => {
  await openPlace(place, wrap)
  const [stranger, shop] = [await openShop(), await openShop()]
  const email = someEmail()
  const [theirs, owner] = [await openOwner(stranger), await openOwner(shop)]
  equal((await theirs.post('/user/invite', { email, role: 'viewer', password: PASSWORD })).status, 200)
  await join(shop, owner, 'operator', email)
  const { cookie } = await come(shop, { sub: email, email })
  const { merchants, merchant_id } = (await browser(shop, cookie, null).get('/user')).body
  deepEqual([merchants.length, merchant_id], [2, shop.merchant_id])
})

test('an address that begins a hundred sign-ins by the provider and completes none is sent back, and no more rows are written', async () => {
  await openPlace(place, wrap)
  const shop = await openShop()
  const owner = await openOwner(shop)
  const { email } = owner.user
  const address = { 'x-forwarded-for': '198.51.100.50' }
  const start = (from = address) => http('GET', `${shop.url}/user/sso`, undefined, from)
  for (let i = 0; i < 99; i++) match(locationOf(await start()), /\/authorize\?/)
  const last = await start()
  const rows = async () => (await shop.query("select count(*)::int as n from user_links where kind = 'sso'"))[0]!.n
  const before = await rows()
  equal(locationOf(await start()), FAILED)
  equal(await rows(), before)
  match(locationOf(await start({ 'x-forwarded-for': '198.51.100.51' })), /\/authorize\?/)
  const link = provider.login(locationOf(last), { sub: email, email })
  equal(locationOf(await http('GET', link, undefined, { cookie: cookieOf(last), ...address })), '/dashboard')
  match(locationOf(await start()), /\/authorize\?/, 'one was completed')
})

test('after a sign-in the browser is redirected only to pages of the dashboard', async () => {
  await openPlace(place, wrap)
  const shop = await openShop()
  const elsewhere = [
    'https://evil.example',
    '//evil.example',
    '/dashboard//evil.example',
    '/dashboard\\evil',
    '/dashboard.evil.example',
    '/payments',
    'javascript:alert(1)',
  ]
  for (const next of elsewhere) isRefused(await begin(shop, next), 400, 'IR_07', /next/)
  const begun = await begin(shop)
  const set = String(begun.headers['set-cookie'])
  match(set, /^switchyard_sso=\w{43}\.[\w-]+; Path=\/user\/sso; HttpOnly; SameSite=Lax/)
  const tampered = `${cookieOf(begun).split('.')[0]}.${Buffer.from('//evil.example').toString('base64url')}`
  const owner = await openOwner(shop)
  const login = { sub: owner.user.email, email: owner.user.email }
  equal(locationOf(await back(provider.login(locationOf(begun), login), tampered)), FAILED)
  equal((await come(shop, login, '/dashboard/search?q=日本')).at, '/dashboard/search?q=%E6%97%A5%E6%9C%AC')
})

test('single sign-on requires a client, and https in live mode', () => {
  const env = { DATABASE_URL: 'postgresql://localhost/x', ADMIN_API_KEY: 'admin_key_of_the_tests', KEY_FILE: 'keys.json' }
  const more = { OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }
  throws(() => readConfig({ ...env, OIDC_ISSUER: 'https://login.example' }), /OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set/)
  throws(
    () => readConfig({ ...env, ...more, OIDC_ISSUER: 'http://login.example', MODE: 'live', PUBLIC_URL: 'https://a.example' }),
    /OIDC_ISSUER/,
  )
  equal(readConfig({ ...env, ...more, OIDC_ISSUER: 'https://login.example' }).sso?.clientId, 'a')
})
