import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { newDatabase } from '../../test/shop.ts'
import '../service.ts'
import { merchants } from '../accounts/merchant-row.ts'
import type { Change, Context } from '../context.ts'
import { customers } from '../customers/customer.ts'
import { type Operation, operations } from '../operations/operation.ts'
import { type Payment, payments } from '../payments/payment.ts'
import { waitingCvcs } from '../vault/records.ts'
import { batchStatements, SIZES } from './batch-statements.ts'
import type { Claim } from './change.ts'
import { openCommit } from './commit.ts'
import { openStatements } from './statements.ts'
import { exampleOf } from './table.ts'
import { openWriter } from './writer.ts'

const database = await newDatabase()
const pool = new pg.Pool({ connectionString: database.url, max: 2 })
pool.on('error', () => {})
const at = '2026-06-25T10:00:00.000Z'
const dice: Pick<Context, 'now' | 'random' | 'vault'> = {
  now: () => at,
  random: n => randomBytes(n),
  vault: { digest: () => '' } as unknown as Context['vault'],
}
const writer = openWriter(database.url, ms => new Promise(done => setTimeout(done, ms)))
const commit = openCommit(writer, dice)
after(async () => {
  await writer.close()
  await pool.end()
  await database.drop()
})

type Move = Change & { after: Payment }

const paymentOf = (merchant_id: string, i: number): Payment =>
  exampleOf(payments, {
    merchant_id,
    payment_id: `pay_${merchant_id}_${String(i).padStart(3, '0')}`,
    status: 'processing',
    connector: 'phonypay',
    currency: 'USD',
    amount: 1000 + i,
    net_amount: 1000 + i,
    customer_id: i % 3 === 0 ? null : `cus_${i % 3}`,
    request: { description: `Order ${i}: "quoted", back\\slashed, ünïcode` },
    created: at,
    modified_at: at,
  })
const operationOf = ({ merchant_id, payment_id, amount }: Payment, i: number): Operation =>
  exampleOf(operations, {
    ...{ merchant_id, kind: 'payment', object_id: payment_id, n: 1, state: 'open', amount, request_id: `req_${merchant_id}_${i}` },
    ...{ poll_at: at, began: at, modified_at: at },
  })
const cvcOf = ({ merchant_id, payment_id }: Payment) =>
  exampleOf(waitingCvcs, { merchant_id, payment_id, sealed: Buffer.from([0, 92, 39]) })

/** Gives the change that creates a payment and sends it to its processor at once. */
const begins = (after: Payment, i: number): Move => ({
  head: 'payments',
  before: null,
  after,
  ownId: true,
  rows: [
    { table: 'processor_operations', before: null, after: operationOf(after, i) },
    { table: 'waiting_cvcs', before: null, after: cvcOf(after) },
  ],
  event: { type: 'created', announces: null },
  by: 'somebody',
})

/** Gives the change that settles the payment, from the version that was read. */
const settles = (before: Payment, i: number): Move => ({
  head: 'payments',
  before,
  after: { ...before, status: 'succeeded', amount_authorized: before.amount, amount_received: before.amount, facts: { i } as never },
  rows: [
    {
      table: 'processor_operations',
      before: operationOf(before, i),
      after: { ...operationOf(before, i), state: 'done', poll_at: null, reference: `r${i}` },
    },
    { table: 'waiting_cvcs', before: cvcOf(before), after: null },
  ],
  event: { type: 'settled', announces: 'payment_succeeded' },
  by: 'somebody',
  posts: [{ account: 'due', of: 'phonypay', currency: 'USD', amount: before.amount }] as never,
})

/** Gives all rows of a merchant, without its id and the random ids. */
async function written(merchant_id: string): Promise<Record<string, unknown[]>> {
  const tables = ['payments', 'processor_operations', 'waiting_cvcs', 'listings', 'changes', 'outbox', 'ledger_balances']
  const all: Record<string, unknown[]> = {}
  for (const table of tables) {
    const { rows } = await pool.query(`select to_jsonb(t) - 'event_id' - 'n' as row from ${table} t where merchant_id = $1`, [merchant_id])
    all[table] = rows.map(({ row }) => JSON.stringify(row).replaceAll(merchant_id, 'them')).sort()
  }
  return all
}

