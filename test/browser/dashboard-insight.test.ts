import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { dispute } from '../disputes.ts'
import { join } from '../people.ts'
import { openReceiver } from '../receiver.ts'
import { secondAccount } from '../retried.ts'
import { type Body, cards, openShop, type Shop } from '../shop.ts'
import { builtFirst, ownerOf, signedIn, signIn, wide } from './dashboard.ts'
import { barriers, isNotWider, see } from './look.ts'
import { phone, visit } from './visit.ts'

// Activity in the dashboard: analytics, events, requests, changes and jobs; and lists that update live.

builtFirst()

const counted = async (shop: Pick<Shop, 'service'>) => {
  while ((await shop.service.tick()) > 0);
}
const rowsOf = async (page: Page, table: string): Promise<string[]> =>
  (await page.getByRole('table', { name: table }).getByRole('row').allInnerTexts()).map(row => row.replace(/\s+/g, ' ').trim())
const goTo = (page: Page, path: string) =>
  page.evaluate(`history.pushState({}, '', '/dashboard${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
/** Puts the tab in front of the others, or behind them. */
const look = (page: Page, visibility: 'visible' | 'hidden') =>
  page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${visibility}' }); document.dispatchEvent(new Event('visibilitychange'))`,
  )
/** Waits for the answer of the event stream; to be called before the action that opens the stream. */
const streamOf = (page: Page) => page.waitForResponse('**/events/stream')

/** The number of decided payments below which no rate is shown. */
const LEAST_FOR_RATE = 30

test('a rate of few payments is shown as unknown, otherwise as the API reports it; amounts of currencies are not mixed', async () => {
  const shop = await openShop()
  await shop.pay({ currency: 'EUR', amount: 12_345 })
  await shop.pay({ currency: 'KWD', amount: 18_250 })
  await shop.pay({ currency: 'EUR', amount: 900, card: cards.hasNoMoney })
  await counted(shop)
  const { page, problems } = await signedIn(shop, '/analytics')
  await page.getByRole('region', { name: 'In all' }).getByText('unknown').waitFor()
  await page.getByText('no rate follows from fewer than 30').waitFor()
  await page.getByRole('link', { name: 'Captured' }).click()
  const apart = page.getByRole('region', { name: 'By currency' })
  await apart.getByRole('button').first().waitFor()
  deepEqual(
    (await apart.getByRole('button').allInnerTexts()).map(one => one.split('\n')[0]),
    ['18.250 KWD', '123.45 EUR'],
  )
  await apart.getByRole('button', { name: '123.45 EUR' }).click()
  await page.getByRole('heading', { name: 'Captured in EUR per day' }).waitFor()
  match(page.url(), /metric=captured&currency=EUR/)
  await page.getByRole('button', { name: 'Show as table' }).click()
  const overTime = await rowsOf(page, 'Captured in EUR over time')
  ok(overTime.at(-1)!.includes('123.45'), overTime.join('\n'))
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV: Captured in EUR per day' }).click()
  const file = readFileSync(await (await saved).path(), 'utf8')
    .trim()
    .split('\r\n')
  deepEqual([file[0], file.at(-1)!.split(',')[1]], ['Day (UTC),Captured in EUR,The period before in EUR', '123.45'])
  await page.getByRole('link', { name: 'Attempts declined' }).click()
  await page.getByRole('link', { name: 'insufficient_funds' }).waitFor()
  deepEqual(await barriers(page), [])
  await page.reload()
  await page.getByRole('link', { name: 'insufficient_funds' }).click()
  await page.getByRole('link', { name: '9.00 EUR' }).waitFor()
  equal(await page.getByRole('row').count(), 2, 'a group leads to its payments, and to no others')
  for (let i = 3; i < LEAST_FOR_RATE; i++) await shop.pay({ currency: 'EUR', amount: 1000 })
  await counted(shop)
  const body = { time_range: { start_time: '2020-01-01T00:00:00Z', end_time: '2040-01-01T00:00:00Z' }, metrics: ['rate'] }
  const { rate } = (await shop.post('/analytics/breakdown', body)).body.data[0]
  await page.goto(`${shop.url}/dashboard/analytics?metric=rate`)
  await page
    .getByRole('region', { name: 'In all' })
    .getByText(`${(rate * 100).toFixed(1)} %`)
    .waitFor()
  equal((await rowsOf(page, 'Payments authorized by currency')).length, 3)
  await page.getByRole('link', { name: 'Attempts authorized' }).click()
  await page.getByRole('table', { name: 'Attempts authorized by account' }).getByText('%').first().waitFor()
  equal((await rowsOf(page, 'Attempts authorized by account')).length, 2)
  deepEqual(problems, [])
})

