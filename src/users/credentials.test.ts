import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { openAuthenticator } from '../../test/authenticator.ts'
import { type Browser, entered, join, linkFor, openOwner, PASSWORD, signIn, someEmail, tokenOf } from '../../test/people.ts'
import { isRefused } from '../../test/refused.ts'
import { type Answer, type Body, http, openPlace, openShop, type Shop } from '../../test/shop.ts'
import { resetTotp } from './totp.ts'

/** What a person signs in with, when it ends, and who can keep whom out. */

/** While set, this work runs once before the next statement of that name. */
let beforeQuery: { name: string; work(): Promise<unknown> } | null = null
// The service takes the addresses of callers from `x-forwarded-for`.
await openPlace({ trustedProxies: ['127.0.0.1'] }, context => ({
  ...context,
  async query(statement, values) {
    const first = statement.name === beforeQuery?.name ? beforeQuery : null
    if (first) beforeQuery = null
    await first?.work()
    return context.query(statement, values)
  },
}))

const originOf = (shop: Shop): string => shop.url.replace('127.0.0.1', 'localhost')
const NEW_PASSWORD = 'another horse, another battery'

async function addPasskey(shop: Shop, person: Browser, password = PASSWORD) {
  const authenticator = openAuthenticator(originOf(shop))
  const { options } = (await person.post('/user/passkeys/options', { password })).body
  const added = await person.post('/user/passkeys', { name: 'Laptop', response: authenticator.create(options) })
  equal(added.status, 200, added.text)
  return authenticator
}

async function answerOf(shop: Shop, authenticator: ReturnType<typeof openAuthenticator>): Promise<Body> {
  return authenticator.get((await http('POST', `${shop.url}/user/sign_in/passkey/options`, {})).body.options)
}

const signInBy = async (shop: Shop, authenticator: ReturnType<typeof openAuthenticator>): Promise<Answer> =>
  http('POST', `${shop.url}/user/sign_in/passkey`, { response: await answerOf(shop, authenticator) })

async function addTotp(shop: Shop, person: Browser): Promise<string[]> {
  const { secret } = (await person.post('/user/totp', { password: PASSWORD })).body
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + shop.clock.ahead })
  const done = await person.post('/user/totp', { code })
  equal(done.body.next, 'done', done.text)
  return done.body.recovery_codes
}

async function openCommandLine(shop: Shop, device_name = 'laptop') {
  const { device_code, user_code } = (await http('POST', `${shop.url}/user/device`, { device_name })).body
  return {
    user_code: user_code as string,
    async poll(): Promise<Body> {
      await shop.wait('6 seconds')
      return (await http('POST', `${shop.url}/user/device/token`, { device_code })).body
    },
  }
}

/** Signs a command line in; gives the status of a call with its key. */
async function commandLineOf(shop: Shop, person: Browser) {
  const { user_code, poll } = await openCommandLine(shop)
  equal((await person.post('/user/device/approve', { user_code, password: PASSWORD })).status, 200)
  const { key } = await poll()
  return async () => (await http('GET', `${shop.url}/payments/list`, undefined, { 'api-key': key.api_key })).status
}

const reset = async (shop: Shop, email: string): Promise<Answer> =>
  http('POST', `${shop.url}/user/password/reset`, { token: tokenOf((await linkFor(shop, { email })).url), password: NEW_PASSWORD })

test('whoever accepts an invitation to another person’s address keeps nothing after the owner of the address resets the password', async () => {
  const [theirs, hers] = [await openShop(), await openShop()]
  const email = someEmail('victim')
  const intruder = await join(theirs, await openOwner(theirs), 'admin', email)
  const authenticator = await addPasskey(theirs, intruder)
  const codes = await addTotp(theirs, intruder)
  const inShell = await commandLineOf(theirs, intruder)
  const approved = await openCommandLine(theirs)
  equal((await intruder.post('/user/device/approve', { user_code: approved.user_code, password: PASSWORD })).status, 200)
  equal(await inShell(), 200)

  const victim = entered(hers, await reset(hers, email))
  equal(victim.user.totp, false, 'a foreign second factor does not lock her out')
  isRefused(await intruder.get('/user'), 401, 'IR_17')
  isRefused(await signInBy(theirs, authenticator), 401, 'UR_50')
  isRefused(await signIn(theirs, email), 401, 'UR_01')
  equal(await inShell(), 401)
  deepEqual(await approved.poll(), { status: 'access_denied', interval: null, key: null })
  deepEqual((await victim.get('/user/passkeys')).body.data, [])
  const again = await signIn(hers, email, NEW_PASSWORD)
  equal(again.body.next, 'signed_in', 'no second factor is asked for')
  const [row] = await hers.query('select totp, recovery_codes from users where email = $1', [email])
  deepEqual([row?.totp, row?.recovery_codes, codes.length], [null, [], 10])
})