test('forty concurrent payments write the same rows as forty sequential ones', async () => {
  for (const merchant_id of ['hermit', 'crowd']) {
    const say = async (changes: Move[]) => {
      if (merchant_id === 'crowd') return Promise.all(changes.map(change => commit(change)))
      const results = []
      for (const change of changes) results.push(await commit(change))
      return results
    }
    const begun = await say(Array.from({ length: 40 }, (_, i) => begins(paymentOf(merchant_id, i), i)))
    const settled = await say(begun.map((one, i) => settles(one.is === 'written' ? one.row : paymentOf(merchant_id, i), i)))
    ok([...begun, ...settled].every(one => one.is === 'written'))
  }
  const [alone, crowd] = [await written('hermit'), await written('crowd')]
  equal(alone.payments!.length, 40)
  equal(alone.changes!.length, 80)
  equal(alone.listings!.length, 40)
  equal(alone.waiting_cvcs!.length, 0)
  deepEqual(crowd, alone)
})

test('among concurrent changes, exactly those of a row that was changed before conflict', async () => {
  const all = Array.from({ length: 34 }, (_, i) => paymentOf('stale', i))
  const begun = await Promise.all(all.map((one, i) => commit(begins(one, i))))
  const rows = begun.map((one, i) => (one.is === 'written' ? one.row : all[i]!))
  const taken = (i: number) => i % 5 === 2
  await Promise.all(rows.map((row, i) => taken(i) && commit({ ...settles(row, i), rows: [] })))
  const results = await Promise.all(rows.map((row, i) => commit(settles(row, i))))
  deepEqual(
    results.map(one => one.is),
    rows.map((_, i) => (taken(i) ? 'conflict' : 'written')),
  )
  const { rows: left } = await pool.query(
    "select object_id from processor_operations where merchant_id = 'stale' and state = 'open' order by 1",
  )
  deepEqual(
    left.map(one => one.object_id),
    rows.filter((_, i) => taken(i)).map(row => row.payment_id),
  )
  equal((await written('stale')).changes!.length, 2 * 34)
})

test('among concurrent inserts, only the one whose row exists fails', async () => {
  const all = Array.from({ length: 20 }, (_, i) => paymentOf('twice', i))
  await commit(begins(all[7]!, 7))
  const results = await Promise.allSettled(all.map((one, i) => commit(begins(one, i))))
  deepEqual(
    results.map(one => (one.status === 'rejected' ? one.reason.code : one.value.is)),
    all.map((_, i) => (i === 7 ? '23505' : 'written')),
  )
  const chosen = Array.from({ length: 20 }, (_, i) => paymentOf('chosen', i))
  const creates = (one: Payment): Move => ({ ...begins(one, 0), ownId: false, rows: [] })
  await commit(creates(chosen[3]!))
  const there = await Promise.all(chosen.map(one => commit(creates(one))))
  deepEqual(
    there.map(one => one.is),
    chosen.map((_, i) => (i === 3 ? 'conflict' : 'written')),
  )
})

const claimOf = (merchant_id: string, key: string, token: string): Claim => ({
  ...{ merchant_id, key, scope: 's', digest: 'd', token, claimed_at: at, stale_before: '-infinity', forget_at: at },
  answer: null,
})

