import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join as pathOf } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { join, linkFor, PASSWORD, someEmail } from '../people.ts'
import { cards, http, openShop } from '../shop.ts'
import { builtFirst, openTradingShop, ownerOf, signedIn, signIn, wide } from './dashboard.ts'
import { barriers, isNotWider } from './look.ts'
import { phone, visit } from './visit.ts'

// Every test ends with a check of the problems that the browser logged: no error, no violation of the page's policy,
// no request to any server but this service.

builtFirst()

const assets = pathOf(import.meta.dirname, '../../packages/dashboard/dist/assets')

test('a signed-in user sees the payments of their merchant, and no script of the page can read the session', async () => {
  const { shop, paid } = await openTradingShop()
  const { page, problems } = await visit(shop.url, '/dashboard/payments', wide)
  await signIn({ page, problems, went: [] }, shop)
  await page.getByRole('link', { name: '249.00 EUR' }).waitFor()
  await page.getByRole('link', { name: '18.250 KWD' }).waitFor()
  await page.getByRole('link', { name: '1,890,000 JPY' }).waitFor()
  equal(await page.title(), 'Payments · Switchyard')
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')
  ok(!/snd_|swsess|session/.test(String(kept)), String(kept))
  await page.getByRole('link', { name: '249.00 EUR' }).click()
  await page.getByRole('heading', { name: '249.00 EUR' }).waitFor()
  ok(page.url().endsWith(`/dashboard/payments/${paid}`), page.url())
  equal(await page.title(), '249.00 EUR, succeeded · Switchyard')
  ok(!(await page.content()).includes(cards.approves))
  deepEqual(problems, [])
})

test('the first-start link creates the owner and signs them in; signing out ends the session at the service', async () => {
  const shop = await openShop()
  const { url } = await linkFor(shop, { merchant_id: shop.merchant_id })
  const { page, problems } = await visit(shop.url, new URL(url).pathname + new URL(url).search, wide)
  await page.getByRole('heading', { name: 'The first owner' }).waitFor()
  ok(!page.url().includes('token'), 'the token stands in the address no more')
  await page.getByLabel('E-mail').fill(someEmail('owner'))
  await page.getByLabel('Name').fill('Olga Owner')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Begin' }).click()
  await page.getByRole('heading', { name: 'Home', exact: true }).waitFor()
  await page.getByText('owner', { exact: true }).waitFor()
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'switchyard_session')
  equal(cookie!.httpOnly, true)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  equal((await http('GET', `${shop.url}/user`, undefined, { cookie: `switchyard_session=${cookie!.value}` })).status, 401)
  deepEqual(problems, [])
})

