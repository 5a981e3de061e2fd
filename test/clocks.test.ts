import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Context, Row, Statement } from '../src/context.ts'
import { start } from '../src/service.ts'
import { eventually } from './eventually.ts'
import { hangUpWhereItIsSilent } from './patience.ts'
import { isRefused } from './refused.ts'
import { ADMIN_KEY, type Body, cards, http, openPlace, openShop, type Shop, testConfig } from './shop.ts'

/**
 * Clocks that are set, leap or stand still while payments are under way. A host's clock may be wrong: all processes
 * use the database's clock, and no clock turns silence into a decline.
 */

/**
 * Milliseconds by which each clock is ahead of the real one. The database's time is changed on its way to the service.
 */
const ahead = { host: 0, monotonic: 0, database: 0 }
let committed = () => {}
/** While set, requests to a processor wait for this promise. */
let gate: Promise<void> | null = null

const place = await openPlace(
  {},
  context => ({
    ...context,
    async query<T extends Row>(statement: Statement, values: unknown[]) {
      const rows = await context.query<T>(statement, values)
      if (statement.name !== 'settings_version') return rows
      return rows.map(row => ({ ...row, clock: (row as { clock?: number }).clock! + ahead.database }))
    },
    async commit(change) {
      const written = await context.commit(change)
      committed()
      return written
    },
    async send(request, sender) {
      await gate
      return context.send(request, sender)
    },
  }),
  undefined,
  { clocks: { host: () => Date.now() + ahead.host, monotonic: () => performance.now() + ahead.monotonic } },
)
const { service, logs } = place

/**
 * Makes an administrative write, after which the service reads the settings and the database's clock, as it is now.
 */
async function refreshClock(): Promise<void> {
  const merchant_id = `m_${randomBytes(6).toString('hex')}`
  equal((await http('POST', `${service.url}/accounts`, { merchant_id }, { 'api-key': ADMIN_KEY })).status, 200)
}

/** Lets time pass on all clocks. */
async function pass(shop: Shop, seconds: number): Promise<void> {
  for (const clock of ['host', 'monotonic', 'database'] as const) ahead[clock] += seconds * 1000
  await refreshClock()
  await shop.processor.advance(seconds)
  await runJobs()
}

async function runJobs(): Promise<void> {
  while ((await service.tick()) > 0);
}

const statusOf = async (shop: Shop, id: string): Promise<string> => (await shop.get(id)).status

/**
 * Makes a payment whose request was cut off: it may still be on its way, and the processor does not know it yet. Gives
 * its id.
 */
async function onItsWay(shop: Shop): Promise<string> {
  const { payment_id, status } = await shop.pay({ card: cards.resets })
  equal(status, 'processing')
  return payment_id
}

const skewOf = async (): Promise<number> => (await http('GET', `${service.url}/health/ready`)).body.clock_skew_ms

for (const minutes of [2, -2, 60]) {
  test(`the host clock jumps by ${minutes} minutes during an authorization: nothing is given up, and timeouts are unchanged`, async () => {
    const shop = await openShop()
    const payment_id = await onItsWay(shop)
    ahead.host += minutes * 60_000
    await refreshClock()
    await runJobs()
    equal((await shop.sync(payment_id)).status, 'processing')
    await pass(shop, 40)
    equal(await statusOf(shop, payment_id), 'processing', 'too early for a no')
    await pass(shop, 85)
    deepEqual([(await shop.get(payment_id)).error_code, await statusOf(shop, payment_id)], ['not_received', 'failed'])
    ahead.host -= minutes * 60_000
  })
}

test('a clock skew of the host is shown by the ready endpoint, which stays ready, and is logged once', async () => {
  await refreshClock()
  ok(Math.abs(await skewOf()) < 1000)
  const warnings = () => logs.filter(line => line.includes("the host's clock differs")).length
  const before = warnings()
  ahead.host += 30_000
  await refreshClock()
  await refreshClock()
  ok(Math.abs((await skewOf()) - 30_000) < 1000)
  equal(warnings(), before + 1)
  match(logs.findLast(line => line.includes("the host's clock differs"))!, /"ahead_ms":(29|30)\d{3}\b/)
  ahead.host -= 30_000
  await refreshClock()
  ok(Math.abs(await skewOf()) < 1000)
})

