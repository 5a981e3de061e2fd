// Alone: the tables of the service, and none of other tests.
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlace, openShop } from '../../test/shop.ts'
import type { Change } from '../context.ts'
import { openOperation } from '../operations/open.ts'
import { findOperation, type Operation } from '../operations/operation.ts'
import { ownerOf, type Payment } from '../payments/payment.ts'
import { findPayment } from '../payments/rows.ts'
import { allTables, exampleOf } from './table.ts'

/** The short names of PostgreSQL's own types. */
const short: Record<string, string> = { int4: 'int', int8: 'bigint', bool: 'boolean' }

type Described = { table: string; column: string; sql: string; nullable: boolean; words: readonly string[] | null; key: number }

test('the table definitions match the migrated database: columns, types, nulls, keys and enum values', async () => {
  const { query } = await openPlace()
  const columns = (await query(
    `select c.relname as table, a.attname as column, t.typname as sql, not a.attnotnull as nullable,
       (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid) as words,
       coalesce(array_position(k.conkey, a.attnum), 0) as key
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped join pg_type t on t.oid = a.atttypid
       left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname <> 'schema_version'`,
  )) as Described[]
  const line = ({ table, column, sql, nullable, words, key }: Described) =>
    `${table}.${column} ${short[sql] ?? sql}${nullable ? ' or null' : ''}${key ? `, key ${key}` : ''}${words ? `: ${[...words].sort()}` : ''}`
  const described = allTables().flatMap(table =>
    table.names.map(column => line({ table: table.name, column, ...table.columns[column]!.is, key: table.key.indexOf(column) + 1 })),
  )
  const leaving = allTables().flatMap(table => table.leaving.map(column => `${table.name}.${column}`))
  const there = columns.filter(({ table, column }) => !leaving.includes(`${table}.${column}`)).map(line)
  const only = (all: string[], others: string[]) => all.filter(one => !others.includes(one)).sort()
  deepEqual(
    { described: only(described, there), migrated: only(there, described) },
    { described: [], migrated: [] },
    'described: columns that a table describes, and no migration adds (write one: docs/adding.md); migrated: columns that a migration adds, and no table describes',
  )
})

test('the example row of each table can be inserted into the database', async () => {
  const { query } = await openPlace()
  for (const table of allTables()) {
    // Each of these tables has exactly one row, which exists already.
    if (['settings_version', 'audit_chain'].includes(table.name)) continue
    const row = exampleOf(table)
    await query(
      `insert into ${table.name} (${table.names.join(', ')}) overriding system value values (${table.names.map((_, i) => `$${i + 1}`).join(', ')})`,
      table.names.map(name => row[name]),
    )
  }
})

/** Makes a hold, and a change of it that the service could have written by mistake. */
async function spoiled(spoil: (before: Payment, operation: Operation) => Pick<Change, 'rows'> & { after: object }) {
  const shop = await openShop()
  const { context } = shop.service
  const { payment_id } = await shop.hold()
  const before = (await findPayment(context, shop.merchant_id, payment_id))!
  const operation = (await findOperation(context, { merchant_id: shop.merchant_id, kind: 'payment', object_id: payment_id }, 1))!
  const change = {
    before,
    event: { type: 'moved', announces: null },
    head: 'payments',
    by: 'somebody',
    ...spoil(before, operation),
  } as Change & { after: Payment }
  return {
    write: () => context.commit(change),
    unharmed: async () => deepEqual(await findPayment(context, shop.merchant_id, payment_id), before),
  }
}

test('a change with a missing column is refused, and nothing is written', async () => {
  const forgotten = await spoiled(before => ({ after: { ...before, amount_received: undefined }, rows: [] }))
  await rejects(forgotten.write(), /payments\.amount_received is missing from what is written/)
  await forgotten.unharmed()
  const halfARow = await spoiled((before, operation) => {
    const { poll_at: _forgotten, ...half } = openOperation(
      { now: () => operation.began, random: n => Buffer.alloc(n) },
      before,
      { connector_name: 'phonypay', merchant_connector_id: operation.merchant_connector_id },
      { ...ownerOf(before), verb: 'capture', purpose: 'merchant', acts_on: 1, amount: 1 },
    )
    return { after: before, rows: [{ table: 'processor_operations', before: null, after: half }] }
  })
  await rejects(halfARow.write(), /processor_operations\.poll_at is missing from what is written/)
  await halfARow.unharmed()
})

test('a change of a fixed column is refused, never ignored', async () => {
  const renamed = await spoiled(before => ({ after: { ...before, client_secret: 'another' }, rows: [] }))
  await rejects(renamed.write(), /payments\.client_secret never changes/)
  await renamed.unharmed()
  const another = await spoiled(before => ({ after: { ...before, payment_id: `pay_${'0'.repeat(26)}` }, rows: [] }))
  await rejects(another.write(), /payments\.payment_id never changes/)
  await another.unharmed()
  const larger = await spoiled((before, operation) => ({
    after: before,
    rows: [{ table: 'processor_operations', before: operation, after: { ...operation, amount: operation.amount + 1 } }],
  }))
  await rejects(larger.write(), /processor_operations\.amount never changes/)
  await larger.unharmed()
})

test('a column that is added while the service runs fails no request', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const { body: refund } = await shop.refund(payment_id, 100)
  const everything = () =>
    Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        await shop.events(payment_id)
        await shop.get(payment_id, '?expand_attempts=true&force_sync=true')
        await shop.getRefund(refund.refund_id)
        await shop.pay()
        const held = await shop.hold()
        equal((await shop.cancel(held.payment_id)).status, 200)
        const keyed = await shop.post('/payments', shop.payBody({}), { 'idempotency-key': `${payment_id}-${i}` })
        equal(keyed.status, 200, keyed.text)
      }),
    )
  await everything()
  for (const table of allTables()) await shop.query(`alter table ${table.name} add column later text`)
  try {
    await everything()
    const { body } = await shop.call('GET', `/account/${shop.merchant_id}/connectors`)
    equal(body.length, 1)
    // A new shop makes the service read the settings again.
    await (await openShop()).pay()
  } finally {
    for (const table of allTables()) await shop.query(`alter table ${table.name} drop column later`)
  }
})