test('Home and Analytics compare accounts by their attempts: the account that declines most is shown as the worst', async () => {
  const shop = await openShop()
  await secondAccount(shop)
  await shop.profile({ is_auto_retries_enabled: true })
  await shop.processor.fault('authorize', 'decline', { times: 24 })
  for (let i = 0; i < 36; i++) await shop.pay({ currency: 'EUR', amount: 1000 })
  await counted(shop)
  // The truth is counted from the attempts themselves.
  const { data } = (await shop.call('GET', '/payments/list?expand_attempts=true&limit=100')).body
  const stops = data.flatMap((payment: Body) => payment.route)
  const rateOf = (account: string): string => {
    const its = stops.filter((stop: Body) => stop.merchant_connector_id === account)
    return `${((its.filter((stop: Body) => stop.state === 'done').length / its.length) * 100).toFixed(1)} %`
  }
  const worst = rateOf(shop.merchant_connector_id)
  equal(worst, '33.3 %')
  const { page, problems } = await signedIn(shop, '/')
  await page.getByText('36 of 36 decided payments').waitFor()
  const rows = await rowsOf(page, 'By processor account')
  ok(
    rows.some(row => row.includes(` 36 ${worst} `)),
    rows.join('\n'),
  )
  await see(page, 'home-attempts')
  deepEqual(await barriers(page), [])
  await page.goto(`${shop.url}/dashboard/analytics`)
  await page.getByRole('table', { name: 'Attempts authorized by account' }).getByText(worst).waitFor()
  const health = (await shop.call('GET', `/account/${shop.merchant_id}/connectors/health`)).body.data
  const same = health.find((one: Body) => one.merchant_connector_id === shop.merchant_connector_id)
  equal(`${same.success_rate.toFixed(1)} %`, worst, 'the page of connectors shows the same number')
  await see(page, 'analytics-attempts')
  await page.getByRole('link', { name: 'Payments authorized' }).click()
  await page.getByRole('region', { name: 'In all' }).getByText('100.0 %').waitFor()
  equal(await page.getByRole('button', { name: 'Account' }).count(), 0, 'payments are not compared by account')
  deepEqual(await barriers(page), [])
  await page.goto(`${shop.url}/dashboard/analytics`)
  const attempts = page.getByRole('table', { name: 'Attempts authorized by account' })
  await attempts.getByText(worst).waitFor()
  equal(await attempts.getByRole('link').count(), 0, 'the list of payments knows the account of the last attempt only')
  await page.goto(`${shop.url}/dashboard/analytics?metric=volume&by=merchant_connector_id`)
  const volume = page.getByRole('table', { name: 'Volume by account' })
  await volume.getByRole('link').last().waitFor()
  const [, counted_payments] = (await volume.getByRole('row').last().getByRole('cell').allInnerTexts()) as [string, string]
  await volume.getByRole('link').last().click()
  await page.getByRole('link', { name: '10.00 EUR' }).first().waitFor()
  equal(await page.getByRole('row').count(), Number(counted_payments) + 1)
  deepEqual(problems, [])
})

