import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { browser, cookieOf, entered, join, linkFor, openOwner, PASSWORD, signIn, someEmail, tokenOf } from '../../test/people.ts'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, http, openPlace, openShop } from '../../test/shop.ts'

test('the first-start link creates the owner once, and actions in the owner’s session are recorded under their name', async () => {
  const shop = await openShop()
  const { url, kind } = await linkFor(shop, { merchant_id: shop.merchant_id })
  equal(kind, 'first')
  match(url, /\/dashboard\/setup\?token=swlink_/)
  const ask = { token: tokenOf(url), email: someEmail(), name: 'Ada', password: PASSWORD }
  const answer = await http('POST', `${shop.url}/user/first`, ask)
  const owner = entered(shop, answer)
  equal(answer.body.next, 'signed_in')
  equal(owner.user.role, 'owner')
  equal(owner.user.merchant_id, shop.merchant_id)
  equal(owner.user.operator, true, 'the first of all runs the deployment')
  deepEqual(owner.user.merchants[0], { merchant_id: shop.merchant_id, merchant_name: null, role: 'owner' })
  isRefused(await http('POST', `${shop.url}/user/first`, ask), 401, 'UR_04')
  isRefused(await http('POST', `${shop.url}/user/first`, { ...ask, email: 'nothing' }), 422, 'IR_05')
  isRefused(await owner.get('/user?more=1'), 400, 'IR_06')
  isRefused(await owner.get('/user/sessions?more=1'), 400, 'IR_06')
  isRefused(await owner.get('/user/list?more=1'), 400, 'IR_06')
  isRefused(await owner.get('/roles?more=1'), 400, 'IR_06')
  isRefused(await http('POST', `${shop.url}/user/link`, { merchant_id: shop.merchant_id }, { 'api-key': ADMIN_KEY }), 400, 'IR_16')

  const created = await owner.post('/customers', { customer_id: 'kari', name: 'Kari' })
  equal(created.status, 200, created.text)
  const payment = await owner.post('/payments', shop.payBody({}))
  equal(payment.body.status, 'succeeded', payment.text)
  const [event] = (await shop.events(payment.body.payment_id)) as [{ by: string }]
  equal(event.by, `user ${owner.user.user_id}`)
  const made = await owner.post(`/account/${shop.merchant_id}/business_profile`, { profile_name: 'second' })
  equal(made.status, 200, made.text)
  const { data } = (await shop.call('GET', `/audit?by=user%20${owner.user.user_id}&type=created`)).body
  equal(data.length > 0, true, 'their change is in the audit log')
  const line = shop.logs.findLast(one => one.includes('/business_profile') && one.includes('answered'))!
  match(line, new RegExp(`"by":"user ${owner.user.user_id}"`))
})

test('a second owner is no operator of the deployment; a setup link expires after a day or when a newer one is created', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  await openOwner(shop)
  const [old, fresh] = [await linkFor(other, { merchant_id: other.merchant_id }), await linkFor(other, { merchant_id: other.merchant_id })]
  const first = (url: string) => http('POST', `${other.url}/user/first`, { token: tokenOf(url), email: someEmail(), password: PASSWORD })
  isRefused(await first(old.url), 401, 'UR_04')
  await other.wait('25 hours')
  isRefused(await first(fresh.url), 401, 'UR_04')
  const owner = await openOwner(other)
  equal(owner.user.operator, false)
  isRefused(await owner.get('/jobs'), 403, 'IR_22')
  isRefused(await http('POST', `${other.url}/user/link`, {}, { 'api-key': ADMIN_KEY }), 400, 'IR_16')
  isRefused(await http('POST', `${other.url}/user/link`, { email: 'nobody@shop.example' }, { 'api-key': ADMIN_KEY }), 404, 'HE_02')
})

test('a wrong password and an unknown address get the same response, and the cookie is HttpOnly and SameSite', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const wrong = await signIn(shop, owner.user.email, 'wrong wrong wrong')
  isRefused(wrong, 401, 'UR_01')
  areTheSame(await signIn(shop, someEmail()), wrong)
  const right = await signIn(shop, owner.user.email.toUpperCase())
  equal(right.status, 200, right.text)
  const set = String(right.headers['set-cookie'])
  for (const word of ['HttpOnly', 'SameSite=Strict', 'Path=/']) ok(set.includes(word), set)
  equal(set.includes('Max-Age'), false)
})

test('over https the session cookie is bound to its host', async () => {
  const { service } = await openPlace()
  const shop = await openShop()
  const owner = await openOwner(shop)
  const before = service.services.publicUrl
  service.services.publicUrl = 'https://pay.shop.example'
  try {
    const answer = await signIn(shop, owner.user.email)
    match(String(answer.headers['set-cookie']), /^__Host-switchyard_session=.*; Secure/)
    equal((await entered(shop, answer).get('/user')).status, 200)
  } finally {
    service.services.publicUrl = before
  }
})