test('a wrong password is shown at its field; a session that ended elsewhere asks to sign in at the same address', async () => {
  const { shop, paid } = await openTradingShop()
  const found = await visit(shop.url, `/dashboard/payments/${paid}`, wide)
  const { page, problems } = found
  const owner = await ownerOf(shop)
  await page.getByLabel('E-mail').fill(owner.user.email)
  await page.getByLabel('Password', { exact: true }).fill('wrong wrong wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  await signIn(found, shop)
  await page.getByRole('heading', { name: '249.00 EUR' }).waitFor()
  await owner.post('/user/sign_out', { all: true })
  // The page may notice by itself before the click that the session is over: then the link is gone.
  const refunds = page.getByRole('link', { name: 'Refunds' })
  await refunds.click({ timeout: 5000 }).catch(() => refunds.waitFor({ state: 'detached' }))
  await page.getByText('Your session is over.').waitFor()
  ok(
    problems.every(one => one.includes('401')),
    String(problems),
  )
})

test('a viewer sees everything and is offered no action that would be refused', async () => {
  const { shop, paid } = await openTradingShop()
  const viewer = await join(shop, await ownerOf(shop), 'viewer')
  const found = await visit(shop.url, `/dashboard/payments/${paid}`, wide)
  await signIn(found, shop, viewer)
  await found.page.getByRole('heading', { name: '249.00 EUR' }).waitFor()
  await found.page.getByText('Your role, viewer, does not move money.').waitFor()
  equal(await found.page.getByRole('button', { name: 'Refund…' }).count(), 0)
})

test('objects of another merchant are shown as not existing', async () => {
  const { paid } = await openTradingShop()
  const other = await openShop()
  const { page, problems } = await signedIn(other, `/payments/${paid}`)
  await page.getByRole('alert').getByText('No such payment here. It may be of another merchant.').waitFor()
  ok(
    problems.every(one => one.includes('404')),
    String(problems),
  )
})

test('an empty list explains how to create the first payment; a list that cannot be loaded shows an error and can be retried', async () => {
  const shop = await openShop()
  const { page, problems } = await signedIn(shop)
  await page.getByRole('heading', { name: 'No payments yet.' }).waitFor()
  await page.getByText(`curl ${shop.url}/payments`).waitFor()
  deepEqual(await barriers(page), [])
  await page.route('**/refunds/list*', route =>
    route.fulfill({ status: 500, json: { error: { code: 'HE_00', message: 'Something went wrong' } } }),
  )
  await page.getByRole('link', { name: 'Refunds' }).click()
  await page.getByRole('alert').getByText('Refunds could not be read.').waitFor()
  await page.getByText('Something went wrong (HE_00, 500)').waitFor()
  deepEqual(await barriers(page), [])
  await page.unroute('**/refunds/list*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'No refunds yet.' }).waitFor()
  ok(
    problems.every(one => one.includes('500')),
    String(problems),
  )
})

test('filters are in the address under the names of the API, survive a reload, and are removed one by one', async () => {
  const { shop } = await openTradingShop()
  const { page, problems } = await signedIn(shop)
  await page.getByRole('link', { name: '249.00 EUR' }).waitFor()
  await page.getByRole('button', { name: 'Currency' }).click()
  await page.getByRole('textbox', { name: 'Find in Currency' }).fill('kwd')
  await page.getByRole('checkbox', { name: 'KWD' }).check()
  await page.getByRole('textbox', { name: 'Find in Currency' }).fill('jpy')
  await page.getByRole('checkbox', { name: 'JPY' }).check()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: '249.00 EUR' }).waitFor({ state: 'detached' })
  match(page.url(), /\?currency=KWD,JPY$/)
  await page.getByRole('link', { name: /^failed/ }).click()
  await page.getByRole('link', { name: '18.250 KWD' }).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('link', { name: '1,890,000 JPY' }).waitFor()
  equal(await page.getByRole('row').count(), 2)
  await page.getByRole('button', { name: 'Remove Currency' }).click()
  await page.getByRole('button', { name: 'Remove Status' }).click()
  await page.getByRole('link', { name: '249.00 EUR' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: '249.00 EUR' }).waitFor({ state: 'detached' })
  deepEqual(problems, [])
})

test('half of a payment is refunded: the dialog states the effect, and it happens once', async () => {
  const { shop, paid } = await openTradingShop()
  const { page, problems } = await signedIn(shop, `/payments/${paid}`)
  await page.getByRole('button', { name: 'Refund…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Refund this payment?' })
  const amount = dialog.getByLabel('Amount in EUR')
  equal(await amount.inputValue(), '249.00')
  await amount.fill('300')
  await dialog.getByText('More than the 249.00 EUR that is left').waitFor()
  equal(await dialog.getByRole('button', { name: 'Refund' }).isDisabled(), true)
  await amount.fill('1.005')
  await dialog.getByText('Not an amount in EUR').waitFor()
  await amount.fill('124.50')
  const consequence = await dialog.getByTestId('consequence').innerText()
  match(
    consequence,
    /^124\.50 EUR will leave your balance at .+ and return to Visa •••• 4242\. 124\.50 EUR stays with you\. A refund cannot be called off\.$/,
  )
  deepEqual(await barriers(page), [])
  const asked = page.waitForRequest('**/refunds')
  await dialog.getByRole('button', { name: 'Refund 124.50 EUR' }).click()
  match((await asked).headers()['idempotency-key']!, /^[0-9a-f]{32}$/)
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('Ledger: 2 entries, balanced').or(page.getByText('Ledger: 1 entry, balanced')).waitFor()
  await page.getByRole('table', { name: 'Refunds of this payment' }).getByText('succeeded').waitFor()
  const { refunds } = await shop.get(paid)
  deepEqual(
    refunds.map((one: { amount: number; status: string }) => [one.amount, one.status]),
    [[12_450, 'succeeded']],
  )
  deepEqual(
    (await shop.processor.charges()).filter(charge => charge.refunded > 0).map(charge => charge.refunded),
    [12_450],
  )
  await page.getByRole('table', { name: 'Refunds of this payment' }).getByRole('link', { name: '124.50 EUR' }).click()
  await page.getByRole('heading', { name: '124.50 EUR' }).waitFor()
  await page.getByText('has said that 124.50 EUR was refunded').waitFor()
  deepEqual(problems, [])
})

