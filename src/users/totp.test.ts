import { equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { type Browser, browser, cookieOf, entered, openOwner, PASSWORD, signIn } from '../../test/people.ts'
import { isRefused } from '../../test/refused.ts'
import { openShop, type Shop } from '../../test/shop.ts'

/** Gives the code that the user's authenticator shows, `steps` steps from now. */
const shownBy = (shop: Shop, secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + shop.clock.ahead + steps * 30_000 })

async function withTotp(shop: Shop): Promise<{ owner: Browser; secret: string; codes: string[] }> {
  const owner = await openOwner(shop)
  const { secret, url, next } = (await owner.post('/user/totp', { password: PASSWORD })).body
  equal(next, 'confirm')
  match(url, /^otpauth:\/\/totp\/Switchyard:/)
  const done = await owner.post('/user/totp', { code: shownBy(shop, secret) })
  equal(done.body.next, 'done', done.text)
  return { owner, secret, codes: done.body.recovery_codes }
}

/** Signs in with the first factor; gives the answer, which requires the second. */
async function atSecond(shop: Shop, email: string) {
  const answer = await signIn(shop, email)
  equal(answer.status, 200, answer.text)
  equal(answer.body.next, 'totp')
  equal(answer.body.user, null)
  const half = browser(shop, cookieOf(answer), null)
  return { half, give: (code: string) => half.post('/user/sign_in/totp', { code }) }
}

test('with a second factor the password alone is not enough, and each code works once', async () => {
  const shop = await openShop()
  const { owner, secret } = await withTotp(shop)
  const { half, give } = await atSecond(shop, owner.user.email)
  isRefused(await half.get('/user'), 401, 'IR_17')
  isRefused(await half.get('/payments/list'), 401, 'IR_17')
  isRefused(await give(shownBy(shop, secret)), 401, 'UR_37')
  await shop.wait('1 minute')
  const code = shownBy(shop, secret)
  const signed = entered(shop, await give(code))
  equal((await signed.get('/user')).body.totp, true)
  isRefused(await half.get('/user'), 401, 'IR_17')
  const again = await atSecond(shop, owner.user.email)
  isRefused(await again.give(code), 401, 'UR_37')
  isRefused(await again.give(shownBy(shop, secret, -1)), 401, 'UR_37')
})

test('of two concurrent sign-ins with one code, one succeeds', async () => {
  const shop = await openShop()
  const { owner, secret } = await withTotp(shop)
  await shop.wait('1 minute')
  const [one, two] = [await atSecond(shop, owner.user.email), await atSecond(shop, owner.user.email)]
  const code = shownBy(shop, secret)
  const answers = await Promise.all([one.give(code), two.give(code)])
  equal(answers.filter(({ status }) => status === 200).length, 1, answers.map(({ text }) => text).join())
})

test('a recovery code replaces the authenticator and works once', async () => {
  const shop = await openShop()
  const { owner, codes } = await withTotp(shop)
  equal(new Set(codes).size, 10)
  const first = await atSecond(shop, owner.user.email)
  entered(shop, await first.give(codes[3]!.toUpperCase().replaceAll('-', ' ')))
  const second = await atSecond(shop, owner.user.email)
  isRefused(await second.give(codes[3]!), 401, 'UR_37')
  entered(shop, await second.give(codes[4]!))
})

test('codes cannot be guessed: five tries a sign-in, ten an account, and an unfinished sign-in expires in minutes', async () => {
  const shop = await openShop()
  const { owner, codes } = await withTotp(shop)
  const one = await atSecond(shop, owner.user.email)
  for (let i = 0; i < 6; i++) isRefused(await one.give('000000'), 401, 'UR_37')
  isRefused(await one.give(codes[0]!), 401, 'UR_37')
  const two = await atSecond(shop, owner.user.email)
  for (let i = 0; i < 3; i++) await two.give('000000')
  isRefused(await two.give(codes[0]!), 429, 'UR_48')
  await shop.wait('16 minutes')
  isRefused(await two.give(codes[0]!), 401, 'IR_17')
  const three = await atSecond(shop, owner.user.email)
  entered(shop, await three.give(codes[0]!))
})

test('setting up and removing a second factor require the password, and a password reset does not bypass it', async () => {
  const shop = await openShop()
  const { owner, secret } = await withTotp(shop)
  isRefused(await owner.post('/user/totp', { password: PASSWORD }), 400, 'IR_16')
  isRefused(await owner.post('/user/totp', {}), 400, 'IR_04')
  isRefused(await owner.post('/user/totp', { code: '123456' }), 400, 'IR_16')
  isRefused(await owner.call('DELETE', '/user/totp', { password: 'wrong wrong wrong' }), 401, 'UR_01')
  const [row] = await shop.query('select totp, recovery_codes from users where email = $1', [owner.user.email])
  ok(!row.totp.toString('latin1').includes(secret) && row.recovery_codes.every((one: string) => /^[0-9a-f]{64}$/.test(one)))
  equal((await owner.call('DELETE', '/user/totp', { password: PASSWORD })).status, 200)
  equal((await signIn(shop, owner.user.email)).body.next, 'signed_in')
})
