import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ends, openPayoutShop, recipients } from '../payout-shop.ts'
import { join } from '../people.ts'
import { type Body, cards, openShop, type Shop } from '../shop.ts'
import { builtFirst, openTradingShop, ownerOf, signedIn, signIn, wide } from './dashboard.ts'
import { barriers, isNotWider, see } from './look.ts'
import { phone, visit } from './visit.ts'

// The lists and pages about money besides single payments. Every test ends with a check of the problems that the
// browser logged.

builtFirst()

/** Clicks on an export, and gives the lines of the downloaded file. */
async function exported(page: Page): Promise<string[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /^Export/ }).click()])
  return readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n')
}

test('a payment link is created with the note that no money moves yet, and anyone who has the link can pay it', async () => {
  const shop = await openShop()
  const { page, problems } = await signedIn(shop)
  await page.getByRole('button', { name: 'Payment link' }).click()
  const dialog = page.getByRole('dialog', { name: 'A link to pay?' })
  await dialog.getByLabel('Amount in EUR').fill('249.001')
  await dialog.getByText('Not an amount in EUR').waitFor()
  equal(await dialog.getByRole('button', { name: /^Make a link/ }).isDisabled(), true)
  await dialog.getByLabel('Amount in EUR').fill('249.00')
  await dialog.getByLabel('Order').fill('NL-1')
  match(
    await dialog.getByTestId('consequence').innerText(),
    /^No money moves yet\. Anybody who has the link can pay 249\.00 EUR once, within a day/,
  )
  deepEqual(await barriers(page), [])
  await dialog.getByRole('button', { name: 'Make a link for 249.00 EUR' }).click()
  const shown = page.getByRole('status').filter({ hasText: 'A link to pay 249.00 EUR' })
  const link = (await shown.locator('.id .cut').innerText()).trim()
  equal((await fetch(link)).status, 200)
  await shown.getByRole('link', { name: 'The payment' }).click()
  await page.getByRole('heading', { name: '249.00 EUR' }).waitFor()
  const [made] = (await shop.call('GET', '/payments/list?merchant_order_reference_id=NL-1')).body.data
  deepEqual([made.amount, made.currency, made.status, made.payment_link.link], [24_900, 'EUR', 'requires_payment_method', link])
  deepEqual(problems, [])
})

test('on a fresh installation a link is made in the dashboard and paid: its page says so, and stays', async () => {
  // As `npm start` leaves a merchant: nothing is set, above all no return_url.
  const shop = await openShop({ account: {} })
  const { page, problems } = await signedIn(shop)
  for (const card of [cards.approves, cards.challenges]) {
    await page.getByRole('button', { name: 'Payment link' }).click()
    const dialog = page.getByRole('dialog', { name: 'A link to pay?' })
    await dialog.getByLabel('Amount in EUR').fill('19.00')
    await see(page, 'dashboard-new-link')
    await dialog.getByRole('button', { name: 'Make a link for 19.00 EUR' }).click()
    const shown = page.getByRole('status').filter({ hasText: 'A link to pay 19.00 EUR' })
    const link = (await shown.locator('.id .cut').innerText()).trim()
    const shopper = await visit(shop.url, link.slice(shop.url.length), phone, { mayAsk: [process.env.TEST_SANDBOX_URL!] })
    await shopper.page.getByLabel('Card number').pressSequentially(card)
    await shopper.page.getByLabel('Expiry date').pressSequentially('1240')
    await shopper.page.getByLabel('Security code').pressSequentially('737')
    await shopper.page.locator('#submit').click()
    if (card === cards.challenges) await shopper.page.getByRole('button', { name: /accept/i }).click()
    await shopper.page.getByRole('heading', { name: 'Payment complete' }).waitFor()
    equal(new URL(shopper.page.url()).pathname.startsWith('/payment_link/'), true)
    equal(await shopper.page.locator('meta[http-equiv=refresh]').count(), 0)
    await see(shopper.page, 'link-paid-stays')
    deepEqual(shopper.problems, [])
    await shown.getByRole('button', { name: 'I have it' }).click()
  }
  equal((await shop.processor.charges()).length, 2)
  deepEqual(problems, [])
})