test('a filter that a link brings is shown as a chip, and tabs, counts and export are of the filtered payments', async () => {
  const shop = await openShop()
  await secondAccount(shop)
  for (let i = 0; i < 3; i++) await shop.pay({ currency: 'EUR', amount: 1100 })
  await shop.tryToPay({ currency: 'EUR', amount: 900, card: cards.declines })
  await shop.create({ payment_link: true, payment_method: undefined, payment_method_data: undefined })
  const { page, problems } = await signedIn(shop, `/payments?merchant_connector_id=${shop.merchant_connector_id}&days=7`)
  const tabs = page.getByRole('navigation', { name: 'By status' })
  await tabs.getByRole('link', { name: /^All\s*4$/ }).waitFor()
  await tabs.getByRole('link', { name: /^succeeded\s*3$/ }).waitFor()
  await page.getByRole('region', { name: 'Filters' }).getByRole('button', { name: 'Account phonypay_default' }).waitFor()
  await page.getByRole('link', { name: 'Export 4 CSV' }).waitFor()
  for (const [query, label, count] of [
    ['error_code=card_declined', 'Code of the decline card_declined', 1],
    ['unified_code=UE_1000', 'Reason of the decline UE_1000', 1],
    ['payment_link=true', 'With a payment link true', 1],
    ['capture_before.lte=2099-01-01T00:00:00.000Z', 'Capture before 2099-01-01T00:00:00.000Z', 0],
  ] as const) {
    await goTo(page, `/payments?${query}`)
    await page.getByRole('button', { name: label, exact: true }).waitFor()
    await tabs.getByRole('link', { name: new RegExp(`^All\\s*${count}$`) }).waitFor()
    await page.getByRole('link', { name: `Export ${count} CSV` }).waitFor()
    equal(await page.getByRole('table', { name: 'Payments' }).getByRole('row').count(), count === 0 ? 0 : 2)
    await see(page, `payments-filtered-${count}`)
  }
  deepEqual(await barriers(page), [])
  await page.getByRole('button', { name: 'Remove Capture before' }).click()
  await tabs.getByRole('link', { name: /^All\s*5$/ }).waitFor()
  deepEqual(problems, [])
})

test('what has happened is never shown in the future, also if the clock of the device is behind; what is due is', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const receiver = await openReceiver()
  receiver.answers({ status: 500 })
  const { body: endpoint } = await shop.post('/webhook_endpoints', { url: receiver.url })
  const { payment_id } = await shop.pay({ currency: 'EUR', amount: 1100 })
  await shop.refund(payment_id, 500)
  const { page, problems } = await signedIn(shop, '/payments')
  const future = /in a moment|\bin \d+ (min|h|d)\b/
  const paths = ['/payments', `/payments/${payment_id}`, '/refunds', '/developers/events', '/developers/keys', '/settings/audit']
  for (const behind of [0, 20_000, 600_000]) {
    await page.addInitScript(`{ const now = Date.now; Date.now = () => now() - ${behind} }`)
    for (const path of paths) {
      await page.goto(`${shop.url}/dashboard${path}`)
      await page.locator('time.ago').first().waitFor()
      deepEqual(
        (await page.locator('time.ago').allInnerTexts()).filter(text => future.test(text)),
        [],
        `${path}, ${behind} ms behind`,
      )
    }
  }
  await shop.wait('2 minutes')
  await page.goto(`${shop.url}/dashboard/developers/webhooks?endpoint_id=${endpoint.endpoint_id}`)
  await page.locator('time.ago').first().waitFor()
  ok(!/since in /.test(await page.locator('main').innerText()))
  await dispute(shop, payment_id)
  await page.goto(`${shop.url}/dashboard/disputes`)
  await page
    .getByRole('table', { name: 'Disputes' })
    .getByText(/in \d+ d/)
    .waitFor()
  deepEqual(problems, [])
})

