import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'

/**
 * The amounts that PostgreSQL has written so far. Each backend reports its flushes about once a second, so flushes are
 * exact only over some seconds.
 */
export type Counters = { walBytes: number; writes: number; flushes: number }

export async function readCounters(database: pg.Client): Promise<Counters> {
  // PostgreSQL gives transaction ids only to transactions that write.
  const { rows } =
    await database.query(`select pg_current_wal_insert_lsn() - '0/0' as wal, pg_snapshot_xmax(pg_current_snapshot())::text as xid,
    (select sum(fsyncs) from pg_stat_io where object = 'wal') as flushes`)
  return { walBytes: Number(rows[0].wal), writes: Number(rows[0].xid), flushes: Number(rows[0].flushes) }
}

/** Counts the payments that have succeeded, once no payment is under way any more. */
export async function countSucceeded(database: pg.Client): Promise<number> {
  for (let last = -1; ; ) {
    const { rows } = await database.query("select count(*) filter (where status = 'succeeded') as n from payments")
    const count = Number(rows[0].n)
    if (count === last) return count
    last = count
    await wait(200)
  }
}

/** Deletes all payments. The rows that stay were written by the measurement itself. */
export async function empty(database: pg.Client): Promise<void> {
  await database.query(
    'truncate payments, processor_operations, refunds, changes, outbox, idempotency_keys, vault_records, waiting_cvcs, listings',
  )
}

/**
 * Brings the database into the state of one that has been in use for a while, with the statistics that PostgreSQL's
 * plans are based on. (On an empty table PostgreSQL may choose an index that is slow on a full one, and keeps that
 * plan until it gathers statistics by itself, a minute or so later.)
 */
export async function settleDown(database: pg.Client): Promise<void> {
  await database.query('vacuum analyze')
}

/** Makes a checkpoint, so that every point begins equally far from the next one. */
export async function checkpoint(database: pg.Client): Promise<void> {
  await database.query('checkpoint')
}