test('a passkey that another person was about to add when the owner of the address reset the password is not added', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  // Before each step of adding the passkey, once the session was found to be signed in.
  for (const name of ['answer_challenge', 'passkey_by_id', 'user_by_id']) {
    const email = someEmail('victim')
    const intruder = await join(shop, owner, 'viewer', email)
    const authenticator = openAuthenticator(originOf(shop))
    const { options } = (await intruder.post('/user/passkeys/options', { password: PASSWORD })).body
    beforeQuery = { name, work: () => reset(shop, email) }
    const added = await intruder.post('/user/passkeys', { name: 'Laptop', response: authenticator.create(options) })
    ok(added.status >= 400, `${name}: ${added.text}`)
    isRefused(await signInBy(shop, authenticator), 401, 'UR_50')
  }
})

test('a command line that another person was about to approve when the owner reset the password gets no key', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const email = someEmail('victim')
  const intruder = await join(shop, owner, 'admin', email)
  const { user_code, poll } = await openCommandLine(shop)
  beforeQuery = { name: 'decide_device_authorization', work: () => reset(shop, email) }
  isRefused(await intruder.post('/user/device/approve', { user_code, password: PASSWORD }), 401, 'UR_01')
  deepEqual(await poll(), { status: 'access_denied', interval: null, key: null })
})

test('a session alone does not sign in a command line: the password or a passkey of the same person does', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const other = await join(shop, owner, 'admin')
  const [mine, foreign] = [await addPasskey(shop, owner), await addPasskey(shop, other)]
  const { user_code, poll } = await openCommandLine(shop)
  const approve = (proof: Body) => owner.post('/user/device/approve', { user_code, ...proof })
  isRefused(await approve({}), 400, 'IR_04', /password/)
  isRefused(await approve({ password: 'wrong wrong wrong' }), 401, 'UR_01')
  isRefused(await approve({ passkey: await answerOf(shop, foreign) }), 401, 'UR_50')
  equal((await poll()).status, 'authorization_pending')
  const passkey = await answerOf(shop, mine)
  equal((await approve({ passkey })).status, 200)
  const second = await openCommandLine(shop)
  isRefused(await owner.post('/user/device/approve', { user_code: second.user_code, passkey }), 401, 'UR_50')
  equal((await poll()).status, 'approved')
})

test('a command line ends when its person signs out everywhere or sets a new password; another person’s stays', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const other = await join(shop, owner, 'admin')
  const others = await commandLineOf(shop, other)
  const first = await commandLineOf(shop, owner)
  equal((await owner.post('/user/password', { old_password: PASSWORD, password: NEW_PASSWORD })).status, 200)
  equal(await first(), 401)
  equal((await owner.post('/user/password', { old_password: NEW_PASSWORD, password: PASSWORD })).status, 200)
  const second = await commandLineOf(shop, owner)
  equal(await second(), 200)
  equal((await owner.post('/user/sign_out', { all: true })).status, 200)
  equal(await second(), 401)
  equal(await others(), 200)
})

test('an operator removes the second factor of a person who has lost it, and the audit log says so', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  await addTotp(shop, owner)
  equal((await signIn(shop, owner.user.email)).body.next, 'totp')
  const operator = { ...shop.service.context, by: 'operator' }
  equal(await resetTotp(operator, owner.user.email), true)
  equal(await resetTotp(operator, owner.user.email), false)
  equal((await signIn(shop, owner.user.email)).body.next, 'signed_in')
  const [row] = await shop.query("select type, by from changes where kind = 'user' and object_id = $1 and type = 'totp_reset'", [
    owner.user.user_id,
  ])
  deepEqual([row?.type, row?.by], ['totp_reset', 'operator'])
})

const from = (address: string) => ({ 'x-forwarded-for': address })

test('250 sign-ins of strangers at once, from her address and from others, do not keep the owner out', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  equal((await signIn(shop, owner.user.email, PASSWORD, from('198.51.100.1'))).status, 200)
  const strangers = Array.from({ length: 250 }, (_, i) =>
    signIn(shop, someEmail('stranger'), 'wrong wrong wrong', from(i % 2 === 0 ? '198.51.100.1' : `203.0.113.${i}`)),
  )
  const hers = await signIn(shop, owner.user.email, PASSWORD, from('198.51.100.1'))
  equal(hers.status, 200, hers.text)
  const answers = await Promise.all(strangers)
  equal(
    answers.every(({ status }) => [401, 429, 503].includes(status)),
    true,
  )
})

test('an address that guesses over many accounts must wait, but an account that is known there signs in', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const address = from('198.51.100.20')
  equal((await signIn(shop, owner.user.email, PASSWORD, address)).status, 200)
  const other = await join(shop, owner, 'viewer')
  const statuses: number[] = []
  for (let i = 0; i < 101; i++) statuses.push((await signIn(shop, someEmail(), 'wrong wrong wrong', address)).status)
  deepEqual([statuses.slice(0, 100).every(status => status === 401), statuses[100]], [true, 429])
  isRefused(await signIn(shop, other.user.email, PASSWORD, address), 429, 'UR_48')
  equal((await signIn(shop, owner.user.email, PASSWORD, address)).status, 200)
  equal((await signIn(shop, other.user.email, PASSWORD, from('198.51.100.21'))).status, 200)
  await shop.wait('15 minutes')
  equal((await signIn(shop, other.user.email, PASSWORD, address)).status, 200)
})

