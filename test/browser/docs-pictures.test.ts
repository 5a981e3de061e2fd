import { deepEqual, equal } from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { cards, openShop } from '../shop.ts'
import { builtFirst, signIn } from './dashboard.ts'
import { compare, whyNot } from './pictures.ts'
import { visit } from './visit.ts'

// The pictures of README.md and of the guides show what is there: `SHOTS=renew npm test -- test/browser/docs-pictures.test.ts`
// takes them anew.

builtFirst()

const pictures = join(import.meta.dirname, '../../docs/pictures')
const size = { width: 1280, height: 1180 }

test('the picture of a payment shows the page as it is', async t => {
  const shop = await openShop({ profile: { is_auto_retries_enabled: true, max_auto_retries_enabled: 1 } } as never)
  const { payment_id, status } = await shop.pay({ amount: 24_900, currency: 'EUR', merchant_order_reference_id: 'NL-204397' })
  equal(status, 'succeeded')
  await shop.post('/refunds', { payment_id, amount: 5000, reason: 'Order returned' })
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

test('the picture of a payment link shows the page as it is', async t => {
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