test('signing in creates a new session: a session planted in the browser opens nothing', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const planted = `switchyard_session=swsess_${'A'.repeat(43)}`
  const victim = entered(shop, await signIn(shop, owner.user.email, PASSWORD, { cookie: planted }))
  notEqual(victim.cookie, planted)
  isRefused(await browser(shop, planted, null).get('/user'), 401, 'IR_17')
  // A real session does not help an attacker either: it ends.
  const attacker = await join(shop, owner, 'viewer')
  const again = entered(shop, await signIn(shop, owner.user.email, PASSWORD, { cookie: attacker.cookie }))
  equal((await again.get('/user')).body.user_id, owner.user.user_id)
  isRefused(await attacker.get('/user'), 401, 'IR_17')
})

test('a session’s write requests require its CSRF token, so that another site cannot make them', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const other = entered(shop, await signIn(shop, owner.user.email))
  const ask = (headers: Record<string, string>) =>
    browser(shop, owner.cookie, null).call('POST', '/customers', { customer_id: 'c' }, headers)
  isRefused(await ask({}), 403, 'IR_22')
  isRefused(await ask({ 'x-csrf-token': 'guess' }), 403, 'IR_22')
  isRefused(await ask({ 'x-csrf-token': other.csrf! }), 403, 'IR_22')
  isRefused(await ask({ 'x-csrf-token': owner.csrf!, 'sec-fetch-site': 'cross-site' }), 403, 'IR_22')
  equal((await ask({ 'x-csrf-token': owner.csrf!, 'sec-fetch-site': 'same-origin' })).status, 200)
  for (const origin of ['https://evil.example', 'null', shop.url.replace('127.0.0.1', 'localhost.evil.example'), 'no origin']) {
    isRefused(await ask({ 'x-csrf-token': owner.csrf!, origin }), 403, 'IR_22')
    isRefused(await signIn(shop, owner.user.email, PASSWORD, { origin }), 403, 'IR_22')
  }
  equal((await ask({ 'x-csrf-token': owner.csrf!, origin: shop.url })).status, 200)
  isRefused(await signIn(shop, owner.user.email, PASSWORD, { 'sec-fetch-site': 'cross-site' }), 403, 'IR_22')
  const { email } = owner.user
  for (const path of ['/user/sign_in/totp', '/user/first', '/user/invite/accept', '/user/password/forgotten', '/user/password/reset']) {
    const body = { email, code: '123456', token: 'x', password: PASSWORD }
    const wanted = { '/user/sign_in/totp': ['code'], '/user/password/forgotten': ['email'] }[path] ?? ['token', 'password']
    const fields = Object.fromEntries(
      Object.entries({ ...body }).filter(([name]) => wanted.includes(name) || (path === '/user/first' && name === 'email')),
    )
    isRefused(await http('POST', shop.url + path, fields, { 'sec-fetch-site': 'same-site' }), 403, 'IR_22')
  }
})

test('a session lasts twelve hours from its last use, and ends with a sign-out on one device or on all', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  await shop.wait('11 hours')
  equal((await owner.get('/user')).status, 200)
  await shop.wait('11 hours')
  equal((await owner.get('/payments/list')).status, 200)
  await shop.wait('13 hours')
  isRefused(await owner.get('/payments/list'), 401, 'IR_17')

  const idle = entered(shop, await signIn(shop, owner.user.email))
  for (let hours = 0; hours < 11; hours++) {
    await shop.wait('1 hour')
    equal((await idle.call('GET', '/payments/list', undefined, { 'x-by-itself': 'true' })).status, 200)
  }
  await shop.wait('2 hours')
  isRefused(await idle.get('/payments/list'), 401, 'IR_17', /session/i)

  const sign = async () => entered(shop, await signIn(shop, owner.user.email))
  const [one, two, three] = [await sign(), await sign(), await sign()]
  const { data } = (await one.get('/user/sessions')).body
  equal(data.length, 3)
  equal(data.filter((session: { current: boolean }) => session.current).length, 1)
  const left = await one.post('/user/sign_out')
  match(String(left.headers['set-cookie']), /switchyard_session=;.*Max-Age=0/)
  isRefused(await one.get('/user'), 401, 'IR_17')
  const third = (await three.get('/user/sessions')).body.data.find((session: { current: boolean }) => session.current)
  equal((await two.call('DELETE', `/user/sessions/${third.session_id}`)).status, 200)
  isRefused(await two.call('DELETE', `/user/sessions/${third.session_id}`), 404, 'HE_02')
  isRefused(await three.get('/user'), 401, 'IR_17')
  const four = await sign()
  equal((await four.post('/user/sign_out', { all: true })).status, 200)
  isRefused(await two.get('/user'), 401, 'IR_17')
  const kept = await shop.query('select digest from user_sessions')
  ok(!JSON.stringify(kept).includes(two.cookie.split('=')[1]!), 'the token is nowhere in the database')
})

test('a user cannot end the session of another user', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const viewer = await join(shop, owner, 'viewer')
  const [{ session_id }] = (await viewer.get('/user/sessions')).body.data
  isRefused(await owner.call('DELETE', `/user/sessions/${session_id}`), 404, 'HE_02')
  equal((await viewer.get('/user')).status, 200)
})

