import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../eventually.ts'
import { cards, openShop } from '../shop.ts'
import { builtFirst, openTradingShop, signedIn } from './dashboard.ts'
import { barriers, isNotWider, see } from './look.ts'
import { phone } from './visit.ts'

// Lists, and their keyboard shortcuts.

builtFirst()

const heads = (page: Page) => page.locator('thead th').allInnerTexts()
const focused = (page: Page) => page.evaluate('document.activeElement.innerText')
const copied = (page: Page) => page.evaluate('navigator.clipboard.readText()')
/** The rows of the trading shop, the latest first. */
const rows = ['1,890,000 JPY', '18.250 KWD', '249.00 EUR']
const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

test('a user’s choice and order of columns is kept in the browser and in the address', async () => {
  const { shop } = await openTradingShop()
  const { page, problems } = await signedIn(shop)
  await page.getByRole('link', { name: '249.00 EUR' }).waitFor()
  deepEqual(
    await heads(page),
    ['Amount', 'Status', 'Went to', 'Paid with', 'Customer', 'Order', 'Id', 'Created'],
    'the columns of packages/dashboard/src/pages/payments.tsx, in their order: a new one is added here, and below to those that are unchecked',
  )
  await page.getByRole('button', { name: 'Columns' }).click()
  for (const name of ['Went to', 'Customer', 'Id', 'Created']) await page.getByRole('checkbox', { name, exact: true }).uncheck()
  await page.getByRole('button', { name: 'Order further left' }).click()
  deepEqual(await barriers(page), [])
  await page.keyboard.press('Escape')
  deepEqual(await heads(page), ['Amount', 'Status', 'Order', 'Paid with'])
  match(page.url(), /columns=status,order,paid_with$/)
  await page.goto(`${shop.url}/dashboard/payments`)
  await page.getByRole('link', { name: '249.00 EUR' }).waitFor()
  deepEqual(await heads(page), ['Amount', 'Status', 'Order', 'Paid with'], 'kept in this browser')
  await page.goto(`${shop.url}/dashboard/payments?columns=created&currency=EUR`)
  await page.getByRole('link', { name: '249.00 EUR' }).waitFor()
  deepEqual(await heads(page), ['Amount', 'Created'], 'what a colleague sends comes first')
  equal(await page.getByRole('row').count(), 2, 'with the filters')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('button', { name: 'As at first' }).click()
  await page.keyboard.press('Escape')
  equal((await heads(page)).length, 8, 'the columns of a list that nobody has changed: a new one that is shown at first is counted here')
  deepEqual(problems, [])
})

test('a list can be navigated, selected, previewed and copied from by keyboard alone', async () => {
  const { shop, held, refused } = await openTradingShop()
  const { page, problems } = await signedIn(shop)
  await page.getByRole('link', { name: '249.00 EUR' }).waitFor()
  await press(page, 'j')
  equal(await focused(page), rows[0])
  await press(page, 'j', 'j', 'k')
  equal(await focused(page), rows[1])
  await press(page, 'c')
  await page.getByText(`Copied ${held}`).waitFor()
  equal(await copied(page), held)
  await press(page, 'Shift+C')
  await page.getByText('Copied the curl that reads it').waitFor()
  equal(await copied(page), `curl ${shop.url}/payments/${held} -H "api-key: $KEY"`)
  await press(page, 'k', 'x', 'j', 'j', 'Shift+X')
  await page.getByText('3 marked').waitFor()
  await page.getByRole('button', { name: 'Copy their ids' }).click()
  await page.getByText('Copied 3 ids').waitFor()
  equal(String(await copied(page)).split('\n')[0], refused)
  await page.getByRole('button', { name: 'Mark none' }).click()
  await page.getByRole('link', { name: rows[0]! }).focus()
  await press(page, 'Space')
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await preview.getByText('failed').waitFor()
  deepEqual(await barriers(page), [])
  await press(page, 'j')
  await preview.getByText('requires_capture').waitFor()
  await press(page, 'Escape')
  await preview.waitFor({ state: 'hidden' })
  const height = () => page.evaluate('document.querySelector("tbody tr").clientHeight')
  const usual = Number(await height())
  await press(page, '[')
  ok(Number(await height()) < usual, 'lower')
  await press(page, ']', ']')
  ok(Number(await height()) > usual, 'higher')
  const [opened] = await Promise.all([page.context().waitForEvent('page'), press(page, 'o')])
  await opened.waitForURL(`**/payments/${held}`)
  deepEqual(problems, [])
})

test('the key t focuses the period, and f the first filter that is not set', async () => {
  const { shop } = await openTradingShop()
  const { page, problems } = await signedIn(shop, '/payments?status=succeeded')
  await page.getByRole('link', { name: '249.00 EUR' }).waitFor()
  await press(page, 't')
  await page.waitForFunction("document.activeElement.innerText.trim() === 'Created'")
  await press(page, 'Enter')
  await page.getByRole('button', { name: 'last 7 days' }).click()
  await page.waitForURL('**/payments?status=succeeded&days=7')
  await page.getByRole('button', { name: 'Created last 7 days' }).waitFor()
  await page.locator('h1').click()
  // The menu of the period returns the focus after it has closed.
  await eventually(async () => {
    await press(page, 'f')
    return String(await focused(page)).trim() === 'Processor'
  }, 'the first filter that is not set has the focus')
  deepEqual(problems, [])
})

