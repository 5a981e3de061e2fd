import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { openDeadlines } from '../../test/database-deadlines.ts'
import { openProxy } from '../../test/postgres-proxy.ts'
import { newDatabase } from '../../test/shop.ts'
import type { Change, Context } from '../context.ts'
import { openOperation } from '../operations/open.ts'
import { ownerOf, type Payment, payments } from '../payments/payment.ts'
import { refunds } from '../refunds/refund.ts'
import type { Claim } from './change.ts'
import { openCommit } from './commit.ts'
import { DatabaseAway } from './connection.ts'
import { type Deadlines, usualDeadlines } from './connection-settings.ts'
import { exampleOf } from './table.ts'
import { openWriter } from './writer.ts'

const dice: Pick<Context, 'now' | 'random' | 'vault'> = {
  now: () => new Date().toISOString(),
  random: n => randomBytes(n),
  vault: { digest: () => '' } as unknown as Context['vault'],
}
const wait = (ms: number) => new Promise<void>(done => setTimeout(done, ms))

const database = await newDatabase()
const pool = new pg.Pool({ connectionString: database.url, max: 4 })
// A connection that was released may still exist when its database is dropped.
pool.on('error', () => {})
const rows = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows
const opened: (() => Promise<void>)[] = []
after(async () => {
  for (const close of opened) await close()
  await pool.end()
  await database.drop()
})

function open(url = database.url, deadlines?: Deadlines, now?: () => number, context = dice) {
  const writer = openWriter(url, wait, now, deadlines)
  opened.push(() => writer.close())
  return { writer, commit: openCommit(writer, context) }
}

let count = 0
const payment = (more: Partial<Payment> = {}): Payment =>
  exampleOf(payments, {
    merchant_id: 'm',
    payment_id: `pay_${String(++count).padStart(26, '0')}`,
    status: 'requires_confirmation',
    connector: 'phonypay',
    currency: 'USD',
    amount: 1000,
    net_amount: 1000,
    amount_authorized: 1000,
    amount_received: 1000,
    operation_count: 0,
    request: { description: 'Order 1' },
    ...more,
  })

const insertion = (after: Payment): Change & { after: Payment } => ({
  head: 'payments',
  before: null,
  after,
  rows: [],
  event: { type: 'created', announces: null },
  by: 'somebody',
})
const move = (
  before: Payment,
  changes: Partial<Payment>,
  more: Partial<Pick<Change, 'rows' | 'event'>> = {},
): Change & { after: Payment } => ({
  head: 'payments',
  before,
  after: { ...before, ...changes },
  rows: [],
  event: { type: 'moved', announces: 'payment_processing' },
  by: 'somebody',
  ...more,
})

async function stored(commit: Context['commit'], more: Partial<Payment> = {}): Promise<Payment> {
  const written = await commit<Payment>(insertion(payment(more)))
  ok(written.is === 'written')
  return written.row
}

test('a change writes its row, its operation and its event together, and counts versions and announced events', async () => {
  const { commit } = open()
  const before = await stored(commit)
  const operation = openOperation(
    dice,
    before,
    { connector_name: 'phonypay', merchant_connector_id: 'mca' },
    { ...ownerOf(before), verb: 'capture', purpose: 'merchant', acts_on: 1, amount: 10 },
  )
  const written = await commit(
    move(
      before,
      { status: 'processing', operation_count: 1 },
      { rows: [{ table: 'processor_operations', before: null, after: operation }] },
    ),
  )
  ok(written.is === 'written')
  deepEqual([written.row.version, written.row.sequence], [2, 1])
  const [row] = await rows('select version, sequence, status from payments where payment_id = $1', [before.payment_id])
  deepEqual({ ...row }, { version: 2, sequence: 1, status: 'processing' })
  const events = await rows('select version, sequence, type, was, by from changes where object_id = $1 order by version', [
    before.payment_id,
  ])
  deepEqual(
    events.map(e => [e.version, e.sequence, e.type]),
    [
      [1, null, 'created'],
      [2, 1, 'moved'],
    ],
  )
  deepEqual(events[1]!.was, { status: 'requires_confirmation', operation_count: 0, rows: { 'processor_operations 1': null } })
  equal(events[1]!.by, 'somebody')
  equal((await rows('select * from processor_operations where object_id = $1', [before.payment_id])).length, 1)
})

