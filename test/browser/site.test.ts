import { deepEqual, equal, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { buildPages } from '../../launch/pages.ts'
import { contents, pages } from '../../packages/site/.vitepress/contents.ts'
import { http, openShop } from '../shop.ts'
import { barriers } from './look.ts'
import { desktop, phone, visit } from './visit.ts'

// The documentation as built by `npm start`. Every test ends with a check of the problems that the browser logged: no
// error, no violation of the page's policy, no request to any server but this service.

before(() => buildPages(join(import.meta.dirname, '../..'), 'site', () => {}).done)

const addressOf = (page: string): string => (page === '/index' ? '/docs' : `/docs${page}`)

/**
 * Whether a finding is about our own pages: the search button of the DocSearch library shows its keyboard shortcut,
 * but its accessible name is only Search.
 */
const isOurs = (barrier: string): boolean => !/^label-content-name-mismatch: <button[^|]*DocSearch-Button[^|]*$/.test(barrier)

for (const [colorScheme, viewport] of [
  ['light', desktop],
  ['dark', phone],
] as const)
  test(`every page loads without errors, and nothing is wider than the screen (${colorScheme}, ${viewport.width} wide)`, async () => {
    const shop = await openShop()
    const { page, problems } = await visit(shop.url, '/docs', viewport, { colorScheme })
    equal(await page.evaluate("document.documentElement.classList.contains('dark')"), colorScheme === 'dark')
    for (const one of pages) {
      await page.goto(shop.url + addressOf(one), { waitUntil: 'networkidle' })
      await page.getByRole('heading', { level: 1 }).waitFor()
      equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width, one)
      if (one.startsWith('/guides/f') || one === '/index') deepEqual((await barriers(page)).filter(isOurs), [], one)
    }
    deepEqual(problems, [])
  })

test('no page has a broken link, and each page is available as Markdown', async () => {
  const { url } = await openShop()
  const known = new Map<string, number>()
  const status = async (path: string) => {
    if (!known.has(path)) known.set(path, (await http('GET', url + path)).status)
    return known.get(path)!
  }
  for (const one of pages) {
    const { text, status: found } = await http('GET', url + addressOf(one))
    equal(found, 200, one)
    for (const [, href] of text.matchAll(/<a [^>]*href="(\/[^"#]*)/g)) ok((await status(href!)) < 400, `${one} leads to ${href}`)
    const markdown = await http('GET', `${url}/docs${one}.md`)
    equal(markdown.headers['content-type'], 'text/markdown; charset=utf-8')
    ok(/^# /m.test(markdown.text) && !/@include|^:::/m.test(markdown.text), one)
  }
  const list = (await http('GET', `${url}/docs/llms.txt`)).text
  for (const { items } of contents) for (const { text, link } of items) ok(list.includes(`[${text}](/docs${link}.md)`), link)
})

test('search finds a guide without another server, by keyboard alone', async () => {
  const shop = await openShop()
  const { page, problems } = await visit(shop.url, '/docs', desktop)
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('Control+k')
  await page.getByRole('searchbox').fill('duplicate')
  await page.locator('.results .result', { hasText: 'A duplicate' }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/guides\/webhooks/)
  deepEqual(problems, [])
})

test('a reader who selects the SDK once sees it in every code group, also on the next page', async () => {
  const shop = await openShop()
  const { page, problems } = await visit(shop.url, '/docs/guides/first-payment', desktop)
  await page.waitForLoadState('networkidle')
  const shown = () => page.locator('.vp-code-group .blocks > .active').allInnerTexts()
  ok((await shown()).every(text => text.includes('curl')))
  await page.locator('.vp-code-group').last().getByText('Node', { exact: true }).click()
  const sdk = async () => (await shown()).every(text => text.includes('await'))
  ok(await sdk())
  await page.getByRole('link', { name: 'Pay out', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Pay out', level: 1 }).waitFor()
  ok(await sdk())
  await page.reload({ waitUntil: 'networkidle' })
  ok(await sdk())
  deepEqual(problems, [])
})

test('an old link to an operation leads to the operation in the reference', async () => {
  const shop = await openShop()
  const { page, problems } = await visit(shop.url, '/docs#tag/refunds/createRefund', desktop)
  await page.waitForURL('**/docs/reference#tag/refunds/createRefund')
  await page.locator('#app').getByRole('heading', { name: 'Create a refund', exact: true }).first().waitFor()
  deepEqual(problems, [])
})

test('the text of a guide is readable after one answer of at most 60 kB: without scripts, styles or any other request', async () => {
  const shop = await openShop()
  const { page } = await visit(shop.url, '/docs', desktop, { javaScriptEnabled: false })
  await page.route('**/*', route => (route.request().isNavigationRequest() ? route.continue() : route.abort()))
  const answer = (await page.goto(`${shop.url}/docs/guides/first-payment`))!
  await page.getByText('You need five minutes and a terminal.').waitFor()
  const { responseBodySize } = await answer.request().sizes()
  ok(responseBodySize > 5000 && responseBodySize <= 60_000, `${responseBodySize} bytes`)
})