test('analytics that cannot be loaded show an error in their place and can be retried; a refusal of the API is shown in its words', async () => {
  const shop = await openShop()
  const { page, problems } = await signedIn(shop, '/developers/logs')
  await page.route('**/analytics/*', route =>
    route.fulfill({ status: 500, json: { error: { code: 'HE_00', message: 'Something went wrong' } } }),
  )
  await page.getByRole('link', { name: 'Analytics' }).click()
  await page.getByRole('alert').getByText('Analytics could not be read.').waitFor()
  deepEqual(await barriers(page), [])
  await page.unroute('**/analytics/*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Nothing was counted in this period.').first().waitFor()
  await goTo(page, '/analytics?metric=latency&by=currency')
  await page
    .getByRole('alert')
    .getByText(/latency beside currency/)
    .waitFor()
  ok(
    problems.every(one => /500|422|400/.test(one)),
    String(problems),
  )
})

test('a list does not jump: new entries that match its filters are counted, and shown on request', async () => {
  const shop = await openShop()
  await shop.pay({ currency: 'EUR', amount: 1100 })
  const found = await visit(shop.url, '/dashboard/payments?currency=EUR', wide, { isLive: true })
  const { page, problems } = found
  const stream = streamOf(page)
  await signIn(found, shop)
  await page.getByRole('link', { name: '11.00 EUR' }).waitFor()
  await stream
  await shop.pay({ currency: 'KWD', amount: 18_250 })
  await shop.pay({ currency: 'EUR', amount: 2200 })
  const newer = page.getByRole('button', { name: '1 newer' })
  await newer.waitFor()
  equal(await page.getByRole('link', { name: '22.00 EUR' }).count(), 0)
  deepEqual(await barriers(page), [])
  await newer.click()
  await page.getByRole('link', { name: '22.00 EUR' }).waitFor()
  equal(await page.getByRole('link', { name: '18.250 KWD' }).count(), 0)
  match((await rowsOf(page, 'Payments'))[1]!, /^22\.00 EUR/)
  await newer.waitFor({ state: 'detached' })
  deepEqual(problems, [])
})

test('an uncertain refund becomes succeeded on the open page of its payment, without a reload', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ currency: 'EUR', amount: 24_900, card: cards.refundsLater })
  equal((await shop.refund(payment_id, 3000)).body.status, 'pending')
  const found = await visit(shop.url, `/dashboard/payments/${payment_id}`, wide, { isLive: true })
  const { page, problems } = found
  const stream = streamOf(page)
  await signIn(found, shop)
  const note = page.getByText('A refund of 30.00 EUR is not certain yet.')
  await note.waitFor()
  await stream
  let loads = 0
  page.on('framenavigated', () => void loads++)
  await shop.wait('2 minutes')
  await page.getByRole('table', { name: 'Refunds of this payment' }).getByText('succeeded').waitFor()
  await note.waitFor({ state: 'detached' })
  equal(loads, 0)
  deepEqual(problems, [])
})

test('a tab in the background receives no events and catches up when it is shown; its stream ends with the session', async () => {
  const shop = await openShop()
  await shop.pay({ currency: 'EUR', amount: 1100 })
  const found = await visit(shop.url, '/dashboard/payments', wide, { isLive: true })
  const { page } = found
  const first = streamOf(page)
  await signIn(found, shop)
  await page.getByRole('link', { name: '11.00 EUR' }).waitFor()
  equal((await first).request().headers()['last-event-id'], undefined)
  const paid = await shop.pay({ currency: 'EUR', amount: 2200 })
  await page.getByRole('button', { name: '1 newer' }).click()
  await page.getByRole('link', { name: '22.00 EUR' }).waitFor()
  await look(page, 'hidden')
  await shop.pay({ currency: 'EUR', amount: 3300 })
  const second = streamOf(page)
  await look(page, 'visible')
  const [event] = (await shop.post(`/events/${shop.merchant_id}`, { object_id: paid.payment_id })).body.events
  equal((await second).request().headers()['last-event-id'], event.event_id)
  await page.getByRole('button', { name: '1 newer' }).click()
  await page.getByRole('link', { name: '33.00 EUR' }).waitFor()
  await (await ownerOf(shop)).post('/user/sign_out', { all: true })
  await page.getByText('Your session is over.').waitFor()
})