test('a refund whose response is lost is retried with the same key, and not made twice', async () => {
  const { shop, paid } = await openTradingShop()
  const { page } = await signedIn(shop, `/payments/${paid}`)
  const keys: string[] = []
  // The first request reaches the service, and the connection breaks before its answer arrives.
  await page.route('**/refunds', async route => {
    keys.push(route.request().headers()['idempotency-key']!)
    if (keys.length > 1) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Refund…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount in EUR').fill('20')
  await dialog.getByRole('button', { name: 'Refund 20.00 EUR' }).click()
  await dialog.getByText('The answer was lost, so it is not certain').waitFor()
  equal(await dialog.getByLabel('Amount in EUR').isDisabled(), true)
  await dialog.getByRole('button', { name: 'Look it up' }).click()
  await dialog.waitFor({ state: 'hidden' })
  equal(keys.length, 2)
  equal(keys[0], keys[1])
  equal((await shop.get(paid)).refunds.length, 1)
})

test('an authorization is captured in part, and the rest of another one is released; each dialog states the effect first', async () => {
  const { shop, held } = await openTradingShop()
  const { page, problems } = await signedIn(shop, `/payments/${held}`)
  await page.getByRole('button', { name: 'Capture…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Capture this payment?' })
  await dialog.getByLabel('Amount in KWD').fill('10.5')
  match(await dialog.getByTestId('consequence').innerText(), /^10\.500 KWD will be taken from Visa •••• 4242 and come to your balance/)
  await dialog.getByRole('button', { name: 'Leave it held' }).click()
  await dialog.waitFor({ state: 'hidden' })
  equal((await shop.get(held)).status, 'requires_capture', 'whoever leaves it has done nothing')
  await page.getByRole('button', { name: 'Cancel…' }).click()
  const cancel = page.getByRole('dialog', { name: 'Cancel this payment?' })
  match(await cancel.getByTestId('consequence').innerText(), /^18\.250 KWD will be released to Visa •••• 4242/)
  await cancel.getByRole('button', { name: 'Cancel 18.250 KWD' }).click()
  await cancel.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Cancel…' }).waitFor({ state: 'detached' })
  equal((await shop.get(held)).status, 'cancelled')
  deepEqual(problems, [])
})

test('the page of a failed payment shows the reason: the processor’s request and response', async () => {
  const { shop, refused } = await openTradingShop()
  const { page, problems } = await signedIn(shop, `/payments/${refused}`)
  const way = page.getByRole('table', { name: 'Accounts in their order' })
  await way.getByText('failure').waitFor()
  await page.getByRole('region', { name: 'Money', exact: true }).getByText('declined').first().waitFor()
  await page.getByRole('button', { name: /^Every change/ }).waitFor()
  deepEqual(problems, [])
})

test('an uncertain refund is shown as such, and its amount is not offered for another refund', async () => {
  const { shop } = await openTradingShop()
  const { payment_id } = await shop.pay({ currency: 'EUR', amount: 24_900, card: cards.refundsLater })
  equal((await shop.post('/refunds', { payment_id, amount: 3000 })).body.status, 'pending')
  const { page, problems } = await signedIn(shop, `/payments/${payment_id}`)
  await page.getByText('A refund of 30.00 EUR is not certain yet. Unknown is not failed.').waitFor()
  deepEqual(await barriers(page), [])
  await page.getByRole('button', { name: 'Refund…' }).click()
  equal(await page.getByLabel('Amount in EUR').inputValue(), '219.00')
  await page.getByText('30.00 EUR is not certain and stays reserved.').waitFor()
  await page.getByRole('button', { name: 'Keep the money' }).click()
  await page.getByRole('button', { name: 'Ask now' }).click()
  await page.getByRole('dialog').getByText('No money moves.').waitFor()
  await page.getByRole('button', { name: 'Poll the processor' }).last().click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  deepEqual(problems, [])
})

for (const [colorScheme, viewport] of [
  ['light', wide],
  ['dark', wide],
  ['light', phone],
  ['dark', phone],
] as const)
  test(`every page passes axe and is no wider than the screen (${colorScheme}, ${viewport.width} wide)`, async () => {
    const { shop, paid, held, refused } = await openTradingShop()
    const { refund_id } = (await shop.post('/refunds', { payment_id: paid, amount: 5000, reason: 'Order returned' })).body
    const found = await visit(shop.url, '/dashboard', viewport, { colorScheme })
    const { page, problems } = found
    await page.getByLabel('E-mail').waitFor()
    deepEqual(await barriers(page), [])
    await signIn(found, shop)
    for (const [path, heading] of [
      ['/payments', 'Payments'],
      [`/payments/${paid}`, '249.00 EUR'],
      [`/payments/${held}`, '18.250 KWD'],
      [`/payments/${refused}`, '1,890,000 JPY'],
      ['/refunds', 'Refunds'],
      [`/refunds/${refund_id}`, '50.00 EUR'],
      ['/', 'Home'],
      ['/disputes', 'Disputes'],
      ['/reconciliation', 'Reconciliation'],
      ['/connectors', 'Connectors'],
      [`/routing/try?payment_id=${paid}`, 'Test routing'],
      ['/developers/keys', 'API keys'],
      ['/developers/webhooks', 'Webhooks'],
      ['/developers/logs', 'Request log'],
      ['/settings/team', 'Team'],
    ] as const) {
      await page.evaluate(`history.pushState({}, '', '/dashboard${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
      await page.waitForLoadState('networkidle')
      deepEqual(await barriers(page), [], path)
      await isNotWider(page, viewport.width)
    }
    deepEqual(problems, [])
  })

test('the dashboard can be used by keyboard alone: from the list to a payment, to refunds, and through the palette', async () => {
  const { shop, paid } = await openTradingShop()
  const { page, problems } = await signedIn(shop)
  await page.getByRole('link', { name: '249.00 EUR' }).waitFor()
  await page.locator('body').press('j')
  for (const _ of [1, 2]) await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '249.00 EUR' }).waitFor()
  await page.keyboard.press('r')
  await page.getByRole('dialog', { name: 'Refund this payment?' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await page.getByRole('heading', { name: 'Refunds', exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').or(page.getByPlaceholder('An id, an e-mail address')).first().fill(paid)
  await page.getByText(`Payment ${paid}`).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '249.00 EUR' }).waitFor()
  deepEqual(problems, [])
})

test('the document is never cached and has a strict content security policy; files named by their content are cached for ever', async () => {
  const { url } = await openShop()
  const [first, second] = [await http('GET', `${url}/dashboard`), await http('GET', `${url}/dashboard/payments/pay_1`)]
  for (const { status, headers, text } of [first, second]) {
    equal(status, 200)
    equal(headers['cache-control'], 'no-store')
    const policy = String(headers['content-security-policy'])
    for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'", "form-action 'none'"])
      ok(policy.split('; ').includes(part), policy)
    ok(!/unsafe|https?:|\*/.test(policy), policy)
    const [, nonce] = /'nonce-([^']+)'/.exec(policy)!
    ok(text.includes(`nonce="${nonce}"`))
    ok(!/<script(?![^>]* src=)/.test(text), 'no script stands in the document')
  }
  notEqual(first.headers['content-security-policy'], second.headers['content-security-policy'])
  const [, script] = /<script[^>]* src="([^"]+)"/.exec(first.text)!
  const file = await http('GET', url + script!, undefined, { 'accept-encoding': 'gzip' })
  equal(file.status, 200)
  equal(file.headers['cache-control'], 'public, max-age=31536000, immutable')
  equal(file.headers['content-encoding'], 'gzip')
  equal((await http('GET', `${url}/dashboard/assets/..%2findex.html`)).status, 404)
  equal((await http('GET', `${url}/dashboard/assets/nothing.js`)).status, 404)
})

test('the first screen has at most 250 kB of JavaScript and 60 kB of styles, compressed', async () => {
  const shop = await openShop()
  const asked: string[] = []
  const found = await visit(shop.url, '/health', wide)
  found.page.on('request', request => void asked.push(new URL(request.url()).pathname))
  await found.page.goto(`${shop.url}/dashboard`)
  await signIn(found, shop)
  await found.page.getByText('Nothing was captured in this period.').waitFor()
  await found.page.waitForLoadState('networkidle')
  const sizeOf = (ending: string) =>
    asked
      .filter(path => path.endsWith(ending))
      .reduce((all, path) => all + gzipSync(readFileSync(pathOf(assets, path.split('/').at(-1)!)), { level: 9 }).length, 0)
  ok(sizeOf('.js') > 100_000 && sizeOf('.js') <= 250_000, String(sizeOf('.js')))
  ok(sizeOf('.css') <= 60_000, String(sizeOf('.css')))
  ok(!asked.some(path => /palette|actions|Modal/.test(path)), 'what is not wanted yet has not come')
  ok(readdirSync(assets).some(name => name.startsWith('palette')))
})