test('a conflict writes nothing: not the row, not the operation, not the event', async () => {
  const { commit } = open()
  const before = await stored(commit)
  const first = await commit(move(before, { amount_refunding: 100 }))
  equal(first.is, 'written')
  const operation = openOperation(
    dice,
    before,
    { connector_name: 'phonypay', merchant_connector_id: 'mca' },
    { ...ownerOf(before), verb: 'refund', purpose: 'merchant', acts_on: 1, amount: 10 },
  )
  const second = await commit(
    move(before, { amount_refunding: 900 }, { rows: [{ table: 'processor_operations', before: null, after: operation }] }),
  )
  equal(second.is, 'conflict')
  const [row] = await rows('select version, amount_refunding::int as amount from payments where payment_id = $1', [before.payment_id])
  deepEqual({ ...row }, { version: 2, amount: 100 })
  equal((await rows('select * from processor_operations where object_id = $1', [before.payment_id])).length, 0)
  equal((await rows('select * from changes where object_id = $1', [before.payment_id])).length, 2)
})

test('a payment_id that exists is a conflict, not an error', async () => {
  const { commit } = open()
  const existing = await stored(commit)
  equal((await commit(insertion({ ...existing }))).is, 'conflict')
})

test('commits of concurrent requests share transactions', async () => {
  const { commit } = open()
  const payments = Array.from({ length: 60 }, () => payment())
  const written = await Promise.all(payments.map(p => commit(insertion(p))))
  ok(written.every(w => w.is === 'written'))
  const [{ transactions }] = (await rows('select count(distinct xmin::text)::int as transactions from changes where object_id = any($1)', [
    payments.map(p => p.payment_id),
  ])) as [{ transactions: number }]
  ok(transactions < 20, `60 changes took ${transactions} transactions`)
})

test('one of two concurrent changes of a payment is written, and the other conflicts', async () => {
  const { commit } = open()
  const before = await stored(commit)
  const results = await Promise.all([commit(move(before, { amount_refunding: 600 })), commit(move(before, { amount_refunding: 601 }))])
  deepEqual(results.map(r => r.is).sort(), ['conflict', 'written'])
})

test('a change that the database refuses fails alone; those that shared its transaction are written', async () => {
  const { commit } = open()
  const good = Array.from({ length: 20 }, () => payment())
  const bad = payment({ amount_refunded: 2000 })
  const results = await Promise.allSettled([...good.slice(0, 10), bad, ...good.slice(10)].map(p => commit(insertion(p))))
  deepEqual(
    results.map(r => r.status),
    [...Array(10).fill('fulfilled'), 'rejected', ...Array(10).fill('fulfilled')],
  )
  const there = await rows('select payment_id from payments where payment_id = any($1)', [[...good, bad].map(p => p.payment_id)])
  equal(there.length, 20)
  ok(!there.some(row => row.payment_id === bad.payment_id))
})

test('several bad changes in one batch each fail alone', async () => {
  const { commit } = open()
  const batch = Array.from({ length: 12 }, (_, i) => payment(i % 4 === 0 ? { amount_capturable: 5000 } : {}))
  const results = await Promise.allSettled(batch.map(p => commit(insertion(p))))
  deepEqual(
    results.map(r => r.status),
    batch.map((_, i) => (i % 4 === 0 ? 'rejected' : 'fulfilled')),
  )
})

