import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { join } from '../people.ts'
import { choice } from '../routes.ts'
import { activate, openTwoAccounts } from '../two-accounts.ts'
import { builtFirst, ownerOf, signedIn, signIn, wide } from './dashboard.ts'
import { barriers } from './look.ts'
import { visit } from './visit.ts'

// The simulation of routing in the dashboard: the accounts to which payments would go, as a diagram.

builtFirst()

const way = (page: Page) => page.getByRole('table', { name: 'Accounts in their order' })

test('the routing preview shows the decision, and the next payment goes to the account that it showed', async () => {
  const shop = await openTwoAccounts()
  const rule = {
    name: 'dear ones to the second',
    connectorSelection: { type: 'priority', data: [choice(shop.second)] },
    statements: [{ condition: [{ lhs: 'amount', comparison: 'greater_than', value: { type: 'number', value: 20_000 } }] }],
  }
  const defaultSelection = { type: 'priority', data: [choice(shop.first)] }
  await activate(shop, { type: 'advanced', data: { defaultSelection, rules: [rule], metadata: {} } })
  const { page, problems } = await signedIn(shop, '/')
  await page.getByRole('link', { name: 'Test routing' }).click()
  await page.getByText('Describe a payment or enter its id').waitFor()
  await page.getByLabel('Amount in EUR').fill('249')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByRole('region', { name: 'Routing now', exact: true }).getByText('249.00 EUR').waitFor()
  await page.getByText('dear ones to the second').waitFor()
  const first = way(page).locator('tbody tr').first()
  match(await first.innerText(), /second[\s\S]*asked first/)
  match(page.url(), /amount=24900/)
  const asked = { amount: 24_900, currency: 'EUR', payment_method: 'card' }
  const { body } = await shop.post('/routing/evaluate', asked)
  equal(await way(page).locator('tbody tr').count(), body.connectors.length + body.left_out.length)
  equal(body.connectors[0].merchant_connector_id, shop.second)
  deepEqual(await barriers(page), [])
  equal((await shop.pay({ amount: 24_900, currency: 'EUR' })).merchant_connector_id, shop.second)
  await page.getByLabel('Amount in EUR').fill('249.001')
  equal(await page.getByRole('button', { name: 'Ask', exact: true }).isDisabled(), true, 'EUR has two decimals')
  await page.getByLabel('Amount in EUR').fill('20')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByRole('region', { name: 'Routing now', exact: true }).getByText('20.00 EUR').waitFor()
  ok(!(await first.innerText()).includes('second'), 'a cheap one goes to the first')
  equal((await shop.pay({ amount: 2_000, currency: 'EUR' })).merchant_connector_id, shop.first)
  deepEqual(problems, [])
})

test('the preview shows excluded accounts with their reasons; it opens with an existing payment from that payment’s page', async () => {
  const shop = await openTwoAccounts()
  const { payment_id } = await shop.pay({ amount: 24_900, currency: 'EUR' })
  await shop.post(`/account/${shop.merchant_id}/connectors/${shop.second}`, { connector_type: 'payment_processor', disabled: true })
  const { page, problems } = await signedIn(shop, `/payments/${payment_id}`)
  await page.getByRole('link', { name: 'Test its routing' }).click()
  const { body } = await shop.post('/routing/evaluate', { payment_id })
  const [{ reason, message }] = body.left_out
  await way(page).getByText(`left out: ${reason} ${message}`).waitFor()
  await page.getByRole('combobox', { name: 'When' }).click()
  await page.getByRole('option', { name: 'as it was at its last attempt' }).click()
  await page.getByRole('button', { name: 'Ask about it' }).click()
  await page.getByRole('heading', { name: 'Routing then' }).waitFor()
  match(page.url(), /at=attempt/)
  await page.goto(page.url().replace(payment_id, 'pay_00000000000000000000000000'))
  await page.getByText('No such payment here.').waitFor()
  deepEqual(await barriers(page), [])
  deepEqual(
    problems.filter(one => !one.includes('404')),
    [],
  )
})

test('the routing preview is not offered to a viewer, and the API refuses it as well', async () => {
  const shop = await openTwoAccounts()
  const viewer = await join(shop, await ownerOf(shop), 'viewer')
  const found = await visit(shop.url, '/dashboard/payments', wide)
  await signIn(found, shop, viewer)
  await found.page.getByRole('link', { name: 'Connectors' }).waitFor()
  equal(await found.page.getByRole('link', { name: 'Test routing' }).count(), 0)
  equal((await viewer.post('/routing/evaluate', { amount: 100, currency: 'EUR' })).status, 403)
})
