import { deepEqual, equal } from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { choice } from '../routes.ts'
import { cards, openShop } from '../shop.ts'
import { activate, openTwoAccounts } from '../two-accounts.ts'
import { builtFirst, signIn } from './dashboard.ts'
import { lampShop, openCheckout, order } from './element.ts'
import { compare, whyNot } from './pictures.ts'
import { visit } from './visit.ts'

// The pictures of README.md and of the guides show the current pages. `npm test --
// test/browser/docs-pictures.test.ts --renew` takes new ones.

builtFirst()

const pictures = join(import.meta.dirname, '../../docs/pictures')
const size = { width: 1280, height: 1180 }

test('the documentation’s picture of a payment is up to date', async t => {
  const shop = await openShop({ account: { merchant_name: 'Chairs & Co' } })
  await shop.profile({ is_auto_retries_enabled: true, max_auto_retries_enabled: 1 })
  const { payment_id, status } = await shop.pay({ amount: 24_900, currency: 'EUR', merchant_order_reference_id: 'NL-204397' })
  equal(status, 'succeeded')
  await shop.post('/refunds', { payment_id, amount: 5000, reason: 'Order returned' })
  await shop.service.tick()
  const found = await visit(shop.url, `/dashboard/payments/${payment_id}`, size, { reducedMotion: 'reduce' })
  await found.page.getByLabel('E-mail').waitFor()
  const why = await whyNot(found.page)
  if (why !== null) return t.skip(why)
  await signIn(found, shop)
  await found.page
    .getByRole('heading', { name: /249\.00 EUR/ })
    .first()
    .waitFor()
  await found.page.waitForLoadState('networkidle')
  equal(await compare(found.page, 'payment', 'body', pictures), null)
  deepEqual(found.problems, [])
})

test('the documentation’s picture of a payment link is up to date', async t => {
  const shop = await openShop({ account: { merchant_name: 'Chairs & Co', return_url: 'https://shop.example/thanks' } })
  const { payment_link } = await shop.create({
    payment_method: undefined,
    payment_method_data: undefined,
    description: 'Two oak chairs',
    amount: 24_900,
    currency: 'EUR',
    payment_link: true,
  })
  const { page, problems } = await visit(shop.url, payment_link.link.slice(shop.url.length), size, { reducedMotion: 'reduce' })
  const why = await whyNot(page)
  if (why !== null) return t.skip(why)
  await page.getByLabel('Card number').pressSequentially(cards.approves)
  equal(await compare(page, 'payment-link', 'body', pictures), null)
  deepEqual(problems, [])
})

test('the documentation’s picture of the element in a shop’s page is up to date', async t => {
  const shop = await lampShop()
  const { page, type } = await openCheckout(shop, await order(shop), {}, { width: 560, height: 1000 }, { reducedMotion: 'reduce' })
  const why = await whyNot(page)
  if (why !== null) return t.skip(why)
  await type(cards.approves)
  await page.getByRole('heading', { name: 'Your order' }).click()
  equal(await compare(page, 'element', 'html', pictures), null)
})

test('the documentation’s picture of a bank’s challenge at the sandbox is up to date', async t => {
  const shop = await lampShop()
  const { page, type, pay, bank } = await openCheckout(
    shop,
    await order(shop, { authentication_type: 'three_ds' }),
    {},
    { width: 560, height: 1000 },
    { reducedMotion: 'reduce' },
  )
  const why = await whyNot(page)
  if (why !== null) return t.skip(why)
  await type(cards.challenges)
  await pay()
  await bank.getByRole('button', { name: /accept/i }).waitFor()
  // The reference is another one in each run, and is in a frame that the comparison does not change.
  await bank.getByText(/^[0-9A-Z]{26}$/).evaluate(reference => Object.assign(reference, { textContent: '0'.repeat(26) }))
  equal(await compare(page, 'challenge', 'html', pictures), null)
})

test('the documentation’s picture of a routing decision is up to date', async t => {
  const shop = await openTwoAccounts({ account: { merchant_name: 'Chairs & Co' } })
  const rule = {
    name: 'large Visa',
    connectorSelection: { type: 'priority', data: [choice(shop.second), choice(shop.first)] },
    statements: [{ condition: [{ lhs: 'amount', comparison: 'greater_than', value: { type: 'number', value: 5000 } }] }],
  }
  const defaultSelection = { type: 'priority', data: [choice(shop.first)] }
  await activate(shop, { type: 'advanced', data: { defaultSelection, rules: [rule], metadata: {} } })
  const found = await visit(shop.url, '/dashboard', { width: 1280, height: 820 }, { reducedMotion: 'reduce' })
  const { page, problems } = found
  await page.getByLabel('E-mail').waitFor()
  const why = await whyNot(page)
  if (why !== null) return t.skip(why)
  await signIn(found, shop)
  await page.getByRole('link', { name: 'Test routing' }).click()
  await page.getByLabel('Amount in EUR').fill('249')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByRole('region', { name: 'Routing now', exact: true }).getByText('249.00 EUR').waitFor()
  await page.getByText('large Visa').first().waitFor()
  await page.waitForLoadState('networkidle')
  equal(await compare(page, 'routing', 'body', pictures), null)
  deepEqual(problems, [])
})
