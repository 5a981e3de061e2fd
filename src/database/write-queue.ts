import type { BatchedStatement } from './batch-statements.ts'
import type { BoundStatement } from './pipeline.ts'

/**
 * Something to write: one statement, atomic on its own, and the question whether it was written. `key`: at most one
 * item of a key is in a batch, and batches are sorted by it, so that what is said by one statement takes its locks in
 * that order. `late`: the same as it is said if it comes late, so that it is found nevertheless; of all that were
 * said only one can find the guard true.
 */
export type PendingWrite = BatchedStatement & { proof: BoundStatement; key: string; late?: (() => BatchedStatement) | undefined }

/** A write that waits for its batch, or for the answer to it. */
export type QueuedWrite = PendingWrite & {
  since: number
  /** When it was last said anew. */
  said: number
  /** A COMMIT that held it was cut off: it may be written. It is then run again alone, under the same guard. */
  cutOff: boolean
  /**
   * It was the culprit of a batch that failed, or said together with it: it runs alone, so that it cannot harm others.
   */
  alone: boolean
  lockWaits: number
  resolve(written: boolean): void
  reject(error: unknown): void
}

const LARGEST_BATCH = 64
/**
 * What was said longer ago is said anew before it is sent, as something late. What was sent PostgreSQL does at once,
 * or drops the connection within 20 s (`connection-settings.ts`): so what is written appears within 30 s of the time
 * that it names, and for so long streams look behind them (`docs/decisions/0067-late-commits.md`).
 */
const FRESH_MS = 5000

/** Says anew what has waited for long, in place. `at`: now, in milliseconds of the writer's clock. */
function freshen(batch: readonly QueuedWrite[], at: number): void {
  for (const item of batch) {
    if (!item.late || at - item.said < FRESH_MS) continue
    const { statement, values } = item.late()
    Object.assign(item, { statement, values, said: at })
  }
}

/** What waits to be written, and the next batch of it. `now`: milliseconds of a clock that never goes back. */
export function openWriteQueue(now: () => number) {
  let queue: QueuedWrite[] = []

  function nextBatch(): QueuedWrite[] {
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
    queue = rest.length === 0 ? queue.slice(seen) : [...rest, ...queue.slice(seen)]
    if (batch.length > 1) batch.sort((a, b) => (a.key < b.key ? -1 : 1))
    return batch
  }

  return {
    /** How many wait. */
    waiting: (): number => queue.length,
    /** Puts a write behind all others; `resolve` and `reject` are its caller's. */
    add(item: PendingWrite, resolve: (written: boolean) => void, reject: (error: unknown) => void): void {
      const at = now()
      const { statement, values, proof, key, late } = item
      queue.push({ statement, values, proof, key, late, since: at, said: at, cutOff: false, alone: false, lockWaits: 0, resolve, reject })
    },
    /**
     * The next batch: the first item if it must run alone, else up to 64 items of different keys. Order within a key
     * is kept, and what has waited for long is said anew.
     */
    take(): QueuedWrite[] {
      const batch = nextBatch()
      freshen(batch, now())
      return batch
    },
    /** Puts writes that were taken before all others again. */
    putFirst(items: readonly QueuedWrite[]): void {
      queue.unshift(...items)
    },
    /** Puts writes that were taken behind all others. */
    putLast(items: readonly QueuedWrite[]): void {
      queue.push(...items)
    },
    /**
     * Takes out and gives what has waited for `ms` milliseconds or longer and was never sent. What was cut off stays:
     * it may be written, so its caller cannot be told that it is not.
     */
    takeOverdue(ms: number): QueuedWrite[] {
      const latest = now() - ms
      const overdue = queue.filter(item => !item.cutOff && item.since <= latest)
      queue = queue.filter(item => item.cutOff || item.since > latest)
      return overdue
    },
  }
}

export type WriteQueue = ReturnType<typeof openWriteQueue>