test('a viewer, who may not see events, opens no event stream and is not offered these pages', async () => {
  const shop = await openShop()
  const viewer = await join(shop, await ownerOf(shop), 'viewer')
  const found = await visit(shop.url, '/dashboard/payments', wide, { isLive: true })
  const { page, problems } = found
  const asked: string[] = []
  page.on('request', request => void asked.push(new URL(request.url()).pathname))
  await signIn(found, shop, viewer)
  await page.getByRole('heading', { name: 'No payments yet.' }).waitFor()
  ok(!asked.includes('/events/stream'))
  for (const name of ['Events', 'Request log', 'Audit log', 'Jobs'])
    equal(await page.getByRole('link', { name, exact: true }).count(), 0, name)
  equal(await page.getByRole('link', { name: 'Analytics' }).count(), 1)
  deepEqual(problems, [])
})

test('the list of events is live; an event’s page shows its payload and delivery attempts, and can resend it', async () => {
  const shop = await openShop()
  const receiver = await openReceiver()
  receiver.answers(() => ({ status: 503, body: 'Back soon' }))
  equal((await shop.post('/webhook_endpoints', { url: receiver.url })).status, 200)
  const { payment_id } = await shop.pay({ currency: 'EUR', amount: 1100 })
  await shop.pay({ currency: 'EUR', amount: 2200, card: cards.declines })
  await counted(shop)
  const found = await visit(shop.url, '/dashboard/developers/events', wide, { isLive: true })
  const { page, problems } = found
  const stream = streamOf(page)
  await signIn(found, shop)
  await page.getByRole('link', { name: 'payment_failed' }).waitFor()
  await stream
  await page.getByRole('button', { name: 'Type' }).click()
  await page.getByRole('checkbox', { name: 'payment_succeeded' }).check()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'payment_failed' }).waitFor({ state: 'detached' })
  match(page.url(), /\?event_types=payment_succeeded$/)
  await page.reload()
  await page.getByRole('link', { name: 'payment_succeeded' }).waitFor()
  await shop.pay({ currency: 'EUR', amount: 3300 })
  await page.getByRole('button', { name: '1 newer' }).waitFor()
  deepEqual(await barriers(page), [])
  await goTo(page, `/developers/events?object_id=${payment_id}`)
  await page.getByRole('button', { name: '1 newer' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'payment_succeeded' }).click()
  await page.getByRole('heading', { name: 'payment_succeeded' }).waitFor()
  await page.getByRole('region', { name: 'Payload' }).getByText(`"payment_id": "${payment_id}"`).waitFor()
  await page.getByText('answered 503').first().click()
  await page.getByText('Back soon').first().waitFor()
  deepEqual(await barriers(page), [])
  receiver.answers(() => ({ status: 200 }))
  await page.getByRole('button', { name: 'Send again…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send this event again?' })
  match(await dialog.getByTestId('consequence').innerText(), /^No money moves\. The same payload goes to 1 endpoint that has not had it/)
  await dialog.getByRole('button', { name: 'Send it now' }).click()
  await page.getByText('It has arrived: answered 200.').waitFor()
  await page.getByRole('table', { name: 'Deliveries of this event' }).getByText('delivered').waitFor()
  equal(new Set(receiver.received.filter(one => one.event.content.object.payment_id === payment_id).map(one => one.event.event_id)).size, 1)
  deepEqual(problems, [])
})

