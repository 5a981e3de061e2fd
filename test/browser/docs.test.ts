import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { EXAMPLE_REFUND } from '../../src/http/example-ids.ts'
import { openapi } from '../../tools/openapi/openapi.ts'
import { openShop } from '../shop.ts'
import { desktop, phone, visit } from './visit.ts'

// Every test ends with a check of the problems that the browser logged: no error, no violation of the page's policy,
// no request to any server but this service.

const operations = Object.values(openapi().paths).flatMap(methods => Object.values(methods))
/**
 * The longest operations of the reference, each of another chapter. Opening an operation renders the page again, which
 * takes a second or two: for all of them, minutes.
 */
const size = (operation: object): number => JSON.stringify(operation).length
const widest = [...Map.groupBy(operations, ({ tags }) => tags[0]!).values()]
  .map(all => all.toSorted((a, b) => size(b) - size(a))[0]!)
  .toSorted((a, b) => size(b) - size(a))
  .slice(0, 8)
const sections = ['Start', 'Keys', 'Sending again', 'Statuses', 'Errors', 'Test cards', 'Kept only', 'What is not here yet']

const docs = async (viewport: { width: number; height: number }, path = '') => {
  const shop = await openShop()
  return { shop, ...(await visit(shop.url, `/docs/reference${path}`, viewport)) }
}
/**
 * Finds a heading of the reference, once it has replaced the server's text. (By its element: a search by role takes
 * seconds in a page of this length.)
 */
const heading = (page: Page, name: string) => page.locator('#app :is(h1, h2, h3, h4)', { hasText: RegExp(`^\\s*${name}\\s*$`) }).first()

/** Waits until the element is visible on the screen. */
const inView = (page: Page, id: string): Promise<void> =>
  page.evaluate(
    `new Promise(seen => new IntersectionObserver(all => all.some(one => one.isIntersecting) && seen()).observe(document.getElementById('${id}')))`,
  )

for (const [colorScheme, viewport] of [
  ['light', desktop],
  ['dark', phone],
] as const)
  test(`the introduction and all operations can be read before the reference has loaded (${colorScheme}, ${viewport.width} wide), which then replaces them`, async () => {
    const { url } = await openShop()
    const { page, problems } = await visit(url, '/health', viewport, { colorScheme })
    // The page at this address makes the browser request an icon, which does not exist.
    await page.waitForLoadState('networkidle')
    problems.splice(0)
    const waiting: Route[] = []
    await page.route('**/docs/reader-*', route => void waiting.push(route))
    await page.goto(`${url}/docs/reference`, { waitUntil: 'commit' })
    const content = page.locator('#words')
    await content.getByRole('heading', { name: 'Start', exact: true }).waitFor()
    await content.getByRole('link', { name: 'Create a refund', exact: true }).waitFor()
    equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width)
    equal(await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches"), colorScheme === 'dark')
    while (waiting.length === 0) await page.waitForRequest('**/docs/reader-*')
    await waiting[0]!.continue()
    await heading(page, 'Start').waitFor()
    equal(await content.count(), 0)
    deepEqual(problems, [])
  })

test('the reference lists every operation by its title, after the introduction', async () => {
  const { page, problems } = await docs(desktop)
  for (const name of sections) await heading(page, name).waitFor()
  const titles = JSON.stringify(operations.map(({ summary }) => summary))
  await page.waitForFunction(`${titles}.every(title => document.querySelector('aside').innerText.split('\\n').includes(title))`)
  deepEqual(problems, [])
})

test('a link opens an operation, which shows a real example response', async () => {
  const { page, problems } = await docs(desktop, '#tag/refunds/createRefund')
  await heading(page, 'Create a refund').waitFor()
  await inView(page, 'api-1/tag/refunds/createRefund')
  await page.locator('[id="api-1/tag/refunds/createRefund"]').locator('pre', { hasText: EXAMPLE_REFUND }).first().waitFor()
  deepEqual(problems, [])
})

test('search finds and opens an operation', async () => {
  const { page, problems } = await docs(desktop)
  await heading(page, 'Start').waitFor()
  await page.keyboard.press('Control+k')
  const search = page.getByRole('dialog', { name: 'Reference Search' })
  await search.getByRole('combobox').fill('refund')
  await search.getByRole('option', { name: /Create a refund/ }).click()
  await heading(page, 'Create a refund').waitFor()
  await page.waitForURL(/createRefund/)
  deepEqual(problems, [])
})

test('an example is shown in the reader’s chosen language, with the address of this service, and can be copied', async () => {
  const { page, problems, shop } = await docs(desktop, '#tag/payments/createPayment')
  const operation = page.locator('[id="api-1/tag/payments/createPayment"]')
  await operation.getByText(`curl ${shop.url}/payments`).first().waitFor()
  await operation.getByRole('button', { name: 'Shell Curl' }).click()
  await page.getByRole('option', { name: 'Requests', exact: true }).click()
  await operation.getByText('requests.post(').first().waitFor()
  await operation.locator('.scalar-code-copy').first().click()
  match(await page.evaluate('navigator.clipboard.readText()'), /requests\.post\([\s\S]*"4242424242424242"/)
  deepEqual(problems, [])
})

test('a request sent from the reference creates a payment at this service', async () => {
  const { page, problems, shop } = await docs(desktop, '#tag/payments/createPayment')
  await heading(page, 'Create a payment').waitFor()
  await page
    .getByRole('button', { name: /Test Request/ })
    .first()
    .click()
  const form = page.getByRole('dialog', { name: 'API Client' })
  await form.locator('input[type=password], input[placeholder]').first().fill(shop.api_key)
  const answered = page.waitForResponse(`${shop.url}/payments`)
  await form.getByRole('button', { name: /^Send/ }).last().click()
  equal((await (await answered).json()).status, 'succeeded')
  await form.getByText('"succeeded"').first().waitFor()
  deepEqual(
    (await shop.processor.charges()).map(charge => charge.captured),
    [1250],
  )
  deepEqual(problems, [])
})

test('on a phone nothing in the reference is wider than the screen', async () => {
  const { page, problems } = await docs(phone)
  const fits = async (what: string) => equal(await page.evaluate('document.documentElement.scrollWidth'), phone.width, what)
  for (const name of sections) {
    await heading(page, name).scrollIntoViewIfNeeded()
    await fits(name)
  }
  await page.getByRole('button', { name: 'Open Menu' }).click()
  await page.getByText('Create a refund', { exact: true }).filter({ visible: true }).first().click()
  await heading(page, 'Create a refund').waitFor()
  await fits('the menu')
  for (const { summary, operationId, tags } of widest) {
    await page.evaluate(`location.hash = 'tag/${tags[0]!.toLowerCase().replaceAll(' ', '-')}/${operationId}'`)
    await heading(page, summary).waitFor()
    await fits(summary)
  }
  deepEqual(problems, [])
})
