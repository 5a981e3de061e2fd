import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { answerCommitted, isThereAlready, splitRefused } from './batch-outcome.ts'
import { DatabaseAway } from './connection.ts'
import { ServerError } from './pipeline.ts'
import type { QueuedWrite } from './write-queue.ts'

/** Gives writes that were sent together, and the results of their callers, by their keys. */
function batchOf(keys: string, more: Partial<QueuedWrite> = {}) {
  const results: Record<string, unknown> = {}
  const statement = { name: 'writes', text: 'select 1' }
  const batch = [...keys].map(
    (key): QueuedWrite => ({
      ...{ statement, values: [], proof: { statement, values: [] }, key, since: 0, builtAt: 0, cutOff: false, alone: false, lockWaits: 0 },
      resolve: written => {
        results[key] = written
      },
      reject: error => {
        results[key] = error
      },
      ...more,
    }),
  )
  return { batch, results }
}

const keysOf = (items: readonly QueuedWrite[]): string => items.map(({ key }) => key).join('')
const checkViolation = new ServerError('violates check constraint', '23514')
const lockTimeout = new ServerError('canceling statement due to lock timeout', '55P03')

test('each caller of a committed batch learns whether its own statement wrote a row', () => {
  const { batch, results } = batchOf('abc')
  deepEqual(answerCommitted(batch, [1, 0, 2]), [])
  deepEqual(results, { a: true, b: false, c: true })
})

test('a statement without a row after an interrupted COMMIT is not answered before the result is proven', () => {
  const { batch, results } = batchOf('a', { cutOff: true })
  deepEqual(answerCommitted(batch, [0]), batch)
  deepEqual(results, {})
  deepEqual(answerCommitted(batch, [1]), [])
  deepEqual(results, { a: true })
})

test('the failed item of a batch is retried alone, the others together, and no caller is notified', () => {
  const { batch, results } = batchOf('abcd')
  const { culprits, others } = splitRefused(batch, { at: 2, of: 1, error: checkViolation })
  deepEqual([keysOf(culprits), keysOf(others)], ['c', 'abd'])
  deepEqual(
    batch.map(({ alone }) => alone),
    [false, false, true, false],
  )
  deepEqual(results, {})
})

test('all items of a failed statement for many are retried alone', () => {
  const { batch } = batchOf('abcdef')
  const { culprits, others } = splitRefused(batch, { at: 1, of: 4, error: checkViolation })
  deepEqual([keysOf(culprits), keysOf(others)], ['bcde', 'af'])
  const all = splitRefused(batch.slice(0, 3), { at: 0, of: 3, error: checkViolation })
  deepEqual([keysOf(all.culprits), keysOf(all.others)], ['abc', ''])
})

test('if COMMIT itself fails, the last item of the batch is retried alone', () => {
  const { batch } = batchOf('abc')
  const { culprits, others } = splitRefused(batch, { at: 3, of: 1, error: checkViolation })
  deepEqual([keysOf(culprits), keysOf(others)], ['c', 'ab'])
})

test('an item that fails alone is refused with the error of PostgreSQL', () => {
  const { batch, results } = batchOf('a', { alone: true })
  deepEqual(splitRefused(batch, { at: 0, of: 1, error: checkViolation }), { culprits: [], others: [] })
  equal(results.a, checkViolation)
})

test('an item that waits alone for a lock is tried eight times, and then returned unwritten', () => {
  const { batch, results } = batchOf('a', { alone: true })
  for (let i = 0; i < 8; i++) equal(keysOf(splitRefused(batch, { at: 0, of: 1, error: lockTimeout }).culprits), 'a')
  deepEqual(results, {})
  deepEqual(splitRefused(batch, { at: 0, of: 1, error: lockTimeout }), { culprits: [], others: [] })
  ok(results.a instanceof DatabaseAway)
})

test('an item that may already be written waits for a lock without limit', () => {
  const { batch, results } = batchOf('a', { cutOff: true })
  for (let i = 0; i < 100; i++) equal(keysOf(splitRefused(batch, { at: 0, of: 1, error: lockTimeout }).culprits), 'a')
  deepEqual(results, {})
})

test('a duplicate key can be our own row only if an earlier COMMIT was interrupted', () => {
  const [[sentBefore], [fresh]] = [batchOf('a', { cutOff: true }).batch, batchOf('a').batch]
  const exists = new ServerError('duplicate key value', '23505')
  equal(isThereAlready(sentBefore!, exists), true)
  equal(isThereAlready(sentBefore!, checkViolation), false)
  equal(isThereAlready(fresh!, exists), false)
})
