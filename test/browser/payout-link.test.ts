import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ends, ibanEnding, openPayoutShop, type PayoutShop } from '../payout-shop.ts'
import type { Body } from '../shop.ts'
import { barriers, heading, isNotWider } from './look.ts'
import { desktop, phone, visit } from './visit.ts'

// Every test ends with a check of the problems that the browser logged: no error, no violation of the page's policy,
// no request to any server but this service.

/** Creates a payout with a link; gives its id and the link's path. */
async function linked(shop: PayoutShop, more: Body = {}): Promise<{ payout_id: string; path: string }> {
  const open = { payout_type: undefined, payout_method_data: undefined, confirm: false, payout_link: true, customer_id: 'grace' }
  const looks = { payout_link_config: { merchant_name: 'Chairs & Co', ...more.payout_link_config } }
  const { payout_id, payout_link } = await shop.payOut({ ...open, description: 'Two oak chairs returned', ...more, ...looks })
  return { payout_id, path: payout_link.link.slice(shop.url.length) }
}

const button = (page: Page) => page.locator('#submit')
const choose = (page: Page, name: string | RegExp) => page.getByRole('radio', { name }).check()
const seen = (page: Page, label: string) => page.getByLabel(label, { exact: true }).filter({ visible: true })

async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').pressSequentially(number)
  await page.getByLabel('Expiry date').pressSequentially('1240')
  await page.getByLabel('Name on card').fill('Ada Byron')
}

for (const [size, name] of [
  [desktop, 'desktop'],
  [phone, 'phone'],
] as const)
  test(`a recipient is paid to their bank account, on a ${name}`, async () => {
    const shop = await openPayoutShop()
    const { payout_id, path } = await linked(shop, { return_url: 'https://shop.example/thanks' })
    const { page, problems } = await visit(shop.url, path, size)
    await heading(page, 'Chairs & Co pays you')
    await choose(page, 'Bank account (IBAN)')
    await seen(page, 'IBAN').fill(ibanEnding(ends.approves))
    await page
      .getByLabel(/Account holder/)
      .filter({ visible: true })
      .fill('Ada Byron')
    equal(await button(page).innerText(), 'Receive €99.00')
    deepEqual(await barriers(page), [])
    await isNotWider(page, size.width)
    await button(page).click()
    await heading(page, 'The money was sent')
    match(await page.locator('.facts').innerText(), /\*4242/)
    match((await page.locator('#back').getAttribute('href'))!, /thanks\?payout_id=pyt_.*&status=success/)
    deepEqual(await barriers(page), [])
    await isNotWider(page, size.width)
    const { status, payout_type } = await shop.getPayout(payout_id)
    deepEqual([status, payout_type], ['success', 'bank'])
    equal((await shop.paidOut()).length, 1)
    deepEqual(problems, [])
  })

test('a recipient is paid to their card, without a security code', async () => {
  const shop = await openPayoutShop()
  const { payout_id, path } = await linked(shop)
  const { page, problems } = await visit(shop.url, path, desktop)
  equal(await page.getByLabel('Security code').count(), 0)
  await button(page).click()
  await page.getByText('Enter the card number').waitFor()
  await typeCard(page, '4242424242424242')
  await button(page).click()
  await heading(page, 'The money was sent')
  const { payout_method_data } = await shop.getPayout(payout_id)
  deepEqual([payout_method_data.card.last4, payout_method_data.card.card_holder_name], ['4242', 'Ada Byron'])
  deepEqual(problems, [])
})

test('a recipient is paid to a wallet, and by a bank redirect', async () => {
  const shop = await openPayoutShop()
  const wallet = await linked(shop)
  const first = await visit(shop.url, wallet.path, phone)
  await choose(first.page, 'PayPal')
  await seen(first.page, 'E-mail').fill('ada4242@example.com')
  await button(first.page).click()
  await heading(first.page, 'The money was sent')
  const redirect = await linked(shop, { currency: 'CAD' })
  const second = await visit(shop.url, redirect.path, phone)
  await choose(second.page, 'Interac e-Transfer')
  await seen(second.page, 'E-mail').fill('ada4242@example.com')
  await button(second.page).click()
  await heading(second.page, 'The money was sent')
  deepEqual(
    [(await shop.getPayout(wallet.payout_id)).payout_type, (await shop.getPayout(redirect.payout_id)).payout_type],
    ['wallet', 'bank_redirect'],
  )
  deepEqual([...first.problems, ...second.problems], [])
})