test('a locked row delays only its own change', async () => {
  const { commit } = open()
  const held = await stored(commit)
  const locker = await pool.connect()
  await locker.query('begin')
  await locker.query('select 1 from payments where payment_id = $1 for update', [held.payment_id])
  const slow = commit(move(held, { amount_refunding: 5 }))
  const others = await Promise.all(Array.from({ length: 5 }, () => commit(insertion(payment()))))
  ok(others.every(w => w.is === 'written'))
  await locker.query('commit')
  locker.release()
  equal((await slow).is, 'written')
})

test('the database refuses an unfinished operation without a time to poll, and a finished one with it', async () => {
  const { commit } = open()
  const before = await stored(commit)
  const operation = openOperation(
    dice,
    before,
    { connector_name: 'phonypay', merchant_connector_id: 'mca' },
    { ...ownerOf(before), verb: 'capture', purpose: 'merchant', acts_on: 1, amount: 10 },
  )
  await rejects(
    commit(move(before, {}, { rows: [{ table: 'processor_operations', before: null, after: { ...operation, poll_at: null } }] })),
    /unfinished_operations_are_polled/,
  )
  await rejects(
    commit(move(before, {}, { rows: [{ table: 'processor_operations', before: null, after: { ...operation, state: 'done' } }] })),
    /unfinished_operations_are_polled/,
  )
})

test('one refund_id used on two payments at once reserves money on only one of them', async () => {
  const { commit } = open()
  const both = await Promise.all([stored(commit), stored(commit)])
  const refund = (p: Payment) =>
    exampleOf(refunds, { merchant_id: 'm', refund_id: 'ref_00000000000000000000000001', payment_id: p.payment_id, amount: 100 })
  const results = await Promise.all(
    both.map(p => commit(move(p, { amount_refunding: 100 }, { rows: [{ table: 'refunds', before: null, after: refund(p) }] }))),
  )
  deepEqual(results.map(r => r.is).sort(), ['conflict', 'written'])
  const reserved = await rows('select sum(amount_refunding)::int as sum from payments where payment_id = any($1)', [
    both.map(p => p.payment_id),
  ])
  equal(reserved[0]!.sum, 100)
})

const claim = (token: string, key = 'key-1'): Claim => ({
  merchant_id: 'm',
  key,
  scope: 's',
  digest: 'd',
  token,
  claimed_at: dice.now(),
  stale_before: new Date(Date.now() - 30_000).toISOString(),
  forget_at: dice.now(),
  answer: null,
})

test('a change whose Idempotency-Key is taken writes nothing, not even its refund', async () => {
  const { commit } = open()
  const before = await stored(commit)
  const refund = (refund_id: string) => exampleOf(refunds, { merchant_id: 'm', refund_id, payment_id: before.payment_id, amount: 100 })
  const begin = (p: Payment, refund_id: string, token: string) =>
    commit({
      ...move(p, { amount_refunding: p.amount_refunding + 100 }, { rows: [{ table: 'refunds', before: null, after: refund(refund_id) }] }),
      claim: claim(token, 'refund-key'),
    } as Change & { after: Payment })
  const [first, second] = [`ref_${'1'.repeat(26)}`, `ref_${'2'.repeat(26)}`]
  const done = await begin(before, first, 'one process')
  ok(done.is === 'written')
  // The second process has read the payment after the first one's commit, so its version is right; only the key
  // belongs to the first.
  deepEqual(await begin(done.row, second, 'another'), { is: 'conflict' })
  const left = await rows('select refund_id from refunds where payment_id = $1', [before.payment_id])
  deepEqual(
    left.map(row => row.refund_id),
    [first],
  )
})