test('concurrent requests each claim their own Idempotency-Key, and one whose key is taken writes nothing', async () => {
  const all = Array.from({ length: 21 }, (_, i) => paymentOf('keyed', i))
  const held = (i: number) => i % 6 === 1
  const other = paymentOf('keyed', 100)
  const holds = async (i: number) =>
    commit({ ...begins({ ...other, payment_id: `pay_other_${i}` }, 100 + i), claim: claimOf('keyed', `key ${i}`, 'other') } as Move)
  for (let i = 0; i < all.length; i++) if (held(i)) equal((await holds(i)).is, 'written')
  const say = (one: Payment, i: number, token: string) => commit({ ...begins(one, i), claim: claimOf('keyed', `key ${i}`, token) } as Move)
  const results = await Promise.all(all.map((one, i) => say(one, i, 'mine')))
  deepEqual(
    results.map(one => one.is),
    all.map((_, i) => (held(i) ? 'conflict' : 'written')),
  )
  const { rows } = await pool.query(
    "select key, token, head_id from idempotency_keys where merchant_id = 'keyed' order by length(key), key",
  )
  deepEqual(
    rows.map(row => ({ ...row })),
    all.map((one, i) => ({ key: `key ${i}`, token: held(i) ? 'other' : 'mine', head_id: held(i) ? `pay_other_${i}` : one.payment_id })),
  )
  const { rows: there } = await pool.query("select count(*)::int as n from processor_operations where merchant_id = 'keyed'")
  equal(there[0].n, 21)
})

test('one of two concurrent requests with the same Idempotency-Key is written, and only a stale claim is taken over', async () => {
  const all = Array.from({ length: 18 }, (_, i) => paymentOf('twins', i))
  const results = await Promise.all(
    all.map((one, i) => commit({ ...begins(one, i), claim: claimOf('twins', `key ${i % 9}`, `token ${i}`) } as Move)),
  )
  equal(results.filter(one => one.is === 'written').length, 9)
  const { rows } = await pool.query("select head_id from idempotency_keys where merchant_id = 'twins'")
  deepEqual(
    rows.map(row => row.head_id).sort(),
    all
      .filter((_, i) => results[i]!.is === 'written')
      .map(one => one.payment_id)
      .sort(),
  )
  // The keys were claimed long ago, and nothing was begun: as after the death of a process between its claim and its
  // work.
  await pool.query(
    `insert into idempotency_keys (merchant_id, key, scope, digest, token, claimed_at, kind, head_id, object_id, version, event_id)
     select 'twins', 'old ' || i, 's', 'd', 'dead', case when i < 4 then '2026-06-25T09:00:00Z' else '2026-06-25T09:59:59Z' end::timestamptz, 'payment', 'none', 'none', 1, 'none' from generate_series(0, 7) i`,
  )
  const later = Array.from({ length: 8 }, (_, i) => paymentOf('twins', 50 + i))
  const taken = await Promise.all(
    later.map((one, i) =>
      commit({ ...begins(one, 50 + i), claim: { ...claimOf('twins', `old ${i}`, 'new'), stale_before: '2026-06-25T09:30:00Z' } } as Move),
    ),
  )
  deepEqual(
    taken.map(one => one.is),
    later.map((_, i) => (i < 4 ? 'written' : 'conflict')),
  )
})

test('two processes that change the same payments in different orders finish, and one of both changes each payment', async () => {
  const other = openWriter(database.url, ms => new Promise(done => setTimeout(done, ms)))
  const both = [commit, openCommit(other, dice)] as const
  for (let round = 0; round < 6; round++) {
    const all = Array.from({ length: 12 }, (_, i) => paymentOf(`rivals${round}`, i))
    const begun = await Promise.all(all.map((one, i) => commit(begins(one, i))))
    const rows = begun.map((one, i) => (one.is === 'written' ? one.row : all[i]!))
    // Settled payments have one shape of change, noted ones another: each process notes the payments that the other
    // settles.
    const noted = (row: Payment): Move => ({
      ...{ head: 'payments', before: row, after: { ...row, facts: { noted: true } as never }, rows: [] },
      ...{ event: { type: 'noted', announces: null }, by: 'somebody' },
    })
    const results = await Promise.all(
      both.map((say, who) => Promise.all(rows.map((row, i) => say(i % 2 === who ? settles(row, i) : noted(row))))),
    )
    for (let i = 0; i < rows.length; i++) deepEqual(results.map(one => one[i]!.is).sort(), ['conflict', 'written'])
    equal((await written(`rivals${round}`)).changes!.length, 24)
  }
  await other.close()
})