test('after ten wrong passwords an address must wait a quarter of an hour for that account, whether or not it exists', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const second = await join(shop, owner, 'viewer')
  const unknownEmail = someEmail()
  for (const email of [owner.user.email, unknownEmail]) {
    const tries = await Promise.all(Array.from({ length: 14 }, () => signIn(shop, email, 'wrong wrong wrong')))
    deepEqual(tries.map(({ status }) => status).sort(), [...Array(10).fill(401), ...Array(4).fill(429)])
  }
  const waits = await signIn(shop, owner.user.email)
  isRefused(waits, 429, 'UR_48')
  ok(Number(waits.headers['retry-after']) > 800)
  isRefused(await signIn(shop, unknownEmail), 429, 'UR_48')
  equal((await signIn(shop, second.user.email)).status, 200, 'others sign in')
  const hashed = await shop.query('select digest from sign_in_tries')
  ok(!JSON.stringify(hashed).includes(unknownEmail))
  await shop.wait('16 minutes')
  equal((await signIn(shop, owner.user.email)).status, 200)
})

test('a password reset ends all sessions and the link; a change with the old password ends all other sessions', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const { email } = owner.user
  const { url } = await linkFor(shop, { email })
  match(url, /\/dashboard\/reset\?token=/)
  const reset = (password: string) => http('POST', `${shop.url}/user/password/reset`, { token: tokenOf(url), password })
  isRefused(await reset('short'), 400, 'IR_07')
  isRefused(await reset('aaaaaaaaaaaaaaaa'), 400, 'IR_07')
  const fresh = entered(shop, await reset('another horse battery staple'))
  isRefused(await owner.get('/user'), 401, 'IR_17')
  isRefused(await reset('another horse battery staple'), 401, 'UR_04')
  isRefused(await signIn(shop, email), 401, 'UR_01')
  const other = entered(shop, await signIn(shop, email, 'another horse battery staple'))
  isRefused(await fresh.post('/user/password', { old_password: 'no no no no', password: PASSWORD }), 401, 'UR_01')
  equal((await fresh.post('/user/password', { old_password: 'another horse battery staple', password: PASSWORD })).status, 200)
  isRefused(await other.get('/user'), 401, 'IR_17')
  equal((await fresh.get('/user')).status, 200)
  const [row] = await shop.query('select password from users where email = $1', [email])
  match(row.password, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('a password reset request does not reveal whether an account exists', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const ask = (email: string) => http('POST', `${shop.url}/user/password/forgotten`, { email })
  const known = await ask(owner.user.email)
  equal(known.status, 200)
  areTheSame(await ask(someEmail()), known)
  isRefused(await ask('no address'), 422, 'IR_05')
})

test('users can set their name; a request without a valid session is refused', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  equal((await owner.post('/user', { name: 'Ada L.' })).body.name, 'Ada L.')
  equal((await owner.get('/user')).body.name, 'Ada L.')
  isRefused(await owner.post('/user', { operator: true }), 400, 'IR_06')
  isRefused(await owner.post('/user/merchant', { merchant_id: 'nobodys' }), 404, 'HE_02')
  const deployment = await http('GET', `${shop.url}/deployment`)
  deepEqual(deployment.body.sign_in, ['password', 'passkey'])
  equal(deployment.body.mode, 'test')
})

test('passwords, tokens, codes and secrets are in no log, no history and no request log', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const canary = 'canary horse battery staple'
  const { url } = await linkFor(shop, { email: owner.user.email })
  const fresh = entered(shop, await http('POST', `${shop.url}/user/password/reset`, { token: tokenOf(url), password: canary }))
  await signIn(shop, owner.user.email, `${canary} wrong`)
  await http('POST', `${shop.url}/user/sign_in`, { email: owner.user.email, password: canary, token: tokenOf(url), more: canary })
  const begun = (await fresh.post('/user/totp', { password: canary })).body
  await fresh.get(`/payments/${tokenOf(url)}`)
  await fresh.get(`/payments/${fresh.cookie.split('=')[1]}`)
  await shop.service.tick()
  const everywhere = JSON.stringify([
    shop.logs,
    await shop.query('select * from changes'),
    await shop.query('select * from audit_log'),
    await shop.query('select * from request_logs'),
    (await shop.call('GET', '/audit')).text,
  ])
  for (const secret of [canary, tokenOf(url), fresh.cookie.split('=')[1]!, fresh.csrf!, begun.secret, PASSWORD])
    ok(!everywhere.includes(secret), secret.slice(0, 12))
  ok(!cookieOf(await fresh.get('/user')).includes('swsess'))
})

test('a deployment without a single sign-on provider refuses single sign-on and says so', async () => {
  const shop = await openShop()
  isRefused(await http('GET', `${shop.url}/user/sso`), 404, 'IR_37', /single sign-on/)
  ok(!(await http('GET', `${shop.url}/deployment`)).body.sign_in.includes('sso'))
})
