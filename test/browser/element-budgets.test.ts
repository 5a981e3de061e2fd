// Quiet: it takes a while without a request for the end of a round.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Locator, Page, Route } from 'playwright-core'
import { lampShop, openCheckout, order, settled } from './element.ts'
import { google, openGoogleShop, serving } from './google.ts'
import { desktop, phone, visit } from './visit.ts'

// The number of rounds of requests before the first field of a page can be used, and whether elements of the page move
// while it loads. `npm run bench -- --first-field` measures the times.

/** The milliseconds without a new request after which a round is over. */
const QUIET_MS = 600

/**
 * Opens an address as over a very slow connection: requests wait until the page makes no further one, and are then
 * answered together. Gives for each round its files and calls, until the field is visible.
 */
async function rounds(page: Page, address: string, field: (page: Page) => Locator): Promise<string[][]> {
  const again = await page.context().newPage()
  let held: Route[] = []
  let last = performance.now()
  await again.route('**/*', route => {
    last = performance.now()
    held.push(route)
  })
  const opened = again.goto(address)
  const all: string[][] = []
  // A page that waits for its document does not answer at all.
  const isThere = () => Promise.race([field(again).isVisible(), pause(QUIET_MS, false)])
  for (;;) {
    if (performance.now() - last < QUIET_MS) {
      await pause(20)
    } else if (await isThere()) {
      break
    } else if (held.length > 0) {
      const now = held
      held = []
      all.push(now.map(route => new URL(route.request().url()).pathname.replace(/.*\/(?=[^/])/, '')))
      for (const route of now) await route.continue()
      last = performance.now()
    }
  }
  await again.unrouteAll({ behavior: 'ignoreErrors' })
  await opened
  await again.close()
  return all
}

const isCall = (name: string) => !/\.(?:js|css|svg)$/.test(name)

test('an element loads in four rounds of requests: script, frame, its files, and three calls at once; Google Pay’s button loads afterwards', async t => {
  const shop = await lampShop()
  const cards = await order(shop, { allowed_payment_method_types: ['credit', 'debit', 'ideal'] })
  const google_too = await order(shop, { allowed_payment_method_types: ['credit', 'debit', 'google_pay'] })
  for (const payment of [cards, google_too]) {
    const { page } = await openCheckout(shop, payment)
    const [shops, ...ours] = await rounds(page, page.url(), one => one.frameLocator('#payment iframe').getByLabel('Card number'))
    t.diagnostic(JSON.stringify(ours))
    equal(shops!.length, 1)
    ok(ours.length <= 4, `${ours.length} rounds`)
    deepEqual(ours[3]!.filter(isCall).toSorted(), [payment.payment_id, 'payment_methods', 'payment_methods'])
    ok(ours.flat().length <= 32, `${ours.flat().length} requests`)
  }
})

test('the page of a payment link loads in two rounds of requests: its files, and the payment methods', async t => {
  const shop = await lampShop()
  const payment = await order(shop, { payment_link: true, allowed_payment_method_types: ['credit', 'debit'] })
  const { page } = await visit(shop.url, payment.payment_link.link.slice(shop.url.length), desktop)
  const [itself, ...others] = await rounds(page, page.url(), one => one.getByLabel('Card number'))
  t.diagnostic(JSON.stringify(others))
  equal(itself!.length, 1)
  ok(others.length <= 2, `${others.length} rounds`)
  deepEqual(others.at(-1)!.filter(isCall), ['payment_methods'])
})

/**
 * A script that adds up layout shifts, as browsers count them (Layout Instability); it must run before any script of
 * the page. Those before the first paint are not seen.
 */
const watches = `
window.moved = []
new PerformanceObserver(list => {
  const [painted] = performance.getEntriesByType('paint')
  const seen = list.getEntries().filter(({ startTime }) => painted && startTime >= painted.startTime)
  for (const { value, sources } of seen) moved.push([value, sources.map(one => one.node?.id || one.node?.className || one.node?.nodeName).join(' ')])
}).observe({ type: 'layout-shift', buffered: true })`

type Moved = [share: number, what: string][]
const MOST = 0.02
const sum = (moved: Moved) => moved.reduce((all, [share]) => all + share, 0)

/** Gives the layout shifts in a frame of the page. */
const movedIn = (page: Page, path: string) =>
  page
    .frames()
    .find(one => one.url().includes(path))!
    .evaluate('moved') as Promise<Moved>

test('loading payment methods does not shift the layout in the frame or on a link’s page, and at most once in a shop’s page', async t => {
  const shop = await openGoogleShop({ types: ['google_pay', 'ideal', 'paypal'] })
  const wallets = { ...serving(google([])), has: watches }
  for (const size of [desktop, phone]) {
    for (const asks of [{ keeps: '1' }, { keeps: '1', element: 'card' }, {}] as Record<string, string>[]) {
      const { page, frame } = await openCheckout(shop, await order(shop), asks, size, wallets)
      await frame.getByLabel('Card number').waitFor()
      if (asks.element === undefined) await frame.frameLocator('#google-pay').getByRole('button').waitFor()
      await settled(page)
      const [outside, inside] = [await movedIn(page, page.url()), await movedIn(page, '/sdk/frame')]
      t.diagnostic(`${JSON.stringify(asks)} ${size.width}: ${JSON.stringify({ outside, inside })}`)
      deepEqual(inside, [], `in the frame, ${size.width} wide`)
      if (asks.keeps) ok(sum(outside) <= MOST, `a shop that keeps the place free, ${size.width} wide: ${JSON.stringify(outside)}`)
      else ok(outside.length <= 2, `its button moves for the frame and for the form: ${JSON.stringify(outside)}`)
    }
    const payment = await order(shop, { payment_link: true })
    const { page } = await visit(shop.url, payment.payment_link.link.slice(shop.url.length), size, wallets)
    await page.getByLabel('Card number').waitFor()
    await page.frameLocator('#google-pay').getByRole('button').waitFor()
    await settled(page)
    const moved = await movedIn(page, page.url())
    t.diagnostic(`link ${size.width}: ${JSON.stringify(moved)}`)
    ok(sum(moved) <= MOST, `the page of a link, ${size.width} wide: ${JSON.stringify(moved)}`)
  }
})
