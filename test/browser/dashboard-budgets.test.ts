import { deepEqual, ok } from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { builtFirst, openTradingShop, signedIn } from './dashboard.ts'

// The compressed size of pages, and the number of their requests. The test of the first screen is in
// dashboard.test.ts.

builtFirst()

const assets = join(import.meta.dirname, '../../packages/dashboard/dist/assets')
const KB = 1000

/** Records the paths of all further requests of the page. */
function asking(page: Page): string[] {
  const asked: string[] = []
  page.on('request', request => void asked.push(new URL(request.url()).pathname))
  return asked
}

/**
 * Gives the transferred size of these files in bytes: scripts are compressed with gzip, fonts are compressed already.
 */
const weigh = (paths: readonly string[], ending: string): number =>
  [...new Set(paths)]
    .filter(path => path.endsWith(ending))
    .map(path => readFileSync(join(assets, path.split('/').at(-1)!)))
    .reduce((all, bytes) => all + (ending === '.js' ? gzipSync(bytes, { level: 9 }).length : bytes.length), 0)

test('each page adds at most 60 kB of scripts to the first screen, and fonts are at most 60 kB', async () => {
  ok(existsSync(assets))
  const { shop, paid } = await openTradingShop()
  const { page, problems } = await signedIn(shop, '/')
  await page.waitForLoadState('networkidle')
  const links = await page.locator('aside nav a').evaluateAll(all => all.map(one => one.getAttribute('href')!))
  ok(links.length > 8, String(links))
  const asked = asking(page)
  const weights: Record<string, number> = {}
  for (const path of [...links, `/dashboard/payments/${paid}`]) {
    asked.length = 0
    await page.evaluate(`history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    weights[path.replace(paid, '{payment_id}')] = weigh(asked, '.js')
  }
  ok(Object.values(weights).some(weight => weight > 0))
  deepEqual(
    Object.entries(weights).filter(([, weight]) => weight > 60 * KB),
    [],
  )
  const fresh = await page.context().newPage()
  const fonts = asking(fresh)
  await fresh.goto(`${shop.url}/dashboard/payments`)
  await fresh.getByRole('link', { name: '249.00 EUR' }).waitFor()
  await fresh.evaluate('document.fonts.ready')
  ok(weigh(fonts, '.woff2') > 0 && weigh(fonts, '.woff2') <= 60 * KB, String(weigh(fonts, '.woff2')))
  deepEqual(problems, [])
})

test('the page of a payment sends at most six requests, all at once', async () => {
  const { shop, paid } = await openTradingShop()
  const { page, problems } = await signedIn(shop, '/refunds')
  await page.waitForLoadState('networkidle')
  const asked = asking(page)
  await page.evaluate(`history.pushState({}, '', '/dashboard/payments/${paid}'); dispatchEvent(new PopStateEvent('popstate'))`)
  await page.getByRole('heading', { name: '249.00 EUR' }).waitFor()
  await page.getByText('Ledger: 1 entry, balanced').waitFor()
  await page.waitForLoadState('networkidle')
  const own = asked.filter(path => !path.startsWith('/dashboard/'))
  ok(own.length >= 4 && own.length <= 6, own.join(', '))
  deepEqual(problems, [])
})
