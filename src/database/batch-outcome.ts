import { asAway, isInTheWay, STATEMENT_TIMEOUT } from './connection.ts'
import type { Ended } from './pipeline.ts'
import type { QueuedWrite } from './write-queue.ts'

const UNIQUE_VIOLATION = '23505'
const OBJECT_IN_USE = '55006'
/** A write that runs alone waits for a lock so many times, as long as `lock_timeout` each. */
const MOST_LOCK_WAITS = 8

const codeOf = (error: Error): string => (error as { code?: string }).code ?? ''

/** Nothing was written, and the same statement may succeed when it is run again. */
export const isWorthRepeating = (error: Error): boolean =>
  isInTheWay(error) || codeOf(error) === STATEMENT_TIMEOUT || codeOf(error) === OBJECT_IN_USE

/**
 * It is there already: it is the first of the two that was written, unless another process wrote what only this one
 * could. `first`: the first of the batch that was refused; what was cut off runs alone.
 */
export const isThereAlready = (first: QueuedWrite, error: Error): boolean => first.cutOff && codeOf(error) === UNIQUE_VIOLATION

const none: readonly QueuedWrite[] = []

/**
 * Tells the callers of a batch that was committed whether it wrote their item. `rows`: how many each statement gave.
 * Gives the items of which it is not known: they gave no row, but an earlier COMMIT of them was cut off.
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
 * Splits a batch of which nothing was written: `culprits`, for which the statement that failed was said, are each to
 * run alone from now on; `others` run again together. A batch of one item has no others: unless repeating it is worth
 * while, its caller hears the error, and neither list holds it.
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
  // A commit that failed stands behind all statements; the last of them is tried alone first.
  const from = Math.min(at, batch.length - 1)
  const culprits = batch.slice(from, from + of)
  for (const culprit of culprits) culprit.alone = true
  return { culprits, others: [...batch.slice(0, from), ...batch.slice(from + of)] }
}
