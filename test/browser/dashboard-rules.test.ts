import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { join } from '../people.ts'
import { choice } from '../routes.ts'
import { openTwoAccounts } from '../two-accounts.ts'
import { builtFirst, ownerOf, signedIn, signIn } from './dashboard.ts'
import { barriers, isNotWider } from './look.ts'
import { visit } from './visit.ts'

// Routing rules in the dashboard: a draft is simulated and activated, and the next payment follows it.

builtFirst()

test('a draft is simulated, its activation asks for confirmation, and the next payment follows the rules', async () => {
  const shop = await openTwoAccounts()
  for (const currency of ['EUR', 'EUR', 'USD']) equal((await shop.pay({ currency })).merchant_connector_id, shop.first)
  const { page, problems } = await signedIn(shop, '/')
  await page.getByRole('link', { name: 'Rules' }).click()
  await page.getByRole('heading', { name: 'Payments go by the fallback order.' }).waitFor()
  deepEqual(await barriers(page), [])
  await page.getByRole('button', { name: 'Make rules' }).click()
  await page.getByRole('button', { name: 'Add a rule' }).click()
  equal(await page.getByRole('button', { name: 'Simulate' }).isDisabled(), true, 'nothing is whole yet')
  await page.getByRole('combobox', { name: 'Value 1.1' }).click()
  await page.getByRole('combobox', { name: 'Value 1.1' }).fill('EUR')
  await page.getByRole('option', { name: 'EUR' }).click()
  await page.getByRole('combobox', { name: 'Rule 1 goes to' }).click()
  await page.getByRole('option', { name: shop.second }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Simulate' }).click()
  const goes = (id: string) => ({ type: 'priority', data: [choice(id)] })
  const rule = {
    name: 'rule 1',
    connectorSelection: goes(shop.second),
    statements: [{ condition: [{ lhs: 'currency', comparison: 'equal', value: { type: 'enum_variant', value: 'EUR' }, metadata: {} }] }],
  }
  const algorithm = { type: 'advanced', data: { defaultSelection: goes(shop.first), rules: [rule], metadata: {} } }
  const { body } = await shop.post('/routing/simulate', { start_time: '2020-01-01T00:00:00Z', algorithm })
  deepEqual([body.payments, body.elsewhere[0].payments], [3, 2])
  await page.getByText(`${body.elsewhere[0].payments} of ${body.payments} payments would have gone elsewhere.`).waitFor()
  const rows = await page.getByRole('table', { name: 'Accounts' }).getByRole('row').allInnerTexts()
  const numbers = rows.slice(1).map(row =>
    row
      .split(/\s*\t\s*/)
      .slice(1, 3)
      .map(Number),
  )
  deepEqual(
    numbers,
    body.connectors.map((one: { went: { payments: number }; would_go: { payments: number } }) => [
      one.went.payments,
      one.would_go.payments,
    ]),
  )
  deepEqual(await barriers(page), [])
  const wide = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  await isNotWider(page, 390)
  await page.setViewportSize(wide)
  await page.getByRole('button', { name: 'Activate…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Activate rules?' })
  equal(await dialog.getByRole('button', { name: 'Activate the rules' }).isDisabled(), true, 'a reason is asked for')
  equal((await shop.pay({ currency: 'EUR' })).merchant_connector_id, shop.first, 'nothing has changed before')
  await dialog.getByLabel('Reason').fill('Cheaper in euro')
  match(await dialog.getByTestId('consequence').innerText(), /every new payment goes by rules\. Of the last month, 2 of 3 payments/)
  deepEqual(await barriers(page), [])
  await dialog.getByRole('button', { name: 'Activate the rules' }).click()
  await page.getByText('Cheaper in euro').waitFor()
  await page.getByText(/If currency is EUR, it goes to second/).waitFor()
  equal((await shop.pay({ currency: 'EUR' })).merchant_connector_id, shop.second)
  equal((await shop.pay({ currency: 'USD' })).merchant_connector_id, shop.first)
  await page.setViewportSize({ width: 390, height: 844 })
  equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, 'no sideways scroll on a phone')
  deepEqual(problems, [])
})

test('an operator can simulate and is told why they cannot activate; without payments the simulation says so', async () => {
  const shop = await openTwoAccounts()
  const operator = await join(shop, await ownerOf(shop), 'operator')
  const found = await visit(shop.url, '/dashboard/routing', { width: 1024, height: 800 })
  await signIn(found, shop, operator)
  await found.page.getByRole('button', { name: 'Make rules' }).click()
  const activate = found.page.getByRole('button', { name: 'Activate…' })
  deepEqual([await activate.isDisabled(), await activate.getAttribute('title')], [true, 'Your role does not activate rules.'])
  await found.page.getByRole('button', { name: 'Simulate' }).click()
  await found.page.getByRole('heading', { name: 'No payment was sent to a processor in this period.' }).waitFor()
  deepEqual(found.problems, [])
})