test('the request log counts new requests and follows them on request; a line links to what it wrote and to the event', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ currency: 'EUR', amount: 1100 })
  await shop.service.tick()
  const { page, problems } = await signedIn(shop, '/developers/logs?method=POST')
  const lines = page.getByRole('table', { name: 'Requests' }).getByRole('link')
  await lines.first().waitFor()
  const count = await lines.count()
  equal((await shop.tryToPay({ amount: -1 })).status, 400)
  await shop.wait('4 seconds')
  const newer = page.getByRole('button', { name: '1 newer' })
  await newer.waitFor()
  equal(await lines.count(), count)
  await newer.click()
  await page.getByRole('row', { name: /IR_06/ }).waitFor()
  await page.getByRole('button', { name: 'Follow' }).click()
  match(page.url(), /follow=true/)
  await shop.refund(payment_id, 500)
  await shop.wait('4 seconds')
  await page.getByRole('row', { name: /\/refunds/ }).waitFor()
  deepEqual(await barriers(page), [])
  await page
    .getByRole('row', { name: /\/refunds/ })
    .getByRole('link')
    .focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'POST /refunds' }).waitFor()
  await page.getByRole('table', { name: 'What it wrote' }).getByRole('link', { name: 'refund_succeeded' }).press('Enter')
  await page.getByRole('heading', { name: 'refund_succeeded' }).waitFor()
  await page.goBack()
  await page.goBack()
  await page.getByRole('row', { name: /\/refunds/ }).waitFor()
  match(page.url(), /method=POST/)
  deepEqual(problems, [])
})

test('the audit log shows who changed what, before and after; other roles than owner and admin see only their own actions', async () => {
  const shop = await openShop()
  const owner = await ownerOf(shop)
  const at = `/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`
  const account = { connector_type: 'payment_processor', status: 'active' }
  for (const connector_label of ['cards in euro', 'cards']) equal((await owner.post(at, { ...account, connector_label })).status, 200)
  const { page, problems } = await signedIn(shop, '/settings/audit?object_kind=connector_account&type=updated')
  const changes = page.getByRole('list', { name: 'Changes, the latest first' }).getByRole('listitem')
  await changes.filter({ hasText: owner.user.email }).first().locator('summary').press('Enter')
  ok((await rowsOf(page, 'What was changed')).includes('connector_label cards in euro cards'))
  deepEqual(await barriers(page), [])
  await page.getByRole('button', { name: 'Remove Change' }).click()
  await page.getByText('connector account created').waitFor()
  const developer = await join(shop, owner, 'developer')
  const asDeveloper = await visit(shop.url, '/dashboard/settings/audit?object_kind=connector_account', wide)
  await signIn(asDeveloper, shop, developer)
  await asDeveloper.page.getByText('Your role, developer, sees what you have changed yourself.').waitFor()
  await asDeveloper.page.getByRole('heading', { name: 'Nothing matches.' }).waitFor()
  deepEqual([...problems, ...asDeveloper.problems], [])
})

/** Makes an isolated job: one that was tried ten times and failed. */
const isolate = (shop: Pick<Shop, 'query' | 'merchant_id'>, job: string): Promise<Body[]> =>
  shop.query(
    `insert into jobs (merchant_id, kind, job, job_id, tries, deaths, reason, since, isolated_at)
      values ($1, 'letters.send_at', $2, $3, 10, 0, 'TypeError: it is broken', now(), now())`,
    [shop.merchant_id, job, `job_${job}`],
  )

test('the operator of the deployment sees failing jobs and can retry one; no other user is offered the page', async () => {
  const shop = await openShop()
  const owner = await ownerOf(shop)
  await shop.query('update users set operator = true where user_id = $1', [owner.user.user_id])
  await isolate(shop, 'gone')
  const { page, problems } = await signedIn(shop, '/settings/jobs?isolated=true')
  const row = page
    .getByRole('table', { name: 'Jobs that fail' })
    .getByRole('row')
    .filter({ hasText: shop.merchant_id.slice(-8) })
  await row.getByText('TypeError: it is broken').waitFor()
  deepEqual(await barriers(page), [])
  await row.getByRole('button').last().click()
  const dialog = page.getByRole('dialog', { name: 'Try this job again?' })
  match(await dialog.getByTestId('consequence').innerText(), /is tried at the next tick/)
  await dialog.getByRole('button', { name: 'Try it again' }).click()
  await page.getByRole('status').getByText('is tried again').waitFor()
  await row.waitFor({ state: 'detached' })
  deepEqual(await shop.query('select job from jobs where merchant_id = $1', [shop.merchant_id]), [])
  const admin = await join(shop, owner, 'admin')
  const asAdmin = await visit(shop.url, '/dashboard/settings/jobs', wide)
  await signIn(asAdmin, shop, admin)
  await asAdmin.page
    .getByRole('alert')
    .getByText(/requires the permission deployment/)
    .waitFor()
  equal(await asAdmin.page.getByRole('link', { name: 'Jobs' }).count(), 0)
  deepEqual(problems, [])
})

