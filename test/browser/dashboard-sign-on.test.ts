import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, test } from 'node:test'
import { Secret } from '../../src/base/secret.ts'
import { openIdentityProvider } from '../identity-provider.ts'
import { openOwner } from '../people.ts'
import { openPlace, openShop } from '../shop.ts'
import { builtFirst, wide } from './dashboard.ts'
import { barriers } from './look.ts'
import { phone, visit } from './visit.ts'

builtFirst()

const provider = await openIdentityProvider()
after(provider.close)
const sso = { issuer: provider.url, clientId: provider.client.id, secret: new Secret(provider.client.secret) }
const NAME = 'Sign in with single sign-on'

test('a user signs in by single sign-on and returns to the requested page', async () => {
  await openPlace({ sso })
  const shop = await openShop()
  const { email } = (await openOwner(shop)).user
  provider.state.visitor = { sub: email, email }
  const { page, problems } = await visit(shop.url, '/dashboard/refunds', wide, { mayAsk: [provider.url] })
  await page.getByRole('link', { name: NAME }).click()
  await page.getByRole('link', { name: 'Go on' }).click()
  await page.getByRole('heading', { name: 'Refunds', exact: true }).waitFor()
  equal(new URL(page.url()).pathname, '/dashboard/refunds')
  deepEqual(problems, [])
})

test('a user who was not invited sees the reason and can sign in another way', async () => {
  await openPlace({ sso })
  const shop = await openShop()
  const { page, problems } = await visit(shop.url, '/dashboard/sign-in?failed=sso', phone)
  await page.getByText('Single sign-on was not accepted.').waitFor()
  equal(new URL(page.url()).search, '')
  await page.getByRole('link', { name: NAME }).waitFor()
  ok(await page.getByLabel('E-mail').isVisible())
  ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
  deepEqual(await barriers(page), [])
  await page.screenshot({ path: process.env.SEE ?? '/dev/null', type: 'png' })
  deepEqual(problems, [])
})
