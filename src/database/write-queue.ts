import type { BatchedStatement } from './batch-statements.ts'
import type { BoundStatement } from './pipeline.ts'

/**
 * An item to write: one statement, atomic on its own, and the query that proves whether it was written. `key`: a batch
 * contains at most one item of a key, and batches are sorted by key, so that a statement for many changes takes its
 * locks in that order. `late`: builds the statement of the same change for a late write, so that streams find its
 * event nevertheless; of all these statements only one can find the guard true.
 */
export type PendingWrite = BatchedStatement & { proof: BoundStatement; key: string; late?: (() => BatchedStatement) | undefined }

/** A write that waits for its batch, or for the answer to it. */
export type QueuedWrite = PendingWrite & {
  since: number
  /** When the statement was last built. */
  builtAt: number
  /** A COMMIT with this write was cut off, so it may be written: it runs again, alone, under the same guard. */
  cutOff: boolean
  /** The write runs alone, because it was part of the statement that failed a batch. */
  alone: boolean
  lockWaits: number
  resolve(written: boolean): void
  reject(error: unknown): void
}

const LARGEST_BATCH = 64
/**
 * The age at which a statement is built anew, as a late write, before it is sent. PostgreSQL runs a statement at once,
 * or drops the connection within 20 s (`connection-settings.ts`): so a written change appears within 30 s of the time
 * that it names, and for so long streams look behind them (`docs/design/event-streams.md`).
 */
const FRESH_MS = 5000

/** Builds anew, in place, the statements that have waited for long. `at`: now, by the writer's clock. */
function freshen(batch: readonly QueuedWrite[], at: number): void {
  for (const item of batch) {
    if (!item.late || at - item.builtAt < FRESH_MS) continue
    const { statement, values } = item.late()
    Object.assign(item, { statement, values, builtAt: at })
  }
}

/** The queue of writes. `now`: milliseconds of a clock that never goes back. */
export class WriteQueue {
  #now: () => number
  #queue: QueuedWrite[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  waiting(): number {
    return this.#queue.length
  }

  add(item: PendingWrite, resolve: (written: boolean) => void, reject: (error: unknown) => void): void {
    const at = this.#now()
    const { statement, values, proof, key, late } = item
    this.#queue.push({
      statement,
      values,
      proof,
      key,
      late,
      since: at,
      builtAt: at,
      cutOff: false,
      alone: false,
      lockWaits: 0,
      resolve,
      reject,
    })
  }

  /** Takes the first write if it must run alone, else up to 64 of different keys, each key's in their order. */
  take(): QueuedWrite[] {
    const batch = this.#nextBatch()
    freshen(batch, this.#now())
    return batch
  }

  /** Puts writes that were taken back, before all others. */
  putFirst(items: readonly QueuedWrite[]): void {
    this.#queue.unshift(...items)
  }

  /** Puts writes that were taken back, behind all others. */
  putLast(items: readonly QueuedWrite[]): void {
    this.#queue.push(...items)
  }

  /** Takes out what waited for `ms` and was never sent. A write that was cut off may have succeeded: it stays. */
  takeOverdue(ms: number): QueuedWrite[] {
    const latest = this.#now() - ms
    const overdue = this.#queue.filter(item => !item.cutOff && item.since <= latest)
    this.#queue = this.#queue.filter(item => item.cutOff || item.since > latest)
    return overdue
  }

  #nextBatch(): QueuedWrite[] {
    const queue = this.#queue
    const first = queue[0]
    if (!first) return []
    if (first.alone || first.cutOff) return [queue.shift()!]
    const batch: QueuedWrite[] = []
    const rest: QueuedWrite[] = []
    const keys = new Set<string>()
    let seen = 0
    for (; seen < queue.length && batch.length < LARGEST_BATCH; seen++) {
      const item = queue[seen]!
      if (!item.alone && !item.cutOff && !keys.has(item.key)) batch.push(item)
      else rest.push(item)
      keys.add(item.key)
    }
    this.#queue = rest.length === 0 ? queue.slice(seen) : [...rest, ...queue.slice(seen)]
    if (batch.length > 1) batch.sort((a, b) => (a.key < b.key ? -1 : 1))
    return batch
  }
}
