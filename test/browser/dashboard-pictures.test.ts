import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../eventually.ts'
import { openShop } from '../shop.ts'
import { builtFirst, openTradingShop, signIn, wide } from './dashboard.ts'
import { compare, whyNot } from './pictures.ts'
import { phone, visit } from './visit.ts'

// Pages that do not differ from run to run look as they did when a person last looked at them. `npm test --
// test/browser/dashboard-pictures.test.ts --renew` takes new pictures; a person must look at them before they are
// committed.

builtFirst()

for (const [colorScheme, viewport, name] of [
  ['light', wide, 'wide'],
  ['dark', wide, 'wide-dark'],
  ['light', phone, 'phone'],
  ['dark', phone, 'phone-dark'],
] as const)
  test(`pages look like their reference pictures (${colorScheme}, ${viewport.width} wide)`, async t => {
    const { shop, paid } = await openTradingShop()
    const { refund_id } = (await shop.post('/refunds', { payment_id: paid, amount: 5000, reason: 'Order returned' })).body
    const found = await visit(shop.url, '/dashboard', viewport, { colorScheme, reducedMotion: 'reduce' })
    const { page, problems } = found
    await page.getByLabel('E-mail').waitFor()
    const why = await whyNot(page)
    if (why !== null) return t.skip(why)
    const wrong: (string | null)[] = []
    await signIn(found, shop)
    for (const [path, heading, as, whole] of [
      ['/payments', 'Payments', 'payments', page.getByRole('link', { name: '249.00 EUR' })],
      [`/refunds/${refund_id}`, '50.00 EUR', 'refund', page.getByRole('cell', { name: 'refunds', exact: true })],
      ['/disputes', 'Disputes', 'disputes-none', page.getByRole('heading', { name: 'No disputes.' })],
    ] as const) {
      await page.evaluate(`history.pushState({}, '', '/dashboard${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
      await whole.waitFor()
      if (as !== 'refund') await page.locator('.tabs .c').first().waitFor()
      wrong.push(await compare(page, `${as}-${name}`))
    }
    deepEqual(
      wrong.filter(one => one !== null),
      [],
    )
    deepEqual(problems, [])
  })

/** Pages of a new shop: each says which objects will appear on it, and how they come about. */
const firstPages = [
  '/payouts',
  '/customers',
  '/ledger',
  '/connectors',
  '/routing',
  '/developers/webhooks',
  '/settings/blocklist',
  '/approvals',
]

for (const [colorScheme, viewport, name] of [
  ['light', wide, 'wide'],
  ['dark', phone, 'phone-dark'],
] as const)
  test(`the pages of a new merchant look like their reference pictures (${colorScheme}, ${viewport.width} wide)`, async t => {
    const shop = await openShop()
    const found = await visit(shop.url, '/dashboard', viewport, { colorScheme, reducedMotion: 'reduce' })
    const { page, problems } = found
    await page.getByLabel('E-mail').waitFor()
    const why = await whyNot(page)
    if (why !== null) return t.skip(why)
    const asked = new Set<unknown>()
    page.on('request', request => asked.add(request))
    page.on('requestfinished', request => asked.delete(request))
    page.on('requestfailed', request => asked.delete(request))
    await signIn(found, shop)
    const wrong: (string | null)[] = []
    for (const path of firstPages) {
      const before = await page.getByRole('heading', { level: 1 }).textContent()
      await page.evaluate(`history.pushState({}, '', '/dashboard${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
      await eventually(async () => {
        const heading = await page.getByRole('heading', { level: 1 }).textContent()
        return heading !== before && asked.size === 0 && (await page.locator('#page .bone').count()) === 0
      }, `${path} is there`)
      wrong.push(await compare(page, `first${path.replaceAll('/', '-')}-${name}`))
    }
    deepEqual(
      wrong.filter(one => one !== null),
      [],
    )
    deepEqual(problems, [])
  })