test('ten unfinished sign-ins of command lines do not lock an address out, and ten wrong passwords end the code', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  for (let i = 0; i < 12; i++) await openCommandLine(shop)
  const { user_code } = await openCommandLine(shop)
  for (let i = 0; i < 10; i++)
    isRefused(await owner.post('/user/device/approve', { user_code, password: 'wrong wrong wrong' }), 401, 'UR_01')
  isRefused(await owner.post('/user/device/approve', { user_code, password: PASSWORD }), 429, 'UR_48')
})

test('a session alone makes nothing that outlives it: no key or later end, no invitation, no link, and no more rights', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  await shop.query('update users set operator = true where user_id = $1', [owner.user.user_id])
  const [own, foreign] = [await addPasskey(shop, owner), await addPasskey(shop, await openOwner(await openShop()))]
  const { user_id } = (await join(shop, owner, 'viewer')).user
  const till = { name: 'till', expiration: '2031-01-01T00:00:00Z', password: PASSWORD }
  const { key_id } = (await owner.post(`/api_keys/${shop.merchant_id}`, till)).body
  const key = `/api_keys/${shop.merchant_id}/${key_id}`
  let end = 2031
  const makes: readonly ((proof: Body) => Promise<Answer>)[] = [
    proof => owner.post(`/api_keys/${shop.merchant_id}`, { name: 'till', expiration: 'never', ...proof }),
    proof => owner.post('/user/invite', { email: someEmail('guest'), role: 'viewer', ...proof }),
    proof => owner.post('/user/link', { email: owner.user.email, ...proof }),
    proof => owner.post(key, { expiration: `${++end}-01-01T00:00:00Z`, ...proof }),
    async proof => {
      equal((await owner.post(`/user/${user_id}`, { role: 'viewer' })).status, 200, 'fewer rights need no proof')
      return owner.post(`/user/${user_id}`, { role: 'operator', ...proof })
    },
    async proof => {
      equal((await owner.post(`/user/${user_id}`, { disabled: true })).status, 200)
      return owner.post(`/user/${user_id}`, { disabled: false, ...proof })
    },
  ]
  for (const make of makes) {
    isRefused(await make({}), 400, 'IR_04', /password/)
    isRefused(await make({ password: 'wrong wrong wrong' }), 401, 'UR_01')
    isRefused(await make({ passkey: await answerOf(shop, foreign) }), 401, 'UR_50')
    const passkey = await answerOf(shop, own)
    for (const proof of [{ password: PASSWORD }, { passkey }]) {
      const answer = await make(proof)
      equal(answer.status, 200, answer.text)
    }
    isRefused(await make({ passkey }), 401, 'UR_50')
  }
  equal((await owner.post(key, { expiration: '2031-01-01T00:00:00Z' })).status, 200, 'an earlier end needs no proof')
  const guess = (password: string) => owner.post(`/api_keys/${shop.merchant_id}`, { name: 'till', expiration: 'never', password })
  for (let i = 0; i < 10; i++) isRefused(await guess('wrong wrong wrong'), 401, 'UR_01')
  isRefused(await guess(PASSWORD), 429, 'UR_48')
})

test('an address that begins a hundred sign-ins by passkey and completes none must wait, and no more rows are written', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const own = await addPasskey(shop, owner)
  const address = from('198.51.100.40')
  const begin = () => http('POST', `${shop.url}/user/sign_in/passkey/options`, {}, address)
  for (let i = 0; i < 99; i++) equal((await begin()).status, 200)
  const response = own.get((await begin()).body.options)
  const rows = async () => (await shop.query("select count(*)::int as n from user_links where kind = 'passkey_in'"))[0]!.n
  const before = await rows()
  isRefused(await begin(), 429, 'UR_48')
  equal(await rows(), before)
  equal((await http('POST', `${shop.url}/user/sign_in/passkey/options`, {}, from('198.51.100.41'))).status, 200)
  equal((await http('POST', `${shop.url}/user/sign_in/passkey`, { response }, address)).status, 200)
  equal((await begin()).status, 200, 'one was completed')
})

test('an address with the Kelvin sign is not the address with the letter k', async () => {
  const shop = await openShop()
  const email = someEmail('kelvin')
  const owner = await openOwner(shop, email)
  const other = email.replace('k', '\u212a')
  isRefused(await signIn(shop, other), 401, 'UR_01')
  equal((await signIn(shop, email.toUpperCase())).status, 200)
  const invited = await owner.post('/user/invite', { email: other, role: 'viewer', password: PASSWORD })
  equal(invited.status, 200, invited.text)
  equal(invited.body.user.user_id === owner.user.user_id, false)
})
