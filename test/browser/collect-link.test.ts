import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { openPayoutShop, recipients } from '../payout-shop.ts'
import type { Body } from '../shop.ts'
import { barriers, heading, isNotWider } from './look.ts'
import { desktop, phone, visit } from './visit.ts'

// Every test ends with a check of the problems that the browser logged: no error, no violation of the page's policy,
// no request to any server but this service.

async function linked(more: Body = {}) {
  const shop = await openPayoutShop()
  await shop.post('/customers', { customer_id: 'grace' })
  const { link } = (await shop.post('/payment_methods/collect', { customer_id: 'grace', merchant_name: 'Chairs & Co', ...more })).body
  const saved = async (): Promise<Body[]> => (await shop.call('GET', '/customers/grace/payment_methods')).body.customer_payment_methods
  return { shop, path: link.slice(shop.url.length) as string, saved }
}

test('a customer saves a bank account and returns to the shop', async () => {
  const { shop, path, saved } = await linked({ return_url: 'https://shop.example/thanks' })
  const { page, went, problems } = await visit(shop.url, path, phone)
  await heading(page, 'Your details for Chairs & Co')
  await page.getByRole('radio', { name: 'Bank account (IBAN)' }).check()
  await page.locator('#submit').click()
  await page.getByText('Please fill this in').waitFor()
  await page.getByLabel('IBAN', { exact: true }).filter({ visible: true }).fill(recipients.bank().bank.iban)
  deepEqual(await barriers(page), [])
  await isNotWider(page, phone.width)
  await page.locator('#submit').click()
  await heading(page, 'Your details are saved')
  deepEqual(await barriers(page), [])
  match((await page.locator('#back').getAttribute('href'))!, /thanks\?pm_collect_link_id=pm_collect_link_\w+&status=submitted/)
  match((await saved())[0]!.bank_transfer.iban, /\*4242$/)
  await page.getByText(/You will be redirected in/).waitFor()
  deepEqual([went, problems], [[], []])
})

test('a customer saves a card; an older tab shows that the link was used and saves nothing', async () => {
  const { shop, path, saved } = await linked()
  const [first, second] = [await visit(shop.url, path, desktop), await visit(shop.url, path, desktop)]
  for (const { page } of [first, second]) {
    await page.getByLabel('Card number').pressSequentially('4242424242424242')
    await page.getByLabel('Expiry date').pressSequentially('1240')
    await page.locator('#submit').click()
    await heading(page, 'Your details are saved')
  }
  const [card, ...others] = await saved()
  deepEqual([card!.card.last4_digits, others], ['4242', []])
  deepEqual(first.problems, [])
  // The browser itself logs that the service refused the second link.
  equal(
    second.problems.every(one => /status of 400/.test(one)),
    true,
    second.problems.join(),
  )
})