test('one key opens the next or previous entry, and Back restores the list with its filters, position and row', async () => {
  const { shop, paid, held } = await openTradingShop()
  const { page, problems } = await signedIn(shop, '/payments?currency=EUR,KWD')
  await page.getByRole('link', { name: '249.00 EUR' }).waitFor()
  await press(page, 'j', 'Enter')
  await page.getByRole('heading', { name: '18.250 KWD' }).waitFor()
  await page.getByText('1 of 2 here').waitFor()
  await press(page, 'j')
  await page.getByRole('heading', { name: '249.00 EUR' }).waitFor()
  ok(page.url().endsWith(paid))
  await press(page, 'j')
  ok(page.url().endsWith(paid), 'the last one stays')
  await press(page, 'c')
  equal(await copied(page), paid)
  await press(page, 'k')
  await page.getByRole('heading', { name: '18.250 KWD' }).waitFor()
  ok(page.url().endsWith(held))
  await press(page, 'j')
  await page.getByRole('heading', { name: '249.00 EUR' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: '18.250 KWD' }).waitFor()
  match(page.url(), /\?currency=EUR,KWD$/)
  await page.waitForFunction('document.activeElement.innerText === "249.00 EUR"')
  await press(page, 'Enter')
  await page.getByRole('heading', { name: '249.00 EUR' }).waitFor()
  await page.getByRole('navigation', { name: 'Where this stands' }).getByRole('link', { name: 'Payments' }).click()
  await page.getByRole('link', { name: '18.250 KWD' }).waitFor()
  match(page.url(), /\?currency=EUR,KWD$/, 'the way up has the filters too')
  deepEqual(problems, [])
})

test('the key ? shows all keyboard shortcuts, and single-letter shortcuts can be switched off', async () => {
  const { shop, paid } = await openTradingShop()
  const { page, problems } = await signedIn(shop, `/payments/${paid}`)
  await page.getByRole('heading', { name: '249.00 EUR' }).waitFor()
  await press(page, '?')
  const dialog = page.getByRole('dialog', { name: 'All keys' })
  await dialog.getByText('Test its routing').waitFor()
  await dialog.getByText('Preview the row').waitFor()
  deepEqual(await barriers(page), [])
  await dialog.getByRole('switch').uncheck()
  await press(page, 'Escape')
  await dialog.waitFor({ state: 'hidden' })
  await press(page, 'r', 'g', 'h', '?')
  equal(await page.getByRole('dialog').count(), 0)
  ok(page.url().endsWith(paid))
  await page.getByRole('button', { name: 'All keys' }).click()
  await dialog.getByRole('switch').check()
  await press(page, 'Escape')
  await dialog.waitFor({ state: 'hidden' })
  await press(page, 'Shift+A')
  await page.getByRole('heading', { name: 'Test routing' }).waitFor()
  deepEqual(problems, [])
})

test('the command palette lists the actions for the current page first, then everything else', async () => {
  const { shop, paid } = await openTradingShop()
  const { page, problems } = await signedIn(shop, `/payments/${paid}`)
  await page.getByRole('button', { name: 'Refund…' }).waitFor()
  await press(page, 'Control+k')
  const first = page.locator('[data-action]').first()
  await first.waitFor()
  match(await first.innerText(), /^Refund…\s+Payment of 249\.00 EUR/)
  deepEqual(await barriers(page), [])
  await press(page, 'Enter')
  await page.getByRole('dialog', { name: 'Refund this payment?' }).waitFor()
  deepEqual(problems, [])
})

test('if only the period hides entries, the list says how many there are', async () => {
  const { shop } = await openTradingShop()
  const { page, problems } = await signedIn(shop, '/payments?days=7&status=expired')
  await page.getByRole('heading', { name: 'Nothing matches.' }).waitFor()
  equal(await page.getByText('in the last 90 days').count(), 0, 'there is none of these')
  // The payments of this test are from today: the list of a short period is answered as if they were older.
  await page.route('**/payments/list?*start_time=*', route => route.fulfill({ json: { data: [], size: 0 } }))
  await page.getByRole('link', { name: /^failed/ }).click()
  await page.getByText('There are 1 in the last 90 days.').waitFor()
  deepEqual(await barriers(page), [])
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: '249.00 EUR' }).waitFor()
  deepEqual(problems, [])
})

