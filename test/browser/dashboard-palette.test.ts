import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openShop } from '../shop.ts'
import { builtFirst, openTradingShop, signedIn, wide } from './dashboard.ts'
import { barriers, isNotWider } from './look.ts'
import { phone } from './visit.ts'

builtFirst()

const field = (page: Page) => page.getByLabel('Search or run a command')
async function type(page: Page, text: string): Promise<void> {
  if (!(await field(page).isVisible())) await page.locator('body').press('Control+k')
  await field(page).fill(text)
}

test('the palette finds objects by reference, id, email address and last four digits, and Enter opens the first', async () => {
  const { shop, paid } = await openTradingShop()
  const { body: refund } = await shop.refund(paid, 300)
  const { customer_id } = (await shop.post('/customers', { email: 'ida@example.com' })).body
  const hers = await shop.pay({ amount: 1250, customer_id })
  const { connector_transaction_id } = await shop.get(paid)
  const { page, problems } = await signedIn(shop)
  const texts: [string, string, string][] = [
    ['NL-204397', `Payment ${paid}`, `/payments/${paid}`],
    [connector_transaction_id, `Payment ${paid}`, `/payments/${paid}`],
    [refund.connector_refund_id, `Refund ${refund.refund_id}`, `/refunds/${refund.refund_id}`],
    [refund.refund_id, `Refund ${refund.refund_id}`, `/refunds/${refund.refund_id}`],
    ['ida@example.com', `Payment ${hers.payment_id}`, `/payments/${hers.payment_id}`],
    ['4242 12.50', `Payment ${hers.payment_id}`, `/payments/${hers.payment_id}`],
    [shop.merchant_connector_id, `Connector account ${shop.merchant_connector_id}`, `/connectors/${shop.merchant_connector_id}`],
  ]
  for (const [text, line, address] of texts) {
    await type(page, text)
    const found = page.locator('[data-action][data-selected]').filter({ hasText: line }).filter({ hasText: 'by ' })
    await found.waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/dashboard${address}`)
    await field(page).waitFor({ state: 'hidden' })
  }
  await type(page, 'nothing-like-it')
  await page.getByRole('status').getByText('Nothing has exactly this id, reference or e-mail address.').waitFor()
  await page.keyboard.press('Escape')
  await field(page).waitFor({ state: 'hidden' })
  await page.keyboard.press('Control+k')
  await field(page).waitFor()
  deepEqual(problems, [])
})

test('typing sends one request after a pause; the request for an earlier text is aborted, and its response never shown', async () => {
  const { shop, paid } = await openTradingShop()
  const { page, problems } = await signedIn(shop)
  const asked: string[] = []
  const aborted: string[] = []
  const q = (address: string) => new URL(address).searchParams.get('q') ?? ''
  page.on('requestfailed', request => void (request.url().includes('/search?') && aborted.push(q(request.url()))))
  // The answer to the first text does not arrive while the second is typed.
  await page.route('**/search?*', route => {
    asked.push(q(route.request().url()))
    return asked.length === 1 ? undefined : route.continue()
  })
  await page.locator('body').press('Control+k')
  const first = page.waitForRequest('**/search?*')
  await field(page).pressSequentially('NL-2043')
  await first
  await field(page).pressSequentially('97')
  await page
    .locator('[data-action][data-selected]')
    .filter({ hasText: `Payment ${paid}` })
    .waitFor()
  equal(asked.at(-1), 'NL-204397')
  ok(aborted.includes(asked[0]!), String(aborted))
  await page.unroute('**/search?*')
  await page.route('**/search?*', route => route.fulfill({ status: 500, json: { error: { code: 'HE_00', message: 'No' } } }))
  await field(page).fill('NL-2')
  await page.getByRole('status').getByText('Search is not available.').waitFor()
  await page.getByText('Payments of order NL-2').waitFor()
  ok(
    problems.every(one => one.includes('500')),
    String(problems),
  )
})

test('the palette never finds objects of another merchant', async () => {
  const { paid } = await openTradingShop()
  const { page, problems } = await signedIn(await openShop())
  await type(page, 'NL-204397')
  await page.getByRole('status').getByText('Nothing has exactly').waitFor()
  await type(page, paid)
  await page.getByRole('status').getByText('Nothing has exactly').waitFor()
  deepEqual(problems, [])
})

for (const [name, viewport, colorScheme] of [
  ['wide and light', wide, 'light'],
  ['a phone and dark', phone, 'dark'],
] as const)
  test(`results of the palette pass axe: ${name}`, async () => {
    const { shop, paid } = await openTradingShop()
    const { page, problems } = await signedIn(shop, '/payments', viewport, { colorScheme })
    await type(page, 'NL-204397')
    await page.getByText(`Payment ${paid}`).waitFor()
    deepEqual(await barriers(page), [])
    await isNotWider(page, viewport.width)
    deepEqual(problems, [])
  })
