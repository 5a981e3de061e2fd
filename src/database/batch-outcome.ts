import { asAway, isInTheWay, STATEMENT_TIMEOUT } from './connection.ts'
import type { Ended } from './pipeline.ts'
import type { QueuedWrite } from './write-queue.ts'

const UNIQUE_VIOLATION = '23505'
const OBJECT_IN_USE = '55006'
/** How often a write that runs alone waits for a lock, as long as `lock_timeout` each time. */
const MOST_LOCK_WAITS = 8

const codeOf = (error: Error): string => (error as { code?: string }).code ?? ''

/** Whether nothing was written, and the same statement may succeed when it is run again. */
export const isWorthRepeating = (error: Error): boolean =>
  isInTheWay(error) || codeOf(error) === STATEMENT_TIMEOUT || codeOf(error) === OBJECT_IN_USE

/**
 * Whether an insert was refused because the row exists already. Of the two attempts, the first one was written then,
 * unless another process wrote a row that only this process could write. `first`: the first item of the batch that was
 * refused; a write that was cut off runs alone.
 */
export const isThereAlready = (first: QueuedWrite, error: Error): boolean => first.cutOff && codeOf(error) === UNIQUE_VIOLATION

const none: readonly QueuedWrite[] = []

/**
 * Tells the callers of a committed batch whether their item was written. `rows`: how many rows each statement
 * returned. Returns the items whose result is not known: they returned no row, but an earlier COMMIT of them was cut
 * off.
 */
export function answerCommitted(batch: readonly QueuedWrite[], rows: readonly number[]): readonly QueuedWrite[] {
  let unproven = none
  for (let i = 0; i < batch.length; i++) {
    const item = batch[i]!
    if (rows[i]! > 0 || !item.cutOff) item.resolve(rows[i]! > 0)
    else unproven = [...unproven, item]
  }
  return unproven
}

/**
 * Splits a batch of which nothing was written: `culprits`, the items of the statement that failed, are each to run
 * alone from now on; `others` run again together. A batch of one item has no others: unless repeating the item is
 * worthwhile, its caller receives the error, and neither list contains it.
 */
export function splitRefused(
  batch: readonly QueuedWrite[],
  { at, of, error }: Pick<Ended & { is: 'refused' }, 'at' | 'of' | 'error'>,
): { culprits: readonly QueuedWrite[]; others: readonly QueuedWrite[] } {
  const only = batch[0]!
  if (batch.length === 1 && (!isWorthRepeating(error) || (!only.cutOff && ++only.lockWaits > MOST_LOCK_WAITS))) {
    only.reject(asAway(error))
    return { culprits: none, others: none }
  }
  // A failed COMMIT is reported behind all statements; the last of them is then tried alone first.
  const from = Math.min(at, batch.length - 1)
  const culprits = batch.slice(from, from + of)
  for (const culprit of culprits) culprit.alone = true
  return { culprits, others: [...batch.slice(0, from), ...batch.slice(from + of)] }
}
