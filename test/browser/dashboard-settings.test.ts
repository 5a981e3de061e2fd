import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../eventually.ts'
import { PASSWORD } from '../people.ts'
import { cards, http, openShop } from '../shop.ts'
import { builtFirst, openTradingShop, ownerOf, signedIn } from './dashboard.ts'
import { barriers } from './look.ts'

// Settings in the dashboard: keys, webhooks, users; and further pages besides payments.

builtFirst()

test('an API key is created, shown once, works, and is refused after it is revoked', async () => {
  const shop = await openShop()
  const { page, problems } = await signedIn(shop, '/developers/keys')
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog', { name: 'A new secret key?' })
  equal(await dialog.getByRole('button', { name: 'Make the key' }).isDisabled(), true)
  await dialog.getByLabel('Name').fill('backend')
  match(await dialog.getByTestId('consequence').innerText(), /can move money/)
  deepEqual(await barriers(page), [])
  await dialog.getByRole('button', { name: 'Make the key' }).click()
  await dialog.getByRole('alert').getByText('password').first().waitFor()
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Make the key' }).click()
  const shown = page.getByRole('status').filter({ hasText: 'it is not shown again' })
  const key = (await shown.locator('.id .cut').innerText()).trim()
  const ask = () => http('GET', `${shop.url}/payments/list`, undefined, { 'api-key': key })
  equal((await ask()).status, 200)
  await shown.getByRole('button', { name: 'I have it' }).click()
  ok(!(await page.content()).includes(key), 'and then nowhere')
  await page.getByRole('button', { name: 'Revoke backend' }).click()
  await page.getByRole('dialog').getByText('is refused at once').waitFor()
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  equal((await ask()).status, 401)
  deepEqual(
    problems.filter(problem => !problem.includes('400')),
    [],
  )
})

test('after ten wrong passwords the dialog says that there were too many, and does not wait with the request', async () => {
  const shop = await openShop()
  const { page } = await signedIn(shop, '/developers/keys')
  const owner = await ownerOf(shop)
  const guess = { name: 'guess', expiration: 'never', password: 'wrong wrong wrong' }
  for (let i = 0; i < 10; i++) equal((await owner.post(`/api_keys/${shop.merchant_id}`, guess)).status, 401)
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog', { name: 'A new secret key?' })
  await dialog.getByLabel('Name').fill('backend')
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Make the key' }).click()
  await dialog.getByRole('alert').getByText('UR_48').waitFor()
})

test('a read-only key is created, and the list shows its scope', async () => {
  const shop = await openShop()
  const { page, problems } = await signedIn(shop, '/developers/keys')
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog', { name: 'A new secret key?' })
  await dialog.getByLabel('Name').fill('reports')
  await dialog.getByRole('combobox', { name: 'May' }).click()
  await page.getByRole('option', { name: 'See only' }).click()
  match(await dialog.getByTestId('consequence').innerText(), /can see payments and settings/)
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Make the key' }).click()
  const shown = page.getByRole('status').filter({ hasText: 'it is not shown again' })
  const headers = { 'api-key': (await shown.locator('.id .cut').innerText()).trim() }
  equal((await http('GET', `${shop.url}/payments/list`, undefined, headers)).status, 200)
  equal((await http('POST', `${shop.url}/payments`, { amount: 100, currency: 'EUR' }, headers)).status, 403)
  match(await page.getByRole('row', { name: /reports/ }).innerText(), /of the permissions/)
  deepEqual(await barriers(page), [])
  deepEqual(problems, [])
})

test('an endpoint is added, its deliveries are listed, and a failed one is resent', async () => {
  const { shop } = await openTradingShop()
  const { page, problems } = await signedIn(shop, '/developers/webhooks')
  await page.getByRole('heading', { name: 'No webhook endpoint yet.' }).waitFor()
  await page.getByRole('button', { name: 'New endpoint' }).click()
  await page.getByLabel('Address').fill('http://127.0.0.1:9/hooks')
  await page.getByRole('button', { name: 'Add the endpoint' }).click()
  await page.getByText('The secret that its events are signed with').waitFor()
  await page.getByRole('button', { name: 'Replay…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send events again?' })
  match(
    await dialog.getByTestId('consequence').innerText(),
    /^No money moves\. What did not arrive of the last hour goes to http:\/\/127\.0\.0\.1:9\/hooks again/,
  )
  await dialog.getByRole('button', { name: 'Replay the last hour' }).click()
  await page.getByText(/events? will be sent again\./).waitFor()
  deepEqual(problems, [])
})