test('changes of one shape are sent together in statements of fixed sizes; other changes are sent alone', () => {
  const shape = (name: string, joins: boolean) => ({
    name,
    text: name,
    ...(joins && { ofMany: (n: number) => ({ name: `${name} of ${n}`, text: '' }) }),
  })
  const [many, few, apart] = [shape('many', true), shape('few', true), shape('apart', false)]
  const items = Array.from({ length: 32 }, (_, i) => ({ statement: i % 16 === 9 ? few : i % 8 === 1 ? apart : many, values: [i] }))
  const { items: ordered, calls } = batchStatements(items)
  deepEqual(
    calls.map(({ statement, and }) => [statement.name, 1 + (and?.length ?? 0)]),
    [['many of 16', 16], ['many of 8', 8], ['many of 4', 4], ...Array(2).fill(['apart', 1]), ...Array(2).fill(['few', 1])],
  )
  deepEqual(
    ordered.map(({ values }) => values),
    calls.flatMap(({ values, and = [] }) => [values, ...and.map(one => one.values)]),
  )
  equal(new Set(ordered).size, 32)
})

test('a change of shared rows, or with a row that is not its own, is sent alone', () => {
  const { of } = openStatements(() => '')
  const joins = (change: object) => of(change as never, 'evt', at).statement.ofMany !== undefined
  const begun = begins(paymentOf('m', 1), 1)
  ok(joins(begun))
  ok(joins(settles(paymentOf('m', 1), 1)))
  const customer = exampleOf(customers, { merchant_id: 'm' })
  ok(!joins({ ...begun, rows: [{ table: 'customers', before: customer, after: { ...customer, default_payment_method_id: 'pm' } }] }))
  const merchant = exampleOf(merchants)
  ok(!joins({ ...begun, head: 'merchants', before: merchant, after: merchant, rows: [] }))
})

test('a statement for many finds every row by its key, also without table statistics', async () => {
  const fresh = await newDatabase()
  const client = new pg.Client({ connectionString: fresh.url })
  await client.connect()
  try {
    for (const setting of ['seqscan', 'hashjoin', 'mergejoin']) await client.query(`set enable_${setting} = off`)
    const { of } = openStatements(() => '')
    const settle = of(settles(paymentOf('m', 1), 1), 'evt', at).statement
    for (const size of SIZES) {
      const { text } = settle.ofMany!(size)
      const plan = (await client.query(`explain (generic_plan) ${text}`)).rows.map(row => row['QUERY PLAN'] as string)
      const found = plan.flatMap((line, i) =>
        /Index Scan using (\w+)/.test(line) ? [`${line.match(/using (\w+)/)![1]} by ${plan[i + 1]!.trim()}`] : [],
      )
      for (const [index, columns] of [
        ['payments_pkey', 'merchant_id payment_id'],
        ['processor_operations_pkey', 'merchant_id kind object_id n'],
        ['waiting_cvcs_pkey', 'merchant_id payment_id'],
      ] as const) {
        const by = found.filter(one => one.startsWith(`${index} by Index Cond`))
        equal(by.length, 1, plan.join('\n'))
        for (const column of columns.split(' ')) ok(new RegExp(`\\(${column} = `).test(by[0]!), by[0])
      }
      ok(!plan.some(line => /Seq Scan on (payments|processor_operations|waiting_cvcs)/.test(line)))
      // A payment that is listed already, and changes its status.
      const listed: Payment = { ...paymentOf('m', 1), version: 2, status: 'requires_capture' }
      const moves = of({ ...settles(listed, 1), rows: [] }, 'evt', at).statement.ofMany!(size)
      ok(moves.text.includes('update listings'))
      const moved = (await client.query(`explain (generic_plan) ${moves.text}`)).rows.map(row => row['QUERY PLAN'] as string)
      const scan = moved.findIndex(line => line.includes('Index Scan using listings_pkey on listings'))
      for (const column of ['merchant_id', 'kind', 'created', 'object_id'])
        ok(new RegExp(`Index Cond:.*\\(${column} = `).test(moved[scan + 1] ?? ''), moved.join('\n'))
    }
  } finally {
    await client.end()
    await fresh.drop()
  }
})
