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

test('each caller of a committed batch hears whether its own statement wrote a row', () => {
  const { batch, results } = batchOf('abc')
  deepEqual(answerCommitted(batch, [1, 0, 2]), [])
  deepEqual(results, { a: true, b: false, c: true })
})

test('what gave no row after a COMMIT that was cut off is not answered before it is proven', () => {
  const { batch, results } = batchOf('a', { cutOff: true })
  deepEqual(answerCommitted(batch, [0]), batch)
  deepEqual(results, {})
  deepEqual(answerCommitted(batch, [1]), [])
  deepEqual(results, { a: true })
})

test('the culprit of a batch is to run alone, the others together, and nobody hears of it', () => {
  const { batch, results } = batchOf('abcd')
  const { culprits, others } = splitRefused(batch, { at: 2, of: 1, error: checkViolation })
  deepEqual([keysOf(culprits), keysOf(others)], ['c', 'abd'])
  deepEqual(
    batch.map(({ alone }) => alone),
    [false, false, true, false],
  )
  deepEqual(results, {})
})

test('all that one failed statement was said for is to run alone', () => {
  const { batch } = batchOf('abcdef')
  const { culprits, others } = splitRefused(batch, { at: 1, of: 4, error: checkViolation })
  deepEqual([keysOf(culprits), keysOf(others)], ['bcde', 'af'])
  const all = splitRefused(batch.slice(0, 3), { at: 0, of: 3, error: checkViolation })
  deepEqual([keysOf(all.culprits), keysOf(all.others)], ['abc', ''])
})

test('if COMMIT itself fails, the last of the batch is to run alone', () => {
  const { batch } = batchOf('abc')
  const { culprits, others } = splitRefused(batch, { at: 3, of: 1, error: checkViolation })
  deepEqual([keysOf(culprits), keysOf(others)], ['c', 'ab'])
})

test('what is refused alone is refused: its caller hears the error of PostgreSQL', () => {
  const { batch, results } = batchOf('a', { alone: true })
  deepEqual(splitRefused(batch, { at: 0, of: 1, error: checkViolation }), { culprits: [], others: [] })
  equal(results.a, checkViolation)
})

test('what waits alone for a lock is tried again eight times, then handed back unwritten', () => {
  const { batch, results } = batchOf('a', { alone: true })
  for (let i = 0; i < 8; i++) equal(keysOf(splitRefused(batch, { at: 0, of: 1, error: lockTimeout }).culprits), 'a')
  deepEqual(results, {})
  deepEqual(splitRefused(batch, { at: 0, of: 1, error: lockTimeout }), { culprits: [], others: [] })
  ok(results.a instanceof DatabaseAway)
})

test('what may be written already waits for a lock as long as it takes: nobody can be told that it is not written', () => {
  const { batch, results } = batchOf('a', { cutOff: true })
  for (let i = 0; i < 100; i++) equal(keysOf(splitRefused(batch, { at: 0, of: 1, error: lockTimeout }).culprits), 'a')
  deepEqual(results, {})
})

test('a key that exists may be our own only if an earlier COMMIT was cut off', () => {
  const [[sentBefore], [fresh]] = [batchOf('a', { cutOff: true }).batch, batchOf('a').batch]
  const exists = new ServerError('duplicate key value', '23505')
  equal(isThereAlready(sentBefore!, exists), true)
  equal(isThereAlready(sentBefore!, checkViolation), false)
  equal(isThereAlready(fresh!, exists), false)
})