test('a colleague is invited: the dialog shows the role’s rights first, and the link to hand over', async () => {
  const shop = await openShop()
  const { page, problems } = await signedIn(shop, '/settings/team')
  await page.getByRole('button', { name: 'Invite' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite a colleague?' })
  await dialog.getByLabel('E-mail').fill('kari@shop.example')
  match(await dialog.getByTestId('consequence').innerText(), /^kari@shop\.example sees payments and figures, and changes nothing/)
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Invite as viewer' }).click()
  await page.getByText('kari@shop.example is invited as viewer').waitFor()
  await page.getByText(/\/dashboard\/invitation\?token=/).waitFor()
  await page.getByRole('table', { name: 'People' }).getByText('invited').waitFor()
  deepEqual(await barriers(page), [])
  deepEqual(problems, [])
})

test('the home page leads to the open tasks, and a line of the request log to the payment that it wrote', async () => {
  const { shop, paid } = await openTradingShop()
  await shop.service.tick()
  const { page, problems } = await signedIn(shop, '/')
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
  await page.getByText('Not certain yet').waitFor()
  await page.getByRole('link', { name: 'Request log' }).click()
  await page.getByRole('row').filter({ hasText: '/payments' }).last().locator('a.row-link').click()
  await page.getByRole('heading', { name: /POST \/payments/ }).waitFor()
  await page.getByRole('link', { name: paid }).click()
  await page.getByRole('heading', { name: '249.00 EUR' }).waitFor()
  ok(page.url().endsWith(paid), page.url())
  await page.goBack()
  await page.getByRole('heading', { name: /POST \/payments/ }).waitFor()
  deepEqual(problems, [])
})

test('a dispute is contested: the draft is kept, the submitted evidence reaches the processor, and the task is gone', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const { payment_id } = await shop.pay({ currency: 'EUR', amount: 24_900, card: cards.isDisputed })
  const found = async () => (await shop.call('GET', `/disputes/list?payment_id=${payment_id}`)).body
  await eventually(async () => (await found()).length === 1, 'the dispute is here')
  const [{ dispute_id }] = await found()
  const { page, problems } = await signedIn(shop, '/')
  await page.getByRole('link', { name: /249\.00 EUR dispute due/ }).click()
  await page.getByRole('heading', { name: '249.00 EUR' }).waitFor()
  deepEqual(await barriers(page), [])
  await page.getByLabel('What was sold').fill('Six pendant lamps, brass')
  await page.getByRole('button', { name: 'Save the draft' }).click()
  await page.getByText('Saved. Nothing was handed in.').waitFor()
  await page.reload()
  equal(await page.getByLabel('What was sold').inputValue(), 'Six pendant lamps, brass')
  await page.getByRole('button', { name: 'Submit evidence…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Submit this evidence?' })
  match(await dialog.getByTestId('consequence').innerText(), /249\.00 EUR stay out of your balance until the bank decides/)
  await dialog.getByRole('button', { name: 'Submit evidence' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('Nothing is asked of you now').waitFor()
  ok((await shop.call('GET', `/disputes/${dispute_id}`)).body.dispute_status !== 'dispute_opened')
  await page.getByRole('link', { name: 'Disputes' }).first().click()
  await page.getByRole('table', { name: 'Disputes' }).getByRole('link', { name: '249.00 EUR' }).waitFor()
  deepEqual(await barriers(page), [])
  deepEqual(problems, [])
})

test('each connector account shows its breaker, and a rate only if enough payments were decided', async () => {
  const { shop } = await openTradingShop()
  const { page, problems } = await signedIn(shop, '/connectors')
  const table = page.getByRole('table', { name: 'Connector accounts' })
  await table.getByText('closed').first().waitFor()
  await table.getByText('unknown').first().waitFor()
  deepEqual(problems, [])
})