test('a view is exported with its filters, and a role that sees masked data is told that the export is masked', async () => {
  const { shop, paid, held } = await openTradingShop()
  const found = await signedIn(shop, '/payments?currency=EUR,KWD')
  await found.page.getByRole('link', { name: '249.00 EUR' }).waitFor()
  const lines = await exported(found.page)
  equal(lines.length, 3)
  ok(lines[1]!.startsWith(held) && lines[2]!.startsWith(paid), lines.join('\n'))
  await found.page.goto(`${shop.url}/dashboard/payments?status=succeeded&days=7`)
  await found.page.getByRole('link', { name: 'Export 1 CSV' }).waitFor()
  equal((await exported(found.page)).length, 2)
  deepEqual(found.problems, [])
  const viewer = await visit(shop.url, '/dashboard/payments', wide)
  await signIn(viewer, shop, await join(shop, await ownerOf(shop), 'viewer'))
  await viewer.page.getByRole('button', { name: 'Export CSV' }).hover()
  await viewer.page.getByText('Your role, viewer, does not export what it sees only in part.').waitFor()
  equal(await viewer.page.getByRole('button', { name: 'Payment link' }).count(), 0)
  deepEqual(viewer.problems, [])
})

test('refunds are counted by status, paginated by cursors in the address, and exported', async () => {
  const shop = await openShop()
  // A payment may have ten refunds at most.
  const payments = await Promise.all(Array.from({ length: 6 }, () => shop.pay({ currency: 'EUR', amount: 10_000 })))
  for (let n = 0; n < 52; n++) equal((await shop.refund(payments[n % 6]!.payment_id, 100 + n)).status, 200)
  const { page, problems } = await signedIn(shop, '/refunds')
  await page.getByRole('link', { name: '1.51 EUR' }).waitFor()
  match(await page.getByRole('navigation', { name: 'By refund status' }).innerText(), /All\s*52\s*succeeded\s*52/)
  await page.getByRole('button', { name: 'Older' }).click()
  await page.getByRole('link', { name: '1.00 EUR' }).waitFor()
  match(page.url(), /\?starting_after=ref_/)
  await page.reload()
  await page.getByRole('link', { name: '1.01 EUR' }).waitFor()
  equal(await page.getByRole('row').count(), 3)
  await page.getByRole('button', { name: 'Newer' }).click()
  await page.getByRole('link', { name: '1.51 EUR' }).waitFor()
  equal((await exported(page)).length, 53)
  await page.getByRole('link', { name: /^failed/ }).click()
  await page.getByRole('heading', { name: 'Nothing matches.' }).waitFor()
  await page.setViewportSize(phone)
  await isNotWider(page, phone.width)
  deepEqual(await barriers(page), [])
  deepEqual(problems, [])
})