test('an Idempotency-Key is claimed together with its payment, by only one of several concurrent requests', async () => {
  const { commit } = open()
  const attempts = Array.from({ length: 8 }, (_, i) => ({ p: payment(), c: claim(`t${i}`) }))
  const results = await Promise.all(attempts.map(({ p, c }) => commit({ ...insertion(p), claim: c } as Change & { after: Payment })))
  equal(results.filter(r => r.is === 'written').length, 1)
  equal((await rows('select * from payments where payment_id = any($1)', [attempts.map(a => a.p.payment_id)])).length, 1)
  const [row] = await rows("select head_id as payment_id, object_id, status from idempotency_keys where key = 'key-1'")
  const winner = attempts[results.findIndex(r => r.is === 'written')]!.p
  deepEqual({ ...row }, { payment_id: winner.payment_id, object_id: winner.payment_id, status: null })
})

for (const how of ['before', 'after', 'late'] as const) {
  test(`an interrupted COMMIT (${how}) is run again under the same guard: every change is written exactly once, and reported as written`, async () => {
    const proxy = await openProxy(database.url)
    const { commit } = open(proxy.url)
    await commit(insertion(payment()))
    for (let round = 0; round < 12; round++) {
      const existing = await Promise.all(Array.from({ length: 3 }, () => stored(commit)))
      proxy.cutNext(how, ...(round % 3 === 0 ? [how] : []))
      const fresh = Array.from({ length: 4 }, () => payment())
      const results = await Promise.all([
        ...fresh.map((p, i) => commit({ ...insertion(p), ownId: i % 2 === 0 })),
        ...existing.map(p => commit(move(p, { amount_refunding: p.amount_refunding + 7 }))),
      ])
      deepEqual(
        results.map(r => r.is),
        Array(7).fill('written'),
      )
      const ids = [...fresh, ...existing].map(p => p.payment_id)
      const events = await rows(
        'select object_id as payment_id, count(*)::int as n, max(version) as version from changes where object_id = any($1) group by 1',
        [ids],
      )
      equal(events.length, 7)
      for (const event of events) equal(event.n, fresh.some(p => p.payment_id === event.payment_id) ? 1 : 2)
      const moved = await rows('select amount_refunding::int as amount, version from payments where payment_id = any($1)', [
        existing.map(p => p.payment_id),
      ])
      deepEqual(
        moved.map(m => ({ ...m })),
        Array(3).fill({ amount: 7, version: 2 }),
      )
    }
    // Statements that PostgreSQL receives late must find the guard false.
    await proxy.lateIsOver()
    equal((await rows('select 1 from payments where version > 2 and amount_refunding > 7')).length, 0)
    ok(proxy.cut() >= 12)
    await proxy.close()
  })
}

for (const how of ['before', 'after', 'late'] as const) {
  test(`a change that was interrupted (${how}) and written minutes later keeps its event id, and is placed at the time of the write`, async t => {
    const proxy = await openProxy(database.url)
    t.after(() => proxy.close())
    const start = Date.now()
    // Ten minutes pass until the database is back.
    const passed = () => 600_000 * proxy.cut()
    const context = { ...dice, now: () => new Date(start + passed()).toISOString() }
    const { commit } = open(proxy.url, undefined, passed, context)
    await commit(insertion(payment()))
    const ids: string[] = []
    const minutes = (id: string): number => (Number.parseInt(id.slice(4, 16), 16) - start) / 60_000
    const event = { type: 'created', announces: 'payment_processing' as const }
    for (let round = 1; round <= 4; round++) {
      const before = await stored(commit)
      const [fresh, claimed] = [payment(), payment()]
      ids.push(before.payment_id, fresh.payment_id, claimed.payment_id)
      proxy.cutNext(how)
      const results = await Promise.all([
        commit({ ...insertion(fresh), event }),
        commit({ ...insertion(claimed), event, claim: claim('one process', `late ${how} ${round}`) } as Change & { after: Payment }),
        commit(move(before, { amount_refunding: 7 })),
      ])
      deepEqual(
        results.map(r => r.is),
        ['written', 'written', 'written'],
      )
      const changes = await rows(
        'select c.event_id, c.created, l.place from changes c left join late_events l using (merchant_id, event_id) where (object_id = $1 and version = 2) or object_id = any($2)',
        [before.payment_id, [fresh.payment_id, claimed.payment_id]],
      )
      equal(changes.length, 3)
      for (const { event_id, created, place } of changes) {
        equal(minutes(event_id), 10 * (round - 1))
        equal(created.getTime(), start + 600_000 * (round - 1))
        // The first try may have been written nevertheless.
        if (place !== null || how === 'before') equal(minutes(place), 10 * round)
      }
      // The key knows by its event that the work has begun: both tries must contain the same event id.
      const begun = 'select from idempotency_keys join changes using (event_id) where head_id = $1 and changes.object_id = $1'
      equal((await rows(begun, [claimed.payment_id])).length, 1)
    }
    await proxy.lateIsOver()
    // Statements that PostgreSQL receives late find the guard false: two events of each payment that moved, one of
    // each new one.
    equal((await rows('select 1 from changes where object_id = any($1)', [ids])).length, 4 * 4)
  })
}

