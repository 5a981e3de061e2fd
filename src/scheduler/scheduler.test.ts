import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { cards, openPlace, openShop, type Shop } from '../../test/shop.ts'
import { unsealed } from '../audit/seal.ts'
import type { Context } from '../context.ts'
import { claimed, forgotten } from '../database/due.ts'
import { type RowOf, table, text, time } from '../database/table.ts'
import type { Operation } from '../operations/operation.ts'
import { operationPolls } from '../operations/poll.ts'
import { claims, fallsDue } from '../startup/jobs.ts'
import { job, openScheduler, timetable } from './scheduler.ts'

type Job = Pick<Operation, 'merchant_id' | 'object_id'>

/**
 * The scheduler with the jobs of real payments. This file replaces the work of a job: some jobs hang for as long
 * as a test wants.
 */

/** Makes `many` unanswered payments, each with its job. */
async function createUnanswered(shop: Shop, many: number): Promise<void> {
  const payments = await Promise.all(Array.from({ length: many }, () => shop.pay({ card: cards.chargesAndResets })))
  for (const { status } of payments) equal(status, 'processing')
}

/** Makes the jobs of this shop hang until they are released. */
function hangsFor(slow: Shop) {
  const gate = Promise.withResolvers<void>()
  const polled: Job[] = []
  let hanging = 0
  const waiting = new Map<string, () => void>()
  return {
    polled: (shop: Shop) => polled.filter(row => row.merchant_id === shop.merchant_id),
    most: () => hanging,
    startedFor: (shop: Shop) => new Promise<void>(resolve => waiting.set(shop.merchant_id, resolve)),
    letGo: gate.resolve,
    async hang(row: Job): Promise<void> {
      polled.push(row)
      waiting.get(row.merchant_id)?.()
      if (row.merchant_id !== slow.merchant_id) return
      hanging++
      await gate.promise
    },
  }
}

/** Waits until this number of jobs have run, or the test gives up. */
async function until(polled: () => Job[], many: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && polled().length < many) await new Promise(setImmediate)
  equal(polled().length, many)
}

const nothing = async () => {}

/**
 * Opens a scheduler with the service's own timetable, which calls `run` for an operation's job, and does nothing
 * for other jobs.
 */
const openPolling = (context: Context, run: (row: Job) => Promise<void>) =>
  openScheduler(
    context,
    fallsDue,
    claims.map(of => (of.name === operationPolls.name ? job(operationPolls, run) : job(of, nothing))),
    () => performance.now(),
    [{ of: unsealed, run: async () => {} }],
  )

/** Gives the shop's context, in which waiting takes no time. */
const hurried = (shop: Shop): Context => ({ ...shop.service.context, wait: () => new Promise(setImmediate) })

test('hanging jobs of one account do not delay those of another, and all jobs run in the end', { timeout: 60_000 }, async t => {
  const [slow, other] = await Promise.all([openShop(), openShop()])
  await createUnanswered(slow, 205)
  await createUnanswered(other, 1)
  slow.clock.ahead += 10_000
  const { polled, hang, startedFor, letGo, most } = hangsFor(slow)
  const started = startedFor(other)
  const scheduler = openPolling(hurried(slow), hang)
  t.after(() => {
    letGo()
    return scheduler.close()
  })
  scheduler.run()
  await started
  ok(most() <= 37, `${most()} of the slow account are being asked about`)
  letGo()
  await until(() => polled(slow), 205, t.signal)
  await scheduler.close()
  equal(new Set(polled(slow).map(row => row.object_id)).size, 205, 'each once')
  equal(polled(other).length, 1)
  await slow.wait('2 minutes')
})

test('a job whose turn comes too late, or after the scheduler closed, is left for a later tick', { timeout: 60_000 }, async t => {
  const slow = await openShop()
  await createUnanswered(slow, 50)
  slow.clock.ahead += 10_000
  const late = hangsFor(slow)
  const scheduler = openPolling(hurried(slow), late.hang)
  const first = scheduler.tick()
  await until(() => late.polled(slow), 37, t.signal)
  slow.clock.ahead += 40_000
  late.letGo()
  equal(await first, 50)
  equal(late.polled(slow).length, 37, 'the others had waited for 40 s')

  slow.clock.ahead += 30_000
  const again = hangsFor(slow)
  const next = openPolling(hurried(slow), again.hang)
  const second = next.tick()
  await until(() => again.polled(slow), 37, t.signal)
  const closed = next.close()
  again.letGo()
  await Promise.all([closed, second])
  equal(again.polled(slow).length, 37, 'nothing new is asked while closing')
})

/**
 * Another kind of job, of a table that only this test has: parcels that are due, and that are deleted a day after
 * they were packed.
 */
const parcels = table('parcels', {
  key: ['merchant_id', 'parcel_id'],
  columns: { merchant_id: text(), parcel_id: text(), deliver_at: time().orNull(), packed: time() },
})
type Parcel = Pick<RowOf<typeof parcels>, 'merchant_id' | 'parcel_id'>
const deliveries = claimed(parcels, { when: 'deliver_at', lease_ms: 20_000, gives: ['merchant_id', 'parcel_id'] })
const oldParcels = forgotten(parcels, 'packed', { after_ms: 86_400_000 })
const withParcels = timetable('due_with_parcels', [deliveries, operationPolls], [oldParcels, ...fallsDue.forgotten])

