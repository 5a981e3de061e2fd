import { equal, match, ok, throws } from 'node:assert/strict'
import { after, test } from 'node:test'
import { openMailbox } from '../../test/mailbox.ts'
import { entered, openOwner, PASSWORD, someEmail } from '../../test/people.ts'
import { areTheSame } from '../../test/refused.ts'
import { http, openPlace, openShop } from '../../test/shop.ts'
import { Secret } from '../base/secret.ts'
import { readConfig } from '../config.ts'

const mailbox = await openMailbox()
after(mailbox.close)
const smtp = { url: new Secret(mailbox.url), from: 'Switchyard <switchyard@shop.example>' }
// The service takes the addresses of callers from `x-forwarded-for`.
const config = { smtp, trustedProxies: ['127.0.0.1'] }

const linkIn = (text: string): string => /token=(\w+)/.exec(text)![1]!

test('password resets and invitations are sent by email, and then no response contains their links', async () => {
  await openPlace(config)
  const shop = await openShop()
  const owner = await openOwner(shop)
  const ask = (email: string) => http('POST', `${shop.url}/user/password/forgotten`, { email })
  const unknown = await ask(someEmail())
  areTheSame(await ask(owner.user.email), unknown)
  const letter = await mailbox.next()
  equal(letter.to, owner.user.email, 'the first letter: an unknown address got none')
  match(letter.text, /From: Switchyard <switchyard@shop\.example>/)
  const reset = { token: linkIn(letter.text), password: 'another horse battery staple' }
  const again = entered(shop, await http('POST', `${shop.url}/user/password/reset`, reset))

  const told = await mailbox.next()
  equal(told.to, owner.user.email)
  match(told.text, /Every other credential of your account has ended: passkeys/)

  const email = someEmail()
  const invited = await again.post('/user/invite', { email, role: 'viewer', password: reset.password })
  equal(invited.body.mailed, true)
  equal(invited.body.url, null)
  const invitation = await mailbox.next()
  equal(invitation.to, email)
  ok(!invited.text.includes(linkIn(invitation.text)))
  const accepted = { token: linkIn(invitation.text), password: PASSWORD }
  equal(entered(shop, await http('POST', `${shop.url}/user/invite/accept`, accepted)).user.role, 'viewer')
})

test('at most ten emails are sent to one address in a quarter of an hour, and the response stays the same', async () => {
  await openPlace(config)
  const shop = await openShop()
  const owner = await openOwner(shop)
  const second = await openOwner(await openShop())
  const ask = (email: string) => http('POST', `${shop.url}/user/password/forgotten`, { email })
  for (let i = 0; i < 12; i++) equal((await ask(owner.user.email)).status, 200)
  for (let i = 0; i < 10; i++) equal((await mailbox.next()).to, owner.user.email)
  await ask(second.user.email)
  equal((await mailbox.next()).to, second.user.email)
})

test('strangers who ask for new passwords of an account neither end the link in the owner’s mailbox nor fill it', async () => {
  await openPlace(config)
  const shop = await openShop()
  const owner = await openOwner(shop)
  const ask = (address: string) =>
    http('POST', `${shop.url}/user/password/forgotten`, { email: owner.user.email }, { 'x-forwarded-for': address })
  await ask('198.51.100.1')
  const hers = linkIn((await mailbox.next()).text)
  for (let i = 0; i < 40; i++) equal((await ask(`203.0.113.${i}`)).status, 200)
  const other = await openOwner(await openShop())
  await http('POST', `${shop.url}/user/password/forgotten`, { email: other.user.email })
  let letters = 1
  let last = ''
  for (let letter = await mailbox.next(); letter.to === owner.user.email; letter = await mailbox.next()) {
    last = linkIn(letter.text)
    letters++
  }
  equal(letters, 20)
  const reset = (token: string) => http('POST', `${shop.url}/user/password/reset`, { token, password: 'another horse battery staple' })
  equal((await reset(hers)).status, 200)
  equal((await reset(last)).status, 401, 'a reset ends all other links')
})

test('a mail server requires a sender address, and a URL of a supported scheme', () => {
  const env = { DATABASE_URL: 'postgresql://localhost/x', ADMIN_API_KEY: 'admin_key_of_the_tests', KEY_FILE: 'keys.json' }
  throws(() => readConfig({ ...env, SMTP_URL: 'smtp://mail.example' }), /SMTP_FROM must be set/)
  throws(() => readConfig({ ...env, SMTP_URL: 'https://mail.example', SMTP_FROM: 'a@b.example' }), /SMTP_URL must be an address/)
  const { smtp: read } = readConfig({ ...env, SMTP_URL: 'smtp://u:hidden@mail.example', SMTP_FROM: 'a@b.example' })
  equal(JSON.stringify(read).includes('hidden'), false)
})
