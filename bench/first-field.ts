// The time until a customer sees the first field of the checkout: `npm run bench -- --first-field`. Measures, and
// asserts nothing about time; the number of requests before the first field is tested by
// test/browser/element-budgets.test.ts.
//
// Uses the service as it ships, and Chromium. Measures in a shop's page from `mount`, and on the page of a payment
// link from the click that leads to the page, until the frame with the field is painted; with an empty cache, and with
// a full one. The page itself reports the times: an outside program would know a tenth of a second later, and its
// script would take time from the page.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { request } from 'undici'
import { buildPages } from '../launch/pages.ts'
import { fine, median, table } from './figures.ts'
import { ADMIN_KEY, MERCHANT, openStage } from './stage.ts'

const TIMES = 20
const CHROMIUM = process.env.CHROMIUM || '/usr/bin/chromium'
/** The goal for the first field, in milliseconds. */
const GOAL_MS = 300

type Order = { client_secret: string; payment_link: { link: string } }

/** Returns the shop's page, as in the guide. */
const shopPage = (service: string, key: string, secret: string) => `<!doctype html><title>Shop</title><div id="payment"></div>
<script src="${service}/sdk/v1.js"></script><script>
const element = Switchyard('${key}').elements({ clientSecret: '${secret}' }).create('payment')
console.debug('begun', performance.timeOrigin + performance.now())
element.mount('#payment')
</script>`

/** A script for each document, before its own scripts, that reports when the first field was painted. */
const fieldReporter = `
console.debug('opened', performance.timeOrigin)
const observer = new MutationObserver(() => {
  if (!document.querySelector('form:not([hidden]) [name=cardnumber]')) return
  observer.disconnect()
  requestAnimationFrame(() => setTimeout(() => console.debug('field', performance.timeOrigin + performance.now())))
})
observer.observe(document, { subtree: true, childList: true, attributes: true })`

/** Resolves when a page or one of its frames reports this word. Returns the time in milliseconds since 1970. */
const reportedAt = (page: Page, word: string) =>
  new Promise<number>(done =>
    page.on('console', message => {
      const [first, at] = message.text().split(' ')
      if (first === word) done(Number(at))
    }),
  )

/** Measures both pages and compares them with the goal. */
export async function measureFirstField(): Promise<string> {
  await buildPages(join(import.meta.dirname, '..'), 'page-scripts', () => {}).done
  const stage = await openStage({ sandbox: true })
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
  const ask = async <T>(method: 'GET' | 'POST', path: string, key: string, body?: object): Promise<T> => {
    const headers = { 'api-key': key, 'content-type': 'application/json' }
    const answer = await request(stage.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return (await answer.body.json()) as T
  }
  let page = ''
  const shop = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page))
  await new Promise<void>(done => shop.listen(0, '127.0.0.1', done))
  const home = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`
  try {
    const { publishable_key } = await ask<{ publishable_key: string }>('GET', `/accounts/${MERCHANT}`, ADMIN_KEY)
    const order = () => ask<Order>('POST', '/payments', stage.key, { amount: 24_900, currency: 'EUR', payment_link: true })

    const visited = async (context: BrowserContext, address: string, begins: (page: Page) => Promise<number>) => {
      const visit = await context.newPage()
      const [begun, field] = [begins(visit), reportedAt(visit, 'field')]
      await visit.goto(address, { waitUntil: 'commit' })
      const took = (await field) - (await begun)
      await visit.close()
      return took
    }
    const inShop = async (context: BrowserContext) => {
      page = shopPage(stage.url, publishable_key, (await order()).client_secret)
      return visited(context, home, visit => reportedAt(visit, 'begun'))
    }
    const byLink = async (context: BrowserContext) => {
      const { link } = (await order()).payment_link
      return visited(context, link, visit => reportedAt(visit, 'opened'))
    }

    const newContext = async () => {
      const context = await browser.newContext()
      await context.addInitScript({ content: fieldReporter })
      return context
    }
    const lines: string[][] = []
    for (const [name, measure] of [
      ["element in a shop's page", inShop],
      ['page of a payment link', byLink],
    ] as const)
      for (const visits of ['first', 'later'] as const) {
        const times: number[] = []
        let context = await newContext()
        // The first visit is not counted, because the service and the browser warm up.
        await measure(context)
        for (let i = 0; i < TIMES; i++) {
          if (visits === 'first') {
            await context.close()
            context = await newContext()
          }
          times.push(await measure(context))
        }
        await context.close()
        const within = times.filter(ms => ms <= GOAL_MS).length
        lines.push([name, visits, fine(median(times)), fine(Math.max(...times)), `${within} of ${TIMES}`])
      }
    return `until the first field can be seen and typed into, ms\n\n${table([['', 'visit', 'p50', 'most', `within ${GOAL_MS} ms`], ...lines])}`
  } finally {
    shop.close()
    await browser.close()
    await stage.close()
  }
}
