import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { answerCommitted, isThereAlready, splitRefused } from './batch-outcome.ts'
import { DatabaseAway } from './connection.ts'
import { ServerError } from './pipeline.ts'
import type { QueuedWrite } from './write-queue.ts'

/** Gives writes that were sent together, and the results of their callers, by their keys. */
function batchOf(keys: string, more: Partial<QueuedWrite> = {}) {
  const heard: Record<string, unknown> = {}
  const statement = { name: 'writes', text: 'select 1' }
  const batch = [...keys].map(
    (key): QueuedWrite => ({
      ...{ statement, values: [], proof: { statement, values: [] }, key, since: 0, said: 0, cutOff: false, alone: false, lockWaits: 0 },
      resolve: written => {
        heard[key] = written
      },
      reject: error => {
        heard[key] = error
      },
      ...more,
    }),
  )
  return { batch, heard }
}

const keysOf = (items: readonly QueuedWrite[]): string => items.map(({ key }) => key).join('')
const checkViolation = new ServerError('violates check constraint', '23514')
const lockTimeout = new ServerError('canceling statement due to lock timeout', '55P03')

test('each caller of a committed batch hears whether its own statement wrote a row', () => {
  const { batch, heard } = batchOf('abc')
  deepEqual(answerCommitted(batch, [1, 0, 2]), [])
  deepEqual(heard, { a: true, b: false, c: true })
})

test('what gave no row after a COMMIT that was cut off is not answered before it is proven', () => {
  const { batch, heard } = batchOf('a', { cutOff: true })
  deepEqual(answerCommitted(batch, [0]), batch)
  deepEqual(heard, {})
  deepEqual(answerCommitted(batch, [1]), [])
  deepEqual(heard, { a: true })
})

test('the culprit of a batch is to run alone, the others together, and nobody hears of it', () => {
  const { batch, heard } = batchOf('abcd')
  const { culprits, others } = splitRefused(batch, { at: 2, of: 1, error: checkViolation })
  deepEqual([keysOf(culprits), keysOf(others)], ['c', 'abd'])
  deepEqual(
    batch.map(({ alone }) => alone),
    [false, false, true, false],
  )
  deepEqual(heard, {})
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
  const { batch, heard } = batchOf('a', { alone: true })
  deepEqual(splitRefused(batch, { at: 0, of: 1, error: checkViolation }), { culprits: [], others: [] })
  equal(heard.a, checkViolation)
})

test('what waits alone for a lock is tried again eight times, then handed back unwritten', () => {
  const { batch, heard } = batchOf('a', { alone: true })
  for (let i = 0; i < 8; i++) equal(keysOf(splitRefused(batch, { at: 0, of: 1, error: lockTimeout }).culprits), 'a')
  deepEqual(heard, {})
  deepEqual(splitRefused(batch, { at: 0, of: 1, error: lockTimeout }), { culprits: [], others: [] })
  ok(heard.a instanceof DatabaseAway)
})

test('what may be written already waits for a lock as long as it takes: nobody can be told that it is not written', () => {
  const { batch, heard } = batchOf('a', { cutOff: true })
  for (let i = 0; i < 100; i++) equal(keysOf(splitRefused(batch, { at: 0, of: 1, error: lockTimeout }).culprits), 'a')
  deepEqual(heard, {})
})

test('a key that exists may be our own only if an earlier COMMIT was cut off', () => {
  const [[sentBefore], [fresh]] = [batchOf('a', { cutOff: true }).batch, batchOf('a').batch]
  const exists = new ServerError('duplicate key value', '23505')
  equal(isThereAlready(sentBefore!, exists), true)
  equal(isThereAlready(sentBefore!, checkViolation), false)
  equal(isThereAlready(fresh!, exists), false)
})
