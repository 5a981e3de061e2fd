import pg from 'pg'
import { type BatchedStatement, batchStatements } from './batch-statements.ts'
import { asAway, DatabaseAway, isAway, isInTheWay, STATEMENT_TIMEOUT } from './connection.ts'
import { connectionSettings, usualDeadlines } from './connection-settings.ts'
import { type BoundStatement, type Ended, openPipeline, type Pipeline } from './pipeline.ts'

/**
 * Something to write: one statement, atomic on its own, and the question whether it was written. `key`: at most one
 * item of a key is in a batch, and batches are sorted by it, so that what is said by one statement takes its locks in
 * that order. `late`: the same as it is said if it comes late, so that it is found nevertheless; of all that were
 * said only one can find the guard true.
 */
export type PendingWrite = BatchedStatement & { proof: BoundStatement; key: string; late?(): BatchedStatement }

type Waiting = PendingWrite & {
  since: number
  /** When it was last said anew. */
  said: number
  /** A COMMIT that held it was cut off: it may be written. It is then run again alone, under the same guard. */
  cutOff: boolean
  /**
   * It was the culprit of a batch that failed, or said together with it: it runs alone, so that it cannot harm
   * others.
   */
  alone: boolean
  lockWaits: number
  resolve(written: boolean): void
  reject(error: unknown): void
}

/**
 * All that is written is found by its key. What PostgreSQL believes of tables that it has no statistics of must not
 * make it read one, and values tell it nothing: so it plans a statement once, not six times.
 */
const byKeys = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off', 'plan_cache_mode=force_generic_plan']
  .map(setting => `-c ${setting}`)
  .join(' ')

const LARGEST_BATCH = 64
/**
 * A second batch follows the first before that is answered if it is at least so large: the database then never waits
 * for us, and small batches are still gathered.
 */
const WORTH_FOLLOWING = 32
const PATIENCE_MS = 3000
/**
 * What was said longer ago is said anew before it is sent, as something late. What was sent PostgreSQL does at once,
 * or drops the connection within 20 s (`connection-settings.ts`): so what is written appears within 30 s of the time
 * that it names, and for so long streams look behind them (`docs/decisions/0067-late-commits.md`).
 */
const FRESH_MS = 5000
const UNIQUE_VIOLATION = '23505'
const codeOf = (error: Error): string => (error as { code?: string }).code ?? ''
const isWorthRepeating = (error: Error): boolean => isInTheWay(error) || codeOf(error) === STATEMENT_TIMEOUT || codeOf(error) === '55006'

/**
 * Writes items with the items of concurrent requests: BEGIN, what has gathered, COMMIT go out at once on one
 * connection; meanwhile the next batch gathers. No timer: one client alone never waits.
 *
 * `sent`: hears how large each batch is. An item counts as written only if the COMMIT's own command tag is `COMMIT`
 * (`pipeline.ts`).
 */