test('an input error is shown beside its field, whether the page or the service finds it, and nothing is paid', async () => {
  const shop = await openPayoutShop()
  const { payout_id, path } = await linked(shop)
  const { page, problems } = await visit(shop.url, path, desktop)
  await choose(page, 'Bank account (IBAN)')
  await button(page).click()
  await page.getByText('Please fill this in').waitFor()
  await seen(page, 'IBAN').fill('DE00370400440532013000')
  await button(page).click()
  await page.getByText('This is not right. Please check it.').waitFor()
  equal(await seen(page, 'IBAN').getAttribute('aria-invalid'), 'true')
  deepEqual(await barriers(page), [])
  equal((await shop.getPayout(payout_id)).status, 'requires_payout_method_data')
  await seen(page, 'IBAN').fill(ibanEnding(ends.approves))
  await button(page).click()
  await heading(page, 'The money was sent')
  equal((await shop.paidOut()).length, 1)
  // The browser itself logs that the service refused the first one.
  deepEqual(
    problems.filter(one => !/status of 422/.test(one)),
    [],
  )
})

test('a payout link open in two tabs is paid once', async () => {
  const shop = await openPayoutShop()
  const { path } = await linked(shop)
  const [first, second] = [await visit(shop.url, path, desktop), await visit(shop.url, path, desktop)]
  for (const { page } of [first, second]) await typeCard(page, '4242424242424242')
  await button(first.page).click()
  await heading(first.page, 'The money was sent')
  await button(second.page).click()
  await heading(second.page, 'The money was sent')
  equal((await shop.paidOut()).length, 1)
})

test('a confirm whose response is lost is looked up, and not sent again', async () => {
  const shop = await openPayoutShop()
  const { path } = await linked(shop)
  const { page } = await visit(shop.url, path, desktop)
  let sent = 0
  await page.route('**/confirm', async route => {
    sent++
    await route.fetch()
    await route.abort()
  })
  await typeCard(page, '4242424242424242')
  await button(page).click()
  await heading(page, 'The money was sent')
  deepEqual([sent, (await shop.paidOut()).length], [1, 1])
})

test('the page follows a payout in progress until it succeeds', async () => {
  const shop = await openPayoutShop()
  const { payout_id, path } = await linked(shop)
  const { page, problems } = await visit(shop.url, path, phone)
  await choose(page, 'Bank account (IBAN)')
  await seen(page, 'IBAN').fill(ibanEnding(ends.approvesLater))
  await button(page).click()
  await heading(page, 'Payout in progress')
  deepEqual(await barriers(page), [])
  await shop.wait('1 minute')
  await shop.syncPayout(payout_id)
  await heading(page, 'The money was sent')
  deepEqual(problems, [])
})

test('an expired link is shown as expired, also in a page opened before', async () => {
  const shop = await openPayoutShop()
  const { path } = await linked(shop)
  const early = await visit(shop.url, path, desktop)
  await typeCard(early.page, '4242424242424242')
  await shop.wait('16 minutes')
  await button(early.page).click()
  await heading(early.page, 'This link has expired')
  const { page, problems } = await visit(shop.url, path, phone)
  await heading(page, 'This link has expired')
  ok(!(await page.content()).includes('_secret_'))
  deepEqual(await barriers(page), [])
  deepEqual([problems, await shop.paidOut()], [[], []])
})

test('a recipient can enter a bank account by keyboard alone', async () => {
  const shop = await openPayoutShop()
  const only = { enabled_payment_methods: [{ payment_method: 'bank_transfer', payment_method_types: ['sepa'] }] }
  const { path } = await linked(shop, { payout_link_config: only })
  const { page, problems } = await visit(shop.url, path, desktop)
  await seen(page, 'IBAN').waitFor()
  for (let tabs = 0; tabs < 9 && !(await page.evaluate("document.activeElement.placeholder?.startsWith('DE')")); tabs++)
    await page.keyboard.press('Tab')
  await page.keyboard.type(ibanEnding(ends.approves))
  await page.keyboard.press('Enter')
  await heading(page, 'The money was sent')
  deepEqual(problems, [])
})

/**
 * The looks of pages. All must pass the same checks: no serious finding of axe-core, and no content wider than the
 * screen.
 */
const looks: [name: string, config: Body, prefers: NonNullable<Parameters<typeof visit>[3]>][] = [
  ['as it comes', {}, {}],
  ['in German, dark, with a theme', { theme: '#0b7a4b' }, { colorScheme: 'dark', locale: 'de-DE' }],
  ['in French, as tabs', { form_layout: 'tabs', theme: '#e8590c' }, { locale: 'fr-FR' }],
]

for (const [name, config, prefers] of looks)
  test(`the page is accessible on desktop and phone: ${name}`, async () => {
    const shop = await openPayoutShop()
    const { path } = await linked(shop, { currency: 'USD', payout_link_config: config })
    for (const size of [desktop, phone]) {
      const { page, problems } = await visit(shop.url, path, size, prefers)
      await page.getByRole('radio').nth(1).check()
      await button(page).click()
      await page.locator('.error:not(:empty)').first().waitFor()
      deepEqual(await barriers(page), [])
      await isNotWider(page, size.width)
      deepEqual(problems, [])
      await page.context().close()
    }
  })
