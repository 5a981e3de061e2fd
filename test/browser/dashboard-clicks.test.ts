import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { eventually } from '../eventually.ts'
import { PASSWORD } from '../people.ts'
import { cards, openShop } from '../shop.ts'
import { builtFirst, openTradingShop, signedIn } from './dashboard.ts'

// Frequent tasks of users, from the home page and without documentation: each takes at most four clicks. Typing is not
// a click. docs/design/dashboard.md lists the counts.

builtFirst()

const MOST = 4

/** Opens a counter that clicks, and counts the clicks. */
function counter() {
  let clicks = 0
  return {
    click: async (what: Locator) => {
      clicks++
      await what.click()
    },
    is: (count: number) => {
      equal(clicks, count)
      ok(clicks <= MOST, `${clicks} clicks`)
    },
  }
}

test('refunding half of a payment takes four clicks', async () => {
  const { shop, paid } = await openTradingShop()
  const { page } = await signedIn(shop, '/')
  const { click, is } = counter()
  await click(page.getByRole('link', { name: 'Payments', exact: true }))
  await click(page.getByRole('link', { name: '249.00 EUR' }))
  await click(page.getByRole('button', { name: 'Refund…' }))
  await page.getByLabel('Amount in EUR').fill('124.50')
  await click(page.getByRole('button', { name: 'Refund 124.50 EUR' }))
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  equal((await shop.get(paid)).refunds[0].amount, 12_450)
  is(4)
})

test('finding the reason of a failed payment takes two clicks', async () => {
  const { shop } = await openTradingShop()
  const { page } = await signedIn(shop, '/')
  const { click, is } = counter()
  await click(page.getByRole('link', { name: 'Payments', exact: true }))
  await click(page.getByRole('link', { name: '1,890,000 JPY' }))
  await page
    .getByRole('region', { name: 'Why it failed' })
    .getByText(/declined it: ./)
    .waitFor()
  is(2)
})

test('resending the webhooks of an hour takes three clicks', async () => {
  const { shop } = await openTradingShop()
  equal((await shop.post('/webhook_endpoints', { url: 'http://127.0.0.1:9/hooks' })).status, 200)
  const { page } = await signedIn(shop, '/')
  const { click, is } = counter()
  await click(page.getByRole('link', { name: 'Webhooks' }))
  await click(page.getByRole('button', { name: 'Replay…' }))
  await click(page.getByRole('button', { name: 'Replay the last hour' }))
  await page.getByText(/events? will be sent again\./).waitFor()
  is(3)
})

test('inviting a colleague takes three clicks', async () => {
  const shop = await openShop()
  const { page } = await signedIn(shop, '/')
  const { click, is } = counter()
  await click(page.getByRole('link', { name: 'Team' }))
  await click(page.getByRole('button', { name: 'Invite' }))
  await page.getByRole('dialog').getByLabel('E-mail').fill('kari@shop.example')
  await page.getByRole('dialog').getByLabel('Your password').fill(PASSWORD)
  await click(page.getByRole('button', { name: 'Invite as viewer' }))
  await page.getByText('kari@shop.example is invited as viewer').waitFor()
  is(3)
})

test('responding to a dispute takes three clicks', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const { payment_id } = await shop.pay({ currency: 'EUR', amount: 24_900, card: cards.isDisputed })
  const found = async () => (await shop.call('GET', `/disputes/list?payment_id=${payment_id}`)).body
  await eventually(async () => (await found()).length === 1, 'the dispute is here')
  const { page } = await signedIn(shop, '/')
  const { click, is } = counter()
  await click(page.getByRole('link', { name: /249\.00 EUR dispute due/ }))
  await page.getByLabel('What was sold').fill('Six pendant lamps, brass')
  await click(page.getByRole('button', { name: 'Submit evidence…' }))
  await click(page.getByRole('dialog').getByRole('button', { name: 'Submit evidence' }))
  await page.getByText('Nothing is asked of you now').waitFor()
  is(3)
})

test('adding a processor takes three clicks', async () => {
  const shop = await openShop()
  const { page } = await signedIn(shop, '/')
  const { click, is } = counter()
  await click(page.getByRole('link', { name: 'Connectors' }))
  await click(page.getByRole('region', { name: 'Catalogue' }).getByRole('link').first())
  const form = page.getByRole('form', { name: 'Add an account at phonypay' })
  await form.getByLabel('API key').fill(`sandbox_${shop.merchant_id}_second`)
  await form.getByLabel('Label', { exact: true }).fill('second_shop')
  await click(form.getByRole('button', { name: 'Add account' }))
  await page.getByRole('heading', { name: 'second_shop' }).waitFor()
  is(3)
})