for (const [colorScheme, viewport] of [
  ['light', wide],
  ['dark', wide],
  ['light', phone],
] as const)
  test(`these pages pass axe (${colorScheme}, ${viewport.width} wide), with and without data, and are no wider than the screen`, async () => {
    const shop = await openShop()
    const { payment_id } = await shop.pay({ currency: 'EUR', amount: 12_345 })
    await shop.pay({ currency: 'KWD', amount: 18_250 })
    await counted(shop)
    const [event] = (await shop.post(`/events/${shop.merchant_id}`, { object_id: payment_id })).body.events
    const { page, problems } = await signedIn(shop, '/analytics', viewport, { colorScheme })
    for (const [path, heading] of [
      ['/analytics', 'Analytics'],
      ['/analytics?metric=captured&by=currency', 'Captured by currency'],
      ['/analytics?metric=latency&by=connector', 'Answer time by processor'],
      ['/analytics?metric=refunded', 'Analytics'],
      ['/developers/events', 'Events'],
      ['/developers/events?event_types=payout_failed', 'Nothing matches.'],
      [`/developers/events/${event.event_id}`, 'payment_succeeded'],
      ['/developers/logs', 'Request log'],
      ['/settings/audit', 'Audit log'],
      ['/settings/audit?object_kind=nothing', 'Nothing matches.'],
    ] as const) {
      await goTo(page, path)
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
      await page.waitForLoadState('networkidle')
      deepEqual(await barriers(page), [], path)
      await isNotWider(page, viewport.width)
    }
    deepEqual(problems, [])
  })

test('the navigation counts the open tasks of each page, and the figures of the home page update without a reload', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const owner = await ownerOf(shop)
  equal((await owner.post('/approvals/settings', { above: { USD: 10, EUR: 10 } })).status, 200)
  const found = await visit(shop.url, '/dashboard/', wide, { isLive: true })
  const { page, problems } = found
  const stream = streamOf(page)
  await signIn(found, shop)
  const pages = page.getByRole('navigation', { name: 'Pages of the dashboard' })
  const captured = page.getByRole('heading', { name: 'Captured', exact: true }).locator('..')
  await captured.getByText('0 payments').waitFor()
  equal(await pages.locator('.count').count(), 0)
  await stream
  const paid = await shop.pay({ currency: 'EUR', amount: 24_900 })
  await counted(shop)
  await captured.getByText('249.00 EUR').waitFor()
  await dispute(shop, paid.payment_id)
  await pages.getByRole('link', { name: 'Disputes 1 needs an answer' }).waitFor()
  const other = await shop.pay({ currency: 'EUR', amount: 5000 })
  equal((await owner.post('/refunds', { payment_id: other.payment_id, amount: 5000 })).status, 202)
  const hung = await shop.tryToPay({ currency: 'EUR', amount: 700, card: cards.hangs })
  equal(hung.body.status, 'processing')
  await pages.getByRole('link', { name: 'Payments 1 not certain yet' }).waitFor()
  await pages.getByRole('link', { name: 'Approvals 1 waits' }).waitFor()
  await see(page, 'badges')
  deepEqual(await barriers(page), [])
  deepEqual(problems, [])
})