test('a payout is created, waits to be fulfilled, and is paid once; each dialog states its effect on the money', async () => {
  const shop = await openPayoutShop()
  const { page, problems } = await signedIn(shop, '/payouts')
  await page.getByRole('heading', { name: 'No payouts yet.' }).waitFor()
  await page.getByText(`curl ${shop.url}/payouts/create`).waitFor()
  await page.getByRole('button', { name: 'New payout' }).click()
  const dialog = page.getByRole('dialog', { name: 'A new payout?' })
  await dialog.getByLabel('Amount in EUR').fill('99.00')
  equal(await dialog.getByRole('button', { name: /^Make a payout/ }).isDisabled(), true)
  await dialog.getByLabel('IBAN').fill('DE893')
  await dialog.getByLabel('Account holder').fill('Ada Byron')
  await dialog.getByRole('button', { name: 'Make a payout of 99.00 EUR' }).click()
  await dialog.getByRole('alert').getByText(/iban/).waitFor()
  await dialog.getByLabel('IBAN').fill('DE89370400440532013000')
  match(
    await dialog.getByTestId('consequence').innerText(),
    /^No money moves yet\. 99\.00 EUR will go to IBAN DE89370400440532013000 of Ada Byron once the payout is fulfilled/,
  )
  deepEqual(await barriers(page), [])
  await dialog.getByRole('button', { name: 'Make a payout of 99.00 EUR' }).click()
  await page.getByRole('heading', { name: '99.00 EUR' }).waitFor()
  deepEqual(await shop.paidOut(), [])
  await page.getByText('IBAN •••• 3000', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Fulfill…' }).click()
  const fulfill = page.getByRole('dialog', { name: 'Fulfill this payout?' })
  match(
    await fulfill.getByTestId('consequence').innerText(),
    /^99\.00 EUR will leave your balance at payouts phonypay and go to IBAN •••• 3000 of Ada Byron/,
  )
  await fulfill.getByRole('button', { name: 'Pay 99.00 EUR' }).click()
  await fulfill.waitFor({ state: 'hidden' })
  await page.getByText('phonypay has said that 99.00 EUR was paid to IBAN •••• 3000 of Ada Byron.').waitFor()
  equal(await page.getByRole('button', { name: 'Fulfill…' }).count(), 0)
  await page.getByRole('table', { name: 'Operations' }).getByRole('cell', { name: 'payout', exact: true }).waitFor()
  await page.getByRole('table', { name: 'Events' }).getByText('payout_success').waitFor()
  await page.getByRole('table', { name: 'Ledger entries' }).getByRole('cell', { name: 'payouts', exact: true }).waitFor()
  await page.getByRole('region', { name: 'Routing decision' }).getByText('payouts phonypay').waitFor()
  ok(!(await page.content()).includes('370400440532013'), 'the account is shown masked only')
  equal(await page.title(), 'Payout of 99.00 EUR, success · Switchyard')
  deepEqual(await barriers(page), [])
  equal((await shop.paidOut()).length, 1)
  deepEqual(
    problems.filter(one => !one.includes('422') && !one.includes('400')),
    [],
  )
})

test('payouts are listed by status and filters; an uncertain payout is never offered to be paid again', async () => {
  const shop = await openPayoutShop()
  await shop.payOut({ merchant_order_reference_id: 'w12' })
  const unknown = await shop.payOut({ to: recipients.bank(ends.paysAndHangs), amount: 5_000 })
  equal(unknown.status, 'pending')
  const { payout_id } = await shop.payOut({ to: recipients.wallet(ends.waits), amount: 700 })
  const { page, problems } = await signedIn(shop, '/payouts?payout_method=bank')
  await page.getByRole('link', { name: '99.00 EUR' }).waitFor()
  equal(await page.getByRole('row').count(), 3)
  await page.getByRole('button', { name: 'Remove Method' }).click()
  await page.getByRole('link', { name: '7.00 EUR' }).waitFor()
  equal((await exported(page)).length, 4)
  await page.getByRole('link', { name: /^pending/ }).click()
  await page.getByRole('link', { name: '99.00 EUR' }).waitFor({ state: 'detached' })
  match(page.url(), /\?status=pending$/)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '50.00 EUR' }).waitFor()
  await page.getByText('It is not certain yet that 50.00 EUR was paid. Unknown is not failed').waitFor()
  for (const name of ['Fulfill…', 'Confirm…', 'Cancel…']) equal(await page.getByRole('button', { name }).count(), 0)
  await page.keyboard.press('a')
  await page.getByRole('dialog', { name: 'Poll the processor?' }).getByRole('button', { name: 'Poll the processor' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByText(/phonypay has said that 50\.00 EUR was paid/).waitFor()
  await page.goto(`${shop.url}/dashboard/payouts/${payout_id}`)
  await page.getByRole('button', { name: 'Cancel…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this payout?' })
  match(await dialog.getByTestId('consequence').innerText(), /^phonypay is asked to call it off\. It may be too late/)
  await dialog.getByRole('button', { name: 'Cancel 7.00 EUR' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('cancelled', { exact: true }).first().waitFor()
  await page.setViewportSize(phone)
  await isNotWider(page, phone.width)
  deepEqual(await barriers(page), [])
  deepEqual(problems, [])
})

test('a viewer sees payouts with masked recipients and cannot move money', async () => {
  const shop = await openPayoutShop()
  const { payout_id } = await shop.payOut({ auto_fulfill: false })
  const found = await visit(shop.url, '/dashboard/payouts', wide, { colorScheme: 'dark' })
  await signIn(found, shop, await join(shop, await ownerOf(shop), 'viewer'))
  await found.page.getByRole('link', { name: '99.00 EUR' }).click()
  await found.page.getByText('Your role, viewer, does not move money.').waitFor()
  ok(found.page.url().endsWith(payout_id))
  equal(await found.page.getByText('Ada Byron').count(), 0)
  equal(await found.page.getByRole('region', { name: 'Events' }).count(), 0)
  equal(await found.page.getByRole('button', { name: /Fulfill|Cancel/ }).count(), 0)
  deepEqual(await barriers(found.page), [])
  deepEqual(found.problems, [])
})

const agreed = { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'Mozilla/5.0' } }

/** Opens a shop with a customer who has a saved card, a payment and a mandate. */
async function openShopWithCustomer(): Promise<Shop> {
  const shop = await openShop()
  const grace = { customer_id: 'grace', name: 'Grace Hopper', email: 'grace@example.com', phone: '2025550143', phone_country_code: '+1' }
  equal((await shop.post('/customers', { ...grace, metadata: { newsletter: 'yes' } })).status, 200)
  const paid = await shop.pay({
    ...{ amount: 24_900, currency: 'EUR', customer_id: 'grace', setup_future_usage: 'off_session', customer_acceptance: agreed },
    mandate_data: { customer_acceptance: agreed, mandate_type: { multi_use: { amount: 30_000, currency: 'EUR' } } },
  })
  equal(paid.status, 'succeeded')
  return shop
}

test('a customer is found by email address, renamed and deleted, and their mandate is revoked', async () => {
  const shop = await openShopWithCustomer()
  equal((await shop.post('/customers', { customer_id: 'ada', name: 'Ada Byron', email: 'ada@example.com' })).status, 200)
  const { page, problems } = await signedIn(shop, '/customers')
  await page.getByRole('link', { name: 'Ada Byron' }).waitFor()
  match(await page.getByRole('row', { name: /Grace Hopper/ }).innerText(), /\s1\s[\s\S]*249\.00 EUR/, 'one saved, and what was paid last')
  await see(page, 'customers')
  await page.getByRole('button', { name: 'E-mail' }).click()
  await page.getByRole('textbox', { name: 'E-mail' }).fill('grace@example.com')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('link', { name: 'Ada Byron' }).waitFor({ state: 'detached' })
  match(page.url(), /\?email=grace(@|%40)example\.com$/)
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  match(readFileSync(await (await file).path(), 'utf8'), /^customer_id,name,.*\r\ngrace,Grace Hopper,[^\n]*\n$/)
  await page.getByRole('link', { name: 'Grace Hopper' }).click()
  await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
  await page.getByRole('table', { name: 'Saved payment methods' }).getByText('Visa •••• 4242').waitFor()
  await page.getByRole('table', { name: 'Payments' }).getByRole('link', { name: '249.00 EUR' }).waitFor()
  await page.getByText('newsletter').waitFor()
  await page.getByRole('table', { name: 'Mandates' }).getByText('up to 300.00 EUR, repeatedly').waitFor()

  await page.getByRole('button', { name: 'Delete…' }).click()
  const early = page.getByRole('dialog', { name: 'Delete Grace Hopper?' })
  match(await early.getByTestId('consequence').innerText(), /are erased, for good\. No money moves: payments stay, under grace/)
  await early.getByRole('button', { name: 'Delete the customer' }).click()
  await early.getByRole('alert').getByText('IR_10').waitFor()
  await early.getByRole('button', { name: 'Keep the customer' }).click()

  await page.getByRole('button', { name: 'Revoke…' }).click()
  const revoke = page.getByRole('dialog', { name: 'Revoke this mandate?' })
  match(await revoke.getByTestId('consequence').innerText(), /^Nothing can be charged to Visa •••• 4242 by it any more/)
  deepEqual(await barriers(page), [])
  await revoke.getByRole('button', { name: 'Revoke the mandate' }).click()
  await page.getByRole('table', { name: 'Mandates' }).getByText('revoked').waitFor()
  equal((await shop.call('GET', '/mandates/list?customer_id=grace')).body[0].status, 'revoked')

  await page.getByRole('button', { name: 'Edit…' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit this customer?' })
  equal(await edit.getByRole('button', { name: 'Save' }).isDisabled(), true)
  await edit.getByLabel('Name').fill('Grace B. Hopper')
  await edit.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Grace B. Hopper' }).waitFor()
  const { body } = await shop.call('GET', '/customers/grace')
  deepEqual([body.name, body.email, body.phone], ['Grace B. Hopper', 'grace@example.com', '2025550143'])

  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete the customer' }).click()
  await page.getByRole('heading', { name: 'Customers', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Grace B. Hopper' }).waitFor({ state: 'detached' })
  equal((await shop.call('GET', '/customers/list_with_count')).body.total_count, 1)
  deepEqual(
    problems.filter(one => !one.includes('400')),
    [],
  )
})

test('one saved payment method is made the default, and another is removed together with its mandate', async () => {
  const shop = await openShopWithCustomer()
  const card = { card_number: '5555555555554444', card_exp_month: '12', card_exp_year: '2040' }
  equal((await shop.post('/payment_methods', { customer_id: 'grace', payment_method: 'card', card })).status, 200)
  const { page, problems } = await signedIn(shop, '/customers/grace')
  const methods = page.getByRole('table', { name: 'Saved payment methods' })
  await methods.getByRole('button', { name: /^Make default: Mastercard/ }).click()
  const prefer = page.getByRole('dialog', { name: 'Make this the default?' })
  match(await prefer.getByTestId('consequence').innerText(), /^No money moves\. Checkouts offer Mastercard •••• 4444 first/)
  await prefer.getByRole('button', { name: 'Make it the default' }).click()
  await methods.getByRole('row', { name: /Mastercard •••• 4444 default/ }).waitFor()
  await see(page, 'customer')
  await methods.getByRole('button', { name: /^Remove Visa/ }).click()
  const remove = page.getByRole('dialog', { name: 'Remove Visa •••• 4242?' })
  match(
    await remove.getByTestId('consequence').innerText(),
    /^Visa •••• 4242 is erased, for good, and mandates that charge it end\. No money moves/,
  )
  await see(page, 'customer-remove')
  deepEqual(await barriers(page), [])
  await remove.getByRole('button', { name: 'Remove it' }).click()
  await methods.getByText('Visa •••• 4242').waitFor({ state: 'detached' })
  const left = (await shop.call('GET', '/customers/grace/payment_methods')).body.customer_payment_methods as Body[]
  deepEqual(
    left.map(one => [one.card.last4_digits, one.default_payment_method_set]),
    [['4444', true]],
  )
  equal((await shop.call('GET', '/mandates/list?customer_id=grace')).body[0].status, 'revoked')
  deepEqual(problems, [])
})

test('a new customer is created and opened', async () => {
  const shop = await openShop()
  const { page, problems } = await signedIn(shop, '/customers')
  await page.getByRole('heading', { name: 'No customers yet.' }).waitFor()
  await page.getByText(`curl ${shop.url}/customers`).waitFor()
  await page.getByRole('button', { name: 'New customer' }).click()
  const dialog = page.getByRole('dialog', { name: 'A new customer?' })
  equal(await dialog.getByRole('button', { name: 'Make the customer' }).isDisabled(), true)
  await dialog.getByLabel('customer_id').fill('grace@shop')
  await dialog.getByLabel('Name').fill('Grace Hopper')
  deepEqual(await barriers(page), [])
  await dialog.getByRole('button', { name: 'Make the customer' }).click()
  await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
  await page.getByText('Nothing may be charged without the customer.').waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
  equal((await shop.call('GET', '/customers/grace@shop')).body.name, 'Grace Hopper')
  deepEqual(problems, [])
})

test('a developer sees customers masked, and an edit does not overwrite hidden values with the mask', async () => {
  const shop = await openShopWithCustomer()
  const found = await visit(shop.url, '/dashboard/customers/grace', wide)
  const { page } = found
  await signIn(found, shop, await join(shop, await ownerOf(shop), 'developer'))
  await page.getByRole('heading', { name: 'G•••' }).waitFor()
  ok(!/Hopper|grace@example|2025550143/.test(await page.content()))
  await page.getByRole('button', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit this customer?' })
  equal(await dialog.getByLabel('E-mail').inputValue(), '')
  await dialog.getByLabel('Description').fill('Buys lamps')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('Buys lamps').waitFor()
  const { body } = await shop.call('GET', '/customers/grace')
  deepEqual([body.name, body.email, body.description], ['Grace Hopper', 'grace@example.com', 'Buys lamps'])
  deepEqual(found.problems, [])
})

test('the ledger shows balances and balanced entries, verifies itself, and is exported with its filters', async () => {
  const { shop, paid } = await openTradingShop()
  equal((await shop.refund(paid, 5_000)).body.status, 'succeeded')
  equal((await shop.pay({ currency: 'JPY', amount: 1_000 })).status, 'succeeded')
  const { page, problems } = await signedIn(shop, '/')
  await page.getByRole('heading', { name: 'Home', exact: true }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await page.getByRole('heading', { name: 'Ledger', exact: true }).waitFor()
  await page.getByText('Balanced: debits equal credits in EUR, JPY').waitFor()
  const balances = page.getByRole('table', { name: 'Balances' })
  await balances.getByRole('row', { name: /processor .*199\.00 EUR$/ }).waitFor()
  await balances.getByRole('row', { name: /sales .*−249\.00 EUR$/ }).waitFor()
  const entries = page.getByRole('table', { name: 'Entries' })
  await entries.getByRole('row', { name: /processor 1,000 JPY sales 1,000 JPY/ }).waitFor()
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('button', { name: 'refunds: refunded' }).click()
  await entries.getByText('JPY').first().waitFor({ state: 'detached' })
  match(page.url(), /\?account=refunds$/)
  await page.reload()
  await entries.getByRole('row', { name: /refunds 50\.00 EUR processor 50\.00 EUR/ }).waitFor()
  await page.getByText('Balanced: debits equal credits in EUR, JPY').waitFor()
  const lines = await exported(page)
  deepEqual(
    lines.slice(1).map(line => line.split(',').slice(4, 9).join()),
    [`${paid},processor,0,5000,EUR`, `${paid},refunds,5000,0,EUR`],
  )
  await entries.locator('a.row-link').click()
  await page.getByRole('heading', { name: '249.00 EUR' }).waitFor()
  deepEqual(problems, [])
})

test('the page of a refund shows its own ledger entry and not its payment’s', async () => {
  const { shop, paid } = await openTradingShop()
  const { refund_id } = (await shop.refund(paid, 5_000)).body
  const { page, problems } = await signedIn(shop, `/refunds/${refund_id}`)
  const table = page.getByRole('table', { name: 'Ledger entries' })
  await table.getByRole('row', { name: /refunds 50\.00 EUR/ }).waitFor()
  equal(await table.getByText('sales').count(), 0)
  deepEqual(problems, [])
})

for (const [colorScheme, viewport] of [
  ['light', wide],
  ['dark', wide],
  ['light', phone],
  ['dark', phone],
] as const)
  test(`the pages about money pass axe (${colorScheme}, ${viewport.width} wide)`, async () => {
    const shop = await openPayoutShop()
    const { payout_id } = await shop.payOut({ auto_fulfill: false, customer_id: 'grace', merchant_order_reference_id: 'NL-204397' })
    const { payout_id: refused } = await shop.payOut({ to: recipients.card(ends.declines), currency: 'USD' })
    equal((await shop.post('/customers', { customer_id: 'ada', name: 'Ada Byron', email: 'ada@example.com' })).status, 200)
    await shop.pay({ currency: 'EUR', amount: 24_900, customer_id: 'ada' })
    const found = await visit(shop.url, '/dashboard/payouts', viewport, { colorScheme })
    const { page, problems } = found
    await signIn(found, shop)
    for (const [path, heading] of [
      ['/payouts', 'Payouts'],
      [`/payouts/${payout_id}`, '99.00 EUR'],
      [`/payouts/${refused}`, '99.00 USD'],
      ['/customers', 'Customers'],
      ['/customers/ada', 'Ada Byron'],
      ['/ledger', 'Ledger'],
    ] as const) {
      await page.evaluate(`history.pushState({}, '', '/dashboard${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
      await page.waitForLoadState('networkidle')
      deepEqual(await barriers(page), [], path)
      await isNotWider(page, viewport.width)
    }
    deepEqual(problems, [])
  })

test('a section that cannot be loaded shows an error in its place and can be retried; a missing object shows that it does not exist', async () => {
  const shop = await openPayoutShop()
  const { payout_id } = await shop.payOut()
  const { page, problems } = await signedIn(shop, `/payouts/${payout_id}`)
  await page.getByRole('table', { name: 'Operations' }).waitFor()
  const broken = { status: 500, json: { error: { code: 'HE_00', message: 'Something went wrong' } } }
  await page.route('**/operations', route => route.fulfill(broken))
  await page.reload()
  await page.getByRole('alert').getByText('Operations could not be read.').waitFor()
  await page.getByRole('heading', { name: '99.00 EUR' }).waitFor()
  await page.unroute('**/operations')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('table', { name: 'Operations' }).waitFor()
  await page.route('**/ledger/**', route => route.fulfill(broken))
  await page.goto(`${shop.url}/dashboard/ledger`)
  await page.getByRole('alert').getByText('Balances could not be read.').waitFor()
  await page.getByRole('alert').getByText('Entries could not be read.').waitFor()
  deepEqual(await barriers(page), [])
  for (const [path, message] of [
    ['/payouts/pyt_none', 'No such payout here. It may be of another merchant.'],
    ['/customers/nobody', 'No such customer here. It may be of another merchant.'],
  ] as const) {
    await page.goto(`${shop.url}/dashboard${path}`)
    await page.getByRole('alert').getByText(message).waitFor()
  }
  ok(
    problems.every(one => /500|404/.test(one)),
    String(problems),
  )
})

test('a processor exchange of a payout opens in place, without secrets and account numbers', async () => {
  const shop = await openPayoutShop()
  const { payout_id } = await shop.payOut({ to: recipients.bank(ends.declines) })
  await shop.service.tick()
  const { page, problems } = await signedIn(shop, `/payouts/${payout_id}`)
  const opener = page
    .getByRole('table', { name: 'Operations' })
    .getByRole('button', { name: /exchange/ })
    .first()
  await opener.click()
  const exchange = page.getByRole('region', { name: /^Exchange with the processor/ })
  await exchange.getByText('They answered').first().waitFor()
  const text = await exchange.innerText()
  match(text, /authorization: \[redacted\]/)
  ok(!text.includes(recipients.bank(ends.declines).bank.iban), text)
  await see(page, 'payout-exchange')
  deepEqual(await barriers(page), [])
  await opener.click()
  await exchange.waitFor({ state: 'hidden' })
  deepEqual(problems, [])
})