export function openWriter(
  url: string,
  wait: (ms: number) => Promise<void>,
  now = () => performance.now(),
  deadlines = usualDeadlines,
  sent: (items: number) => void = () => {},
) {
  let queue: Waiting[] = []
  let pipeline: Pipeline | null = null
  let connecting = false
  let flying = 0
  let closed = false

  async function connect(): Promise<void> {
    const client = new pg.Client(connectionSettings(url, 'writes', deadlines, byKeys))
    // A failed attempt is told by the promise.
    client.on('error', () => {})
    await client.connect()
    pipeline = openPipeline(client, deadlines.silence_ms)
  }

  /**
   * Connects, however long it takes. Meanwhile items that were never sent are handed back once they have waited too
   * long.
   */
  async function reconnect(): Promise<void> {
    connecting = true
    for (let pause = 20; queue.length > 0; pause = Math.min(pause * 2, 500)) {
      try {
        await connect()
        break
      } catch (error) {
        const giveUp = closed || !isAway(error) ? Number.POSITIVE_INFINITY : now() - PATIENCE_MS
        const [back, stay] = [queue.filter(i => !i.cutOff && i.since <= giveUp), queue.filter(i => i.cutOff || i.since > giveUp)]
        queue = stay
        for (const item of back) item.reject(asAway(error))
        if (queue.length > 0) await wait(pause)
      }
    }
    connecting = false
  }

  /** Sends what may be sent now. */
  function pump(): void {
    if (queue.length === 0 || connecting) return
    if (!pipeline) return void reconnect().then(pump)
    while (flying === 0 ? queue.length > 0 : flying === 1 && queue.length >= WORTH_FOLLOWING) void fly(pipeline, take())
  }

  /**
   * The next batch: the first item if it must run alone, else up to 64 items of different keys. Order within a key is
   * kept.
   */
  function take(): Waiting[] {
    const first = queue[0]!
    if (first.alone || first.cutOff) return freshened([queue.shift()!])
    const batch: Waiting[] = []
    const rest: Waiting[] = []
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
    return freshened(batch)
  }

  /** What has waited for long is said anew. */
  function freshened(batch: Waiting[]): Waiting[] {
    const at = now()
    for (const item of batch) {
      if (!item.late || at - item.said < FRESH_MS) continue
      const { statement, values } = item.late()
      Object.assign(item, { statement, values, said: at })
    }
    return batch
  }

  async function fly(through: Pipeline, taken: Waiting[]): Promise<void> {
    flying++
    sent(taken.length)
    const { items: batch, calls } = batchStatements(taken)
    const ended = await through.transaction(calls)
    if (ended.is === 'committed') {
      for (let i = 0; i < batch.length; i++) {
        const [item, rows] = [batch[i]!, ended.rows[i]!]
        if (rows > 0 || !item.cutOff) item.resolve(rows > 0)
        else await prove(through, item)
      }
    } else if (ended.is === 'refused') {
      // It is there already: it is the first of the two that was written, unless somebody else wrote what only we
      // could.
      if (batch[0]!.cutOff && codeOf(ended.error) === UNIQUE_VIOLATION) await prove(through, batch[0]!)
      else blame(batch, ended)
    } else handBack(through, batch, ended.is === 'cut off')
    flying--
    pump()
  }

  /**
   * An item that gave no row, and whose earlier COMMIT was cut off: either that one was written, or a concurrent
   * change moved the row first.
   */
  async function prove(through: Pipeline, item: Waiting): Promise<void> {
    const proof = await through.transaction([item.proof])
    if (proof.is === 'committed') item.resolve(proof.rows[0]! > 0)
    else if (proof.is === 'refused' && !isWorthRepeating(proof.error)) item.reject(proof.error)
    else handBack(through, [item], true)
  }

  /**
   * The connection went. What was sent on it and not answered was `cutOff`: whether it was written is not known.
   * Looking it up would be wrong (the old backend may still be reading what we sent); running it again under the same
   * guard is right, because only one of the two can find the guard true.
   */
  function handBack(through: Pipeline, batch: Waiting[], cutOff: boolean): void {
    if (pipeline === through) pipeline = null
    through.destroy()
    for (const item of batch) item.cutOff ||= cutOff
    queue.unshift(...batch)
  }

  /** What the statement that failed was said for runs again, each alone; the others run again together. */
  function blame(batch: Waiting[], { at, of, error }: Ended & { is: 'refused' }): void {
    const from = Math.min(at, batch.length - 1)
    const culprits = batch.splice(from, of)
    const only = culprits[0]!
    if (batch.length === 0 && of === 1 && (!isWorthRepeating(error) || (!only.cutOff && ++only.lockWaits > 8))) only.reject(asAway(error))
    else {
      for (const culprit of culprits) culprit.alone = true
      // Behind the others: it may be waiting for a lock, and they are not.
      queue.push(...culprits)
    }
    queue.unshift(...batch)
  }

  return {
    /**
     * True once its COMMIT is known to be durable, false if its guard did not hold. Rejects with the statement's
     * error, or with `DatabaseAway`: then nothing was written.
     */
    write(item: PendingWrite): Promise<boolean> {
      return new Promise((resolve, reject) => {
        if (closed) return reject(new DatabaseAway('the service is shutting down'))
        const at = now()
        queue.push({ ...item, since: at, said: at, cutOff: false, alone: false, lockWaits: 0, resolve, reject })
        pump()
      })
    },
    /** Waits until everything is written, then closes the connection. */
    async close(): Promise<void> {
      closed = true
      while (flying > 0 || connecting || queue.length > 0) await wait(5)
      await pipeline?.close()
    },
  }
}

export type Writer = ReturnType<typeof openWriter>
