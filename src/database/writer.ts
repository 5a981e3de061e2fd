import type { Socket } from 'node:net'
import pg from 'pg'
import type { Row, Statement } from '../world.ts'
import { connectionSettings, isAway } from './connection.ts'

type Call = { statement: Statement; values: unknown[] }

/** Something to write: one statement, atomic on its own. `key`: at most one item of a key is in a batch, and batches are sorted by it (no deadlocks). */
export type Item = Call & { key: string; proof: Call }

/** The database has been away for longer than a caller should wait; nothing was written. */
export class DatabaseAway extends Error {}

type Waiting = Item & {
  since: number
  /** A COMMIT that held it was cut off: it may be written. It is then run again alone, under the same guard. */
  cutOff: boolean
  /** It stood first in a batch that failed: it runs alone, so that it can harm nobody. */
  alone: boolean
  lockWaits: number
  resolve(rows: Row[]): void
  reject(error: Error): void
}

type Settled = PromiseSettledResult<pg.QueryResult>

const LARGEST_BATCH = 64
const PATIENCE_MS = 3000
const LOCK_NOT_AVAILABLE = '55P03'
const TRANSACTION_ABORTED = '25P02'
const worthRepeating = new Set([LOCK_NOT_AVAILABLE, '40001', '40P01', '55006'])

/**
 * Writes items with the items of concurrent requests: BEGIN, what has gathered, COMMIT go out at once on one pipelined connection; meanwhile the next batch
 * gathers. No timer: one client alone never waits.
 *
 * An item counts as written only if the COMMIT's own command tag is `COMMIT`: after an error inside the batch, COMMIT *succeeds* with the tag `ROLLBACK`.
 */
export function openWriter(url: string, wait: (ms: number) => Promise<void>, now: () => number = Date.now) {
  let queue: Waiting[] = []
  let client: pg.Client | null = null
  let running = false
  let closed = false

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({ ...connectionSettings(url, 'writes'), pipeline: true } as pg.ClientConfig)
    const forget = () => {
      if (client === fresh) client = null
    }
    fresh.on('error', forget)
    fresh.on('end', forget)
    await fresh.connect()
    client = fresh
    return fresh
  }

  /** The connection, however long it takes. While it is away, items that were never sent are handed back once they have waited too long. */
  async function connected(): Promise<pg.Client | null> {
    for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
      if (client) return client
      try {
        return await connect()
      } catch (error) {
        const giveUp = closed || !isAway(error) ? Number.POSITIVE_INFINITY : now() - PATIENCE_MS
        const [back, stay] = [queue.filter(i => !i.cutOff && i.since <= giveUp), queue.filter(i => i.cutOff || i.since > giveUp)]
        queue = stay
        for (const item of back) item.reject(new DatabaseAway('the database cannot be reached', { cause: error }))
        if (queue.length === 0) return null
        await wait(pause)
      }
    }
  }

  /** The next batch: the first item if it must run alone, else up to 64 items of different keys. Order within a key is kept. */
  function take(): Waiting[] {
    const first = queue[0]!
    if (first.alone || first.cutOff) return [queue.shift()!]
    const batch: Waiting[] = []
    const rest: Waiting[] = []
    const keys = new Set<string>()
    for (const item of queue) {
      if (batch.length < LARGEST_BATCH && !item.alone && !item.cutOff && !keys.has(item.key)) batch.push(item)
      else rest.push(item)
      keys.add(item.key)
    }
    queue = rest
    if (batch.length > 1) batch.sort((a, b) => (a.key < b.key ? -1 : 1))
    return batch
  }

  async function send(to: pg.Client, batch: Waiting[]): Promise<void> {
    // Corked: the whole batch leaves in one write.
    const { stream } = (to as unknown as { connection: { stream: Socket } }).connection
    stream.cork()
    const calls = [to.query('BEGIN')]
    for (const item of batch) calls.push(to.query({ name: item.statement.name, text: item.statement.text, values: item.values }))
    calls.push(to.query('COMMIT'))
    stream.uncork()
    const results: Settled[] = await Promise.allSettled(calls)
    const commit = results[results.length - 1]!
    if (commit.status === 'fulfilled' && commit.value.command === 'COMMIT') {
      for (let i = 0; i < batch.length; i++) await done(to, batch[i]!, results[i + 1]!)
      return
    }
    if (commit.status === 'rejected' && isAway(commit.reason)) return cutOff(to, batch)
    blame(batch, results)
  }

  async function done(to: pg.Client, item: Waiting, result: Settled): Promise<void> {
    const rows: Row[] = result.status === 'fulfilled' ? result.value.rows : []
    if (rows.length > 0 || !item.cutOff) return item.resolve(rows)
    // No row, and an earlier COMMIT of it was cut off: either that one was written, or somebody else moved the row first.
    try {
      const proof = await to.query({ name: item.proof.statement.name, text: item.proof.statement.text, values: item.proof.values })
      item.resolve(proof.rows)
    } catch (error) {
      if (!isAway(error)) return item.reject(error as Error)
      queue.unshift(item)
    }
  }

  /**
   * The connection went before COMMIT was answered: written or not, nobody knows. Looking it up would be wrong (the old backend may still be reading
   * what we sent); running it again under the same guard is right, because only one of the two can find the guard true.
   */
  function cutOff(from: pg.Client, batch: Waiting[]): void {
    if (client === from) client = null
    from.end().catch(() => {})
    for (const item of batch) item.cutOff = true
    queue.unshift(...batch)
  }

  /** The first error that is not "transaction is aborted" names the culprit. It runs again alone; the others run again together. */
  function blame(batch: Waiting[], results: Settled[]): void {
    const errors = results.slice(1, -1).map(r => (r.status === 'rejected' ? (r.reason as Error & { code?: string }) : null))
    const at = errors.findIndex(error => error && error.code !== TRANSACTION_ABORTED)
    const commit = results[results.length - 1]!
    const error = at >= 0 ? errors[at]! : commit.status === 'rejected' ? (commit.reason as Error) : new Error('transaction rolled back')
    const culprit = batch[Math.max(at, 0)]!
    const again = batch.filter(item => item !== culprit)
    const code = (error as { code?: string }).code ?? ''
    if (batch.length === 1 && (!worthRepeating.has(code) || (!culprit.cutOff && ++culprit.lockWaits > 8))) culprit.reject(error)
    else {
      culprit.alone = true
      queue.unshift(culprit)
    }
    queue.unshift(...again)
  }

  async function run(): Promise<void> {
    running = true
    try {
      while (queue.length > 0) {
        const to = await connected()
        if (to && queue.length > 0) await send(to, take())
      }
    } finally {
      running = false
    }
  }

  return {
    /** The rows the statement returned, once its COMMIT is known to be durable. Rejects with the statement's error, or `DatabaseAway`. */
    write(item: Item): Promise<Row[]> {
      return new Promise((resolve, reject) => {
        if (closed) return reject(new DatabaseAway('the service is shutting down'))
        queue.push({ ...item, since: now(), cutOff: false, alone: false, lockWaits: 0, resolve, reject })
        if (!running) void run()
      })
    },
    /** Waits until everything is written, then closes the connection. */
    async close(): Promise<void> {
      closed = true
      while (running) await wait(5)
      await client?.end()
    },
  }
}

export type Writer = ReturnType<typeof openWriter>
