import { answerCommitted, isThereAlready, isWorthRepeating, splitRefused } from './batch-outcome.ts'
import { batchStatements } from './batch-statements.ts'
import { asAway, DatabaseAway, isAway } from './connection.ts'
import { usualDeadlines } from './connection-settings.ts'
import type { Pipeline } from './pipeline.ts'
import { openWriteConnection } from './write-connection.ts'
import { type PendingWrite, type QueuedWrite, WriteQueue } from './write-queue.ts'

/** A batch of this size follows before the first is answered: the database never waits, and smaller ones gather on. */
const WORTH_FOLLOWING = 32
/** How long writes wait for a connection before they are returned unwritten. */
const PATIENCE_MS = 3000

/**
 * Writes items together with the items of concurrent requests: the gathered items and the Sync that commits them go
 * out at once on one connection; meanwhile the next batch gathers. No timer: a single client never waits.
 *
 * `sent`: called with the size of each batch. An item counts as written only if the Sync itself was answered without
 * an error (`pipeline.ts`).
 */
export function openWriter(
  url: string,
  wait: (ms: number) => Promise<void>,
  now = () => performance.now(),
  deadlines = usualDeadlines,
  sent: (items: number) => void = () => {},
) {
  const queue = new WriteQueue(now)
  const connection = openWriteConnection(url, deadlines, wait)
  const sender = openSender(queue, through => connection.drop(through), sent, pump)
  let closed = false

  /** Sends the batches that may be sent now; connects first, however long it takes, if no connection exists. */
  function pump(): void {
    if (queue.waiting() === 0 || connection.isConnecting()) return
    const pipeline = connection.pipeline()
    if (!pipeline) return void connection.connect(goOn).then(pump)
    sender.send(pipeline)
  }

  /** Gives up what waited too long for a connection and was never sent; tells whether to try again. */
  function goOn(error: unknown): boolean {
    const overdue = queue.takeOverdue(closed || !isAway(error) ? Number.NEGATIVE_INFINITY : PATIENCE_MS)
    for (const item of overdue) item.reject(asAway(error))
    return queue.waiting() > 0
  }

  return {
    /** True once the COMMIT is durable, false if the guard did not hold. If it rejects, nothing was written. */
    write(item: PendingWrite): Promise<boolean> {
      return new Promise((resolve, reject) => {
        if (closed) return reject(new DatabaseAway('the service is shutting down'))
        queue.add(item, resolve, reject)
        pump()
      })
    },
    /** Waits until everything is written, then closes the connection. */
    async close(): Promise<void> {
      closed = true
      while (sender.isBusy() || connection.isConnecting() || queue.waiting() > 0) await wait(5)
      await connection.close()
    },
  }
}

/** Sends batches and answers their callers. `drop`: drops a lost connection; `free`: called after each batch. */
function openSender(queue: WriteQueue, drop: (through: Pipeline) => void, sent: (items: number) => void, free: () => void) {
  let flying = 0

  async function fly(through: Pipeline, taken: QueuedWrite[]): Promise<void> {
    flying++
    sent(taken.length)
    const { items: batch, calls } = batchStatements(taken)
    const ended = await through.transaction(calls)
    if (ended.is === 'committed') for (const item of answerCommitted(batch, ended.rows)) await prove(through, item)
    else if (ended.is !== 'refused') handBack(through, batch, ended.is === 'cut off')
    else if (isThereAlready(batch[0]!, ended.error)) await prove(through, batch[0]!)
    else {
      const { culprits, others } = splitRefused(batch, ended)
      // Behind the others: a culprit may be waiting for a lock, the others are not.
      queue.putLast(culprits)
      queue.putFirst(others)
    }
    flying--
    free()
  }

  /** Decides a write without a row whose COMMIT was cut off: it succeeded, or another change came first. */
  async function prove(through: Pipeline, item: QueuedWrite): Promise<void> {
    const proof = await through.transaction([item.proof])
    if (proof.is === 'committed') item.resolve(proof.rows[0]! > 0)
    else if (proof.is === 'refused' && !isWorthRepeating(proof.error)) item.reject(proof.error)
    else handBack(through, [item], true)
  }

  /**
   * Puts a batch back after its connection was lost. A batch that was sent and not answered was `cutOff`: whether it
   * was written is not known. Looking it up would be wrong (the old backend may still be reading our messages);
   * running it again under the same guard is right, because only one of the two can find the guard true.
   */
  function handBack(through: Pipeline, batch: QueuedWrite[], cutOff: boolean): void {
    drop(through)
    for (const item of batch) item.cutOff ||= cutOff
    queue.putFirst(batch)
  }

  return {
    /** Sends the batches that may be sent now. */
    send(through: Pipeline): void {
      while (flying === 0 ? queue.waiting() > 0 : flying === 1 && queue.waiting() >= WORTH_FOLLOWING) void fly(through, queue.take())
    },
    isBusy: (): boolean => flying > 0,
  }
}

export type Writer = ReturnType<typeof openWriter>