for (const minutes of [2, -2]) {
  test(`the database clock jumps by ${minutes} minutes: a payment in progress gets its full timeout from then on`, async () => {
    const shop = await openShop()
    const payment_id = await onItsWay(shop)
    ahead.database += minutes * 60_000
    await refreshClock()
    await runJobs()
    equal((await shop.sync(payment_id)).status, 'processing')
    await pass(shop, 60)
    equal((await shop.sync(payment_id)).status, 'processing')
    // A clock that is ahead goes a tenth slower until the database's clock has caught up.
    if (minutes < 0) await pass(shop, 1300)
    await pass(shop, 85)
    equal((await shop.sync(payment_id)).status, 'failed')
  })
}

test('the database clock jumps during a request with an idempotency key: a second request does not take the key over', async () => {
  const shop = await openShop()
  const pay = () => shop.tryToPay({}, { 'idempotency-key': 'leap' })
  const { promise, resolve: open } = Promise.withResolvers<void>()
  gate = promise
  const running = pay()
  const claimed = 'select 1 from idempotency_keys where merchant_id = $1'
  await eventually(async () => (await shop.query(claimed, [shop.merchant_id])).length > 0, 'it runs')
  ahead.database += 120_000
  await refreshClock()
  isRefused(await pay(), 409, 'HE_00')
  open()
  gate = null
  equal((await running).body.status, 'succeeded')
})

test('a process that pauses between recording a payment and sending its request no longer sends it', async () => {
  const shop = await openShop()
  committed = () => {
    committed = () => {}
    for (const clock of ['host', 'monotonic', 'database'] as const) ahead[clock] += 31_000
  }
  const payment = await shop.pay()
  equal(payment.status, 'processing')
  await pass(shop, 125)
  equal(await statusOf(shop, payment.payment_id), 'failed')
  equal((await shop.processor.operations()).length, 0)
})

test('two services whose host clocks differ by a minute share one clock, and do not take over a request of the other', async t => {
  const shop = await openShop()
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-clocks-'))
  const config = testConfig(place.databaseUrl, folder, { keys: { mode: 'test', keys: null, command: null, file: place.keyFile } })
  const log = { info() {}, warn() {}, error() {} }
  const wrap = (context: Context): Context => {
    const { send } = hangUpWhereItIsSilent(shop.processor.url)(context)
    return {
      ...context,
      async send(...asked) {
        await gate
        return send(...asked)
      },
    }
  }
  const open = (skew: number) =>
    start(config, { log, scheduler: 'by hand', clocks: { host: () => Date.now() + skew, monotonic: () => performance.now() }, wrap })
  const [early, late] = await Promise.all([open(-30_000), open(30_000)])
  t.after(async () => {
    await Promise.all([early.close(), late.close()])
    rmSync(folder, { recursive: true, force: true })
  })
  const pay = (url: string, card: string, key?: string) =>
    http('POST', `${url}/payments`, shop.payBody({ card }), { 'api-key': shop.api_key, ...(key && { 'idempotency-key': key }) })
  const times: number[] = []
  for (const service of [late, early, late, early]) {
    const { status, body, text }: Body = await pay(service.url, cards.approves)
    equal(status, 200, text)
    times.push(Date.parse(body.created))
  }
  ok(Math.max(...times) - Math.min(...times) < 20_000, times.join(' '))

  const asked = Promise.withResolvers<void>()
  gate = asked.promise
  const running = pay(early.url, cards.hangs, 'order-1')
  await eventually(
    async () => (await shop.query('select 1 from idempotency_keys where merchant_id = $1', [shop.merchant_id])).length > 0,
    'it runs',
  )
  isRefused(await pay(late.url, cards.hangs, 'order-1'), 409, 'HE_00')
  asked.resolve()
  equal((await running).body.status, 'processing')
  equal((await shop.query('select 1 from payments where merchant_id = $1', [shop.merchant_id])).length, 5)
})