test('while new filters load, the former rows stay, dimmed; a slow page shows placeholders', async () => {
  const { shop } = await openTradingShop()
  const { page, problems } = await signedIn(shop)
  await page.getByRole('link', { name: '249.00 EUR' }).waitFor()
  let answerNow = () => {}
  const held = new Promise<void>(done => {
    answerNow = done
  })
  await page.route('**/payments/list?*', async route => {
    await held
    await route.continue()
  })
  await page.getByRole('link', { name: /^failed/ }).click()
  await page.locator('.tw.stale[aria-busy=true]').waitFor()
  equal(await page.evaluate("getComputedStyle(document.querySelector('tbody')).opacity"), '0.6')
  equal(await page.getByRole('link', { name: '249.00 EUR' }).count(), 1)
  await page.goto(`${shop.url}/dashboard/payments`)
  await page.locator('.bone').first().waitFor()
  const before = await page.locator('tbody tr').first().boundingBox()
  answerNow()
  await page.getByRole('link', { name: '249.00 EUR' }).waitFor()
  const after = await page.locator('tbody tr').first().boundingBox()
  deepEqual([after!.y, after!.height], [before!.y, before!.height], 'nothing moves')
  deepEqual(problems, [])
})

test('a request that is refused because another one is in progress is retried with the same key, and the user is told', async () => {
  const { shop, paid } = await openTradingShop()
  const { page } = await signedIn(shop, `/payments/${paid}`)
  const keys: (string | undefined)[] = []
  await page.route('**/refunds', async route => {
    keys.push(route.request().headers()['idempotency-key'])
    const busy = { status: 409, headers: { 'retry-after': '1' }, json: { error: { code: 'HE_00', message: 'At it already' } } }
    await (keys.length === 1 ? route.fulfill(busy) : route.continue())
  })
  await page.getByRole('button', { name: 'Refund…' }).click()
  await page.getByRole('dialog').getByLabel('Amount in EUR').fill('20')
  await page.getByRole('button', { name: 'Refund 20.00 EUR' }).click()
  await page.getByText('This one is sent again by itself').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  equal(keys.length, 2)
  equal(keys[0], keys[1])
  equal((await shop.get(paid)).refunds.length, 1)
})

test('in test mode the empty list offers to create sample payments', async () => {
  const shop = await openShop()
  const { page, problems } = await signedIn(shop)
  await page.getByRole('heading', { name: 'No payments yet.' }).waitFor()
  await page.route('**/sample_data', route => route.continue({ postData: JSON.stringify({ payments: 5, days: 1 }) }))
  await page.getByRole('button', { name: 'Make sample data' }).click()
  await page.getByText(/of 5 made$/).waitFor()
  for (let looks = 0; looks < 60 && (await page.locator('a.row-link').count()) === 0; looks++) await shop.wait('1 second')
  await page.locator('a.row-link').first().waitFor()
  deepEqual(problems, [])
})

test('a processor exchange opens in place, without secrets, with the reason of the failure in words', async () => {
  const { shop, refused } = await openTradingShop()
  await shop.service.tick()
  const { page, problems } = await signedIn(shop, `/payments/${refused}`)
  const why = page.getByRole('region', { name: 'Why it failed' })
  await why.getByText(/declined it: ./).waitFor()
  const opener = page.getByRole('button', { name: 'exchange', exact: true })
  await opener.click()
  const exchange = page.getByRole('region', { name: /^Exchange with the processor/ })
  await exchange.getByText('They answered').waitFor()
  const text = await exchange.innerText()
  match(text, /authorization: \[redacted\]/)
  ok(!text.includes(cards.declines), text)
  deepEqual(await barriers(page), [])
  await opener.click()
  await exchange.waitFor({ state: 'hidden' })
  deepEqual(problems, [])
})

test('on a phone each row of a list has two lines and is one link, and nothing scrolls sideways', async () => {
  const { shop, paid } = await openTradingShop()
  equal((await shop.refund(paid, 4900)).status, 200)
  equal((await shop.post('/customers', { customer_id: 'ada', name: 'Ada Byron', email: 'ada@example.com' })).status, 200)
  await shop.service.tick()
  const { page, problems } = await signedIn(shop, '/payments', phone)
  const lists = {
    Payments: '/payments',
    Refunds: '/refunds',
    Customers: '/customers',
    Events: '/developers/events',
    Requests: '/developers/logs',
  }
  for (const [name, path] of Object.entries(lists)) {
    await page.evaluate(`history.pushState({}, '', '/dashboard${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
    const row = page.getByRole('table', { name }).getByRole('row').nth(1)
    await row.getByRole('link').first().waitFor()
    const { height, width } = (await row.boundingBox())!
    ok(height >= 44 && height <= 84, `${name}: rows are ${height} px high`)
    ok(width <= 390)
    equal(await page.evaluate("document.querySelector('.list .tw').scrollWidth - document.querySelector('.list .tw').clientWidth"), 0, name)
    await isNotWider(page, phone.width)
    await see(page, `list-${name}`)
    deepEqual(await barriers(page), [], name)
  }
  await page.evaluate(`history.pushState({}, '', '/dashboard/payments'); dispatchEvent(new PopStateEvent('popstate'))`)
  const row = page.getByRole('row', { name: /249\.00 EUR/ })
  await row.waitFor()
  equal((await page.getByRole('columnheader').count()) > 3, true, 'readers still hear a table')
  const { x, y, width, height } = (await row.boundingBox())!
  await page.mouse.click(x + width / 2, y + height - 4)
  await page.getByRole('heading', { name: '249.00 EUR' }).waitFor()
  deepEqual(problems, [])
})
