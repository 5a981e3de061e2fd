import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { purchase } from '../../bench/body.ts'
import { openShop } from '../../test/shop.ts'

/**
 * Counts do not scatter as times do, so they serve as a limit: a commit that makes a payment more expensive changes a
 * number here, and docs/design/payment-cost.md gives the reason. `pg_walinspect` shows the write-ahead log of
 * this database alone; PostgreSQL's own work (it vacuums and counts now and then) is not part of it.
 */

const PAYMENTS = 40

/** The bytes of write-ahead log for a payment whose customer waits alone; images of whole pages are not counted. */
const MOST_BYTES = 5700

const written = `select c.relname as name, w.resource_manager || ' ' || w.record_type as what,
    count(*)::int as records, sum(w.record_length - coalesce(w.block_fpi_length, 0))::int as bytes
  from pg_get_wal_block_info($1, $2, false) w join pg_class c on c.relfilenode = w.relfilenode
  where w.reldatabase = (select oid from pg_database where datname = current_database()) and w.block_id = 0
    and c.relnamespace = 'public'::regnamespace and w.record_type not like '%VACUUM%'
  group by 1, 2`

test('an ordinary payment inserts five rows besides the outbox, updates two, and writes at most 5.7 kB of write-ahead log', async () => {
  const shop = await openShop()
  await shop.query('create extension pg_walinspect')
  const pay = async () => equal((await shop.post('/payments', { ...purchase, confirm: true })).body.status, 'succeeded')
  const flushed = async () => (await shop.query('select pg_current_wal_flush_lsn() as at'))[0]!.at as string
  for (let i = 0; i < 5; i++) await pay()
  const from = await flushed()
  for (let i = 0; i < PAYMENTS; i++) await pay()
  const rows = (await shop.query(written, [from, await flushed()])) as { name: string; what: string; records: number; bytes: number }[]
  const heap = (verb: RegExp) =>
    Object.fromEntries(
      Object.entries(Object.groupBy(rows, row => row.name))
        .map(
          ([name, its]) => [name, its!.filter(row => verb.test(row.what)).reduce((sum, row) => sum + row.records, 0) / PAYMENTS] as const,
        )
        .filter(([name, count]) => count >= 0.5 && name !== 'outbox')
        .sort(),
    )
  deepEqual(heap(/^Heap INSERT/), { changes: 2, listings: 1, payments: 1, processor_operations: 1 })
  deepEqual(heap(/^Heap (HOT_)?UPDATE/), { payments: 1, processor_operations: 1 })
  deepEqual(heap(/^Heap HOT_UPDATE/), { payments: 1 })
  const bytes = rows.filter(row => row.name !== 'outbox').reduce((sum, row) => sum + row.bytes, 0) / PAYMENTS
  ok(bytes <= MOST_BYTES, `${Math.round(bytes)} bytes`)
})