test('a connection that stops responding before or after a COMMIT is closed, and every change is written exactly once', async t => {
  const { deadlines, pass, close } = openDeadlines()
  const proxy = await openProxy(database.url, 0, pass)
  t.after(async () => {
    close()
    await proxy.close()
  })
  const { commit } = open(proxy.url, deadlines)
  const before = await stored(commit)
  proxy.fallSilent()
  const moved = await commit(move(before, { amount_refunding: 7 }))
  ok(moved.is === 'written')
  proxy.cutNext('unanswered')
  const results = await Promise.all([commit(move(moved.row, { amount_refunding: 14 })), commit(insertion(payment()))])
  deepEqual(
    results.map(r => r.is),
    ['written', 'written'],
  )
  const [row] = await rows('select version, amount_refunding::int as amount from payments where payment_id = $1', [before.payment_id])
  deepEqual({ ...row }, { version: 3, amount: 14 })
  equal((await rows('select 1 from changes where object_id = $1', [before.payment_id])).length, 3)
})

test('a statement that PostgreSQL cancels after the timeout is rejected as not written', async () => {
  const { writer } = open(database.url, { ...usualDeadlines, statement_ms: 30 })
  const slow = { statement: { name: 'slow', text: 'select pg_sleep(30)' }, values: [] }
  await rejects(writer.write({ ...slow, key: 'slow', proof: slow }), DatabaseAway)
})

for (const slip of ['BEGIN', 'Sync'] as const) {
  test(`an unexpected response of PostgreSQL (${slip}) does not count as a commit: everything is written once, and reported as written`, async t => {
    const proxy = await openProxy(database.url)
    t.after(() => proxy.close())
    const { commit } = open(proxy.url)
    const existing = await stored(commit)
    proxy.slipIn(slip)
    const fresh = Array.from({ length: 4 }, () => payment())
    const results = await Promise.all([commit(move(existing, { amount_refunding: 7 })), ...fresh.map(p => commit(insertion(p)))])
    deepEqual(
      results.map(r => r.is),
      Array(5).fill('written'),
    )
    const written = await rows('select version from payments where payment_id = any($1) order by version', [
      [existing, ...fresh].map(p => p.payment_id),
    ])
    deepEqual(
      written.map(({ version }) => version),
      [1, 1, 1, 1, 2],
    )
  })
}

test('while the database is unavailable, and after the writer is closed, a change is rejected as not written', async () => {
  let hurry = 0
  const writer = openWriter(
    'postgresql://nobody@127.0.0.1:1/none',
    async () => {
      hurry += 1000
      await wait(1)
    },
    () => performance.now() + hurry,
  )
  const commit = openCommit(writer, dice)
  await rejects(commit(insertion(payment())), DatabaseAway)
  await writer.close()
  await rejects(commit(insertion(payment())), DatabaseAway)
})
