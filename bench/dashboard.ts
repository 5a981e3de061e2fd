// The time that the dashboard's lists take with many payments: `npm run bench -- --dashboard 10000000`. Measures, and
// asserts nothing about time.
//
// Uses the payments of `lists.ts`, the service as it ships, and Chromium. Measures the time from the click that opens
// a list, or changes its filter, until the first rows are painted; and how long the page is busy while a search is
// typed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Page } from 'playwright-core'
import { request } from 'undici'
import { memoryFlags, memorySettings } from '../launch/memory.ts'
import { buildPages } from '../launch/pages.ts'
import { table } from './figures.ts'
import { LARGE, withPayments } from './lists.ts'
import { ADMIN_KEY, answering, freePort, startScript } from './stage.ts'

const project = join(import.meta.dirname, '..')
const TIMES = 20
const EMAIL = 'owner@bench.example'
const PASSWORD = 'correct horse battery staple'
const CHROMIUM = process.env.CHROMIUM || '/usr/bin/chromium'
const PATIENCE_MS = 20_000
const FIRST_ROW = '#page tbody a.row-link'
/** The end of a wait: a row, or the text of an empty list. */
const ENDS = `${FIRST_ROW}, #page .panel .blank`

/**
 * The screens: the name in the report, and the filter. The filter differs each time, so that no rows come from memory.
 */
const screens: [string, (i: number) => string][] = [
  ['payments of a period', i => `days=${30 + i}`],
  ['that failed', i => `days=${30 + i}&status=failed`],
  ['in review (rare)', i => `days=${30 + i}&status=review`],
  ['of a currency', i => `days=${30 + i}&currency=KWD`],
  ['of a network and a status', i => `days=${30 + i}&card_network=JCB&status=succeeded,failed`],
  ['of one customer', i => `customer_id=cus_${7919 * (i + 1)}`],
  ['of one order', i => `merchant_order_reference_id=order-${79_192 * (i + 1)}`],
]

/**
 * Measures the lists of a number of payments in a browser. `kept`: the folder that keeps the payments
 * (`withPayments`).
 */
export const measureDashboard = (payments: number, kept: string | null): Promise<string> =>
  withPayments(payments, kept, async (_reader, made, databaseUrl) => {
    await buildPages(project, 'dashboard', line => process.stderr.write(`${line}\n`)).done
    const folder = mkdtempSync(join(tmpdir(), 'switchyard-dashboard-'))
    const url = `http://127.0.0.1:${await freePort()}`
    const env = {
      ...memorySettings,
      DATABASE_URL: databaseUrl,
      PORT: new URL(url).port,
      ADMIN_API_KEY: ADMIN_KEY,
      // The keys that seal a merchant's secrets are kept with the payments.
      KEY_FILE: join(kept ?? folder, 'keys.json'),
      DIES_WITH_STDIN: '1',
    }
    const service = await startScript('src/main.ts', env, join(folder, 'service.log'), [...memoryFlags])
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
    try {
      await answering(`${url}/health/ready`, service)
      const page = asking(await browser.newPage({ viewport: { width: 1440, height: 900 } }))
      // The stream of events never ends, so lists must not wait for it; they do not change while they are measured.
      await page.route('**/events/stream', route => route.fulfill({ status: 204 }))
      await enter(page, url)
      const lines = []
      for (const [name, searchOf] of screens) lines.push([name, ...(await opened(page, searchOf))])
      const [typing, most] = await typed(page)
      return [
        `${payments} payments, ${made}; from the click to the first rows, ms, ${TIMES} times each`,
        table([['screen', 'p50', 'p90', 'most'], ...lines]),
        `a search of ${typing} letters: the page is busy for ${most} ms at most between two of them`,
      ].join('\n\n')
    } finally {
      await browser.close()
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })

/** A page, with its requests that are not answered yet. */
type Asking = Page & { asked: ReadonlySet<unknown> }

function asking(page: Page): Asking {
  const asked = new Set<unknown>()
  page.on('request', request => asked.add(request))
  page.on('requestfinished', request => asked.delete(request))
  page.on('requestfailed', request => asked.delete(request))
  return Object.assign(page, { asked })
}

async function post(url: string, body: object): Promise<{ url?: string }> {
  const headers = { 'api-key': ADMIN_KEY, 'content-type': 'application/json' }
  return (await (await request(url, { method: 'POST', headers, body: JSON.stringify(body) })).body.json()) as { url?: string }
}

/** Signs in the owner of the large shop. The first run creates the owner. */
async function enter(page: Page, url: string): Promise<void> {
  await post(`${url}/accounts`, { merchant_id: LARGE })
  const link = (await post(`${url}/user/link`, { merchant_id: LARGE })).url
  const token = link && new URL(link).searchParams.get('token')
  if (token) await post(`${url}/user/first`, { token, email: EMAIL, name: 'Bench', password: PASSWORD })
  await page.goto(`${url}/dashboard/payments`)
  await page.getByLabel('E-mail').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator(FIRST_ROW).first().waitFor()
}

/**
 * Measures the time from the change of the address until the first rows, or the text of an empty list, are painted.
 */
async function opened(page: Asking, searchOf: (i: number) => string): Promise<string[]> {
  const times: number[] = []
  for (let i = 0; i <= TIMES; i++) {
    await page.evaluate(go('/account'))
    await page.locator(ENDS).first().waitFor({ state: 'detached' })
    // Waits for the previous page's counts, as a person looks before the next click; their time does not belong to
    // this page.
    while (page.asked.size > 0) await pause(20)
    const ms = await page.evaluate<number>(`(async () => {
      const begin = performance.now()
      ${go(`/payments?${searchOf(i)}`)}
      while (document.querySelector('${ENDS}') === null) {
        if (performance.now() - begin > ${PATIENCE_MS}) throw new Error('There are no rows: ' + document.querySelector('#page')?.textContent)
        await new Promise(requestAnimationFrame)
      }
      return performance.now() - begin
    })()`)
    // The first time is not counted, because it includes the loading of the page's script.
    if (i > 0) times.push(ms)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]!.toFixed(0)
  return [at(0.5), at(0.9), at(1)]
}

const go = (path: string) => `history.pushState({}, '', '/dashboard${path}'); dispatchEvent(new PopStateEvent('popstate'))`

/** Measures the longest time without a painted frame while a search is typed. */
async function typed(page: Page): Promise<[number, string]> {
  const query = 'customer@shop.example'
  await page.locator('body').press('Control+k')
  await page.getByPlaceholder('An id, an e-mail address').waitFor()
  await page.evaluate(`(() => {
    window.longest = 0
    let last = performance.now()
    const frame = now => {
      window.longest = Math.max(window.longest, now - last)
      last = now
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })()`)
  await page.keyboard.type(query, { delay: 60 })
  return [query.length, (await page.evaluate<number>('window.longest')).toFixed(0)]
}