/**
 * Makes a thousand parcels of five hundred merchants that are due, and a scheduler that delivers them: all but p7,
 * which stays due.
 */
async function openParcels(shop: Shop, deliver: () => Promise<void>, onPoll: (row: Job) => void) {
  await shop.query(
    `create table if not exists parcels
      (merchant_id text, parcel_id text, deliver_at timestamptz(3), packed timestamptz(3) not null, primary key (merchant_id, parcel_id))`,
  )
  const now = shop.service.context.now()
  await shop.query("insert into parcels select 'm' || n / 2, 'p' || n, $1, $1 from generate_series(1, 1000) n", [now])
  const delivered: Parcel[] = []
  const delivering = job(deliveries, async parcel => {
    delivered.push(parcel)
    await deliver()
    const { merchant_id, parcel_id } = parcel
    if (parcel_id === 'p7') return
    await shop.query('update parcels set deliver_at = null where merchant_id = $1 and parcel_id = $2', [merchant_id, parcel_id])
  })
  const handlers = [delivering, job(operationPolls, async row => onPoll(row))]
  return { delivered, scheduler: openScheduler(hurried(shop), withParcels, handlers, () => performance.now()) }
}

test('a flood of hanging jobs of one kind does not delay jobs of another kind', { timeout: 60_000 }, async t => {
  const shop = await openShop()
  const gate = Promise.withResolvers<void>()
  const polled = Promise.withResolvers<Job>()
  const { delivered, scheduler } = await openParcels(shop, () => gate.promise, polled.resolve)
  t.after(async () => {
    gate.resolve()
    await scheduler.close()
    await shop.query('drop table parcels')
  })
  scheduler.run()
  while (!t.signal.aborted && delivered.length < 200) await new Promise(setImmediate)
  await createUnanswered(shop, 1)
  shop.clock.ahead += 6_000
  equal((await polled.promise).merchant_id, shop.merchant_id)
  ok(delivered.length < 1000, 'most of the flood waits')
  gate.resolve()
  while (!t.signal.aborted && delivered.length < 1000) await new Promise(setImmediate)
  equal(new Set(delivered.map(({ parcel_id }) => parcel_id)).size, 1000, 'each once')
})

test('an unfinished job runs again after its lease expires, and old rows are deleted', async t => {
  const shop = await openShop()
  const { delivered, scheduler } = await openParcels(
    shop,
    async () => {},
    () => {},
  )
  t.after(() => shop.query('drop table parcels'))
  while ((await scheduler.tick()) > 0);
  equal(new Set(delivered.map(({ parcel_id }) => parcel_id)).size, 1000)
  equal(delivered.length, 1000, 'each once: a lease is not over')
  shop.clock.ahead += 21_000
  equal(await scheduler.tick(), 1)
  deepEqual(delivered[1000], { merchant_id: 'm3', parcel_id: 'p7' })
  shop.clock.ahead += 86_400_000
  await scheduler.tick()
  equal((await shop.query('select 1 from parcels')).length, 0)
})

test('a failing deletion of old rows does not delay jobs', async t => {
  const shop = await openShop()
  await shop.create()
  await createUnanswered(shop, 1)
  const codes = () => shop.query('select 1 from waiting_cvcs where merchant_id = $1', [shop.merchant_id])
  // As if another session held the row's lock for longer than the service waits.
  await shop.query(
    `create function is_locked() returns trigger language plpgsql as
      $$ begin raise exception using errcode = 'lock_not_available'; end $$;
      create trigger is_locked before delete on waiting_cvcs for each row execute function is_locked()`,
  )
  const letGo = () => shop.query('drop function if exists is_locked cascade')
  t.after(letGo)
  shop.clock.ahead += 960_000
  const slow = hangsFor(shop)
  slow.letGo()
  await openPolling(hurried(shop), slow.hang).tick()
  equal(slow.polled(shop).length, 1)
  equal((await codes()).length, 1)
  ok(shop.logs.some(line => line.includes('a scheduled task failed')))
  await letGo()
  await shop.service.tick()
  equal((await codes()).length, 0)
})

test('an idle scheduler runs one statement per tick, and finds due jobs by an index', async () => {
  const { service, query } = await openPlace()
  while ((await service.tick()) > 0);
  const asked: string[] = []
  const context: Context = {
    ...service.context,
    query(statement, values) {
      asked.push(statement.name)
      return service.context.query(statement, values)
    },
  }
  const idle = openPolling(context, async () => {})
  equal(await idle.tick(), 0)
  deepEqual(asked, ['due'])
  const planOf = async (text: string): Promise<string> =>
    (await query(`explain (generic_plan) ${text}`)).map(row => row['QUERY PLAN']).join('\n')
  const look = await planOf(fallsDue.look.text)
  ok(!look.includes('Seq Scan'), `a table of due rows has no index of its time: add one to its migration\n${look}`)
  for (const index of [
    /operations_due/,
    /blocklist_batches_due/,
    /customers_to_forget/,
    /orphaned_records_due/,
    /vault_reviews_due/,
    /audit_log_unsealed/,
    /failed_confirms_due/,
    /waiting_cvcs_due/,
    /idempotency_keys_to_forget/,
    /announcements_to_forget/,
    /deliveries_to_forget/,
  ])
    match(look, index)
  match(await planOf(operationPolls.statement.text), /operations_due/)
})
