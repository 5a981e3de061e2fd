import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { type PendingWrite, type QueuedWrite, WriteQueue } from './write-queue.ts'

const statement = { name: 'writes', text: 'select 1' }
const item = (key: string, more: Partial<PendingWrite> = {}): PendingWrite => ({
  statement,
  values: [key],
  proof: { statement, values: [] },
  key,
  ...more,
})

/** Gives a queue of these keys, whose clock stands until `pass` moves it. */
function queueOf(...keys: string[]) {
  let at = 0
  const queue = new WriteQueue(() => at)
  const add = (...more: PendingWrite[]) => {
    for (const one of more)
      queue.add(
        one,
        () => {},
        () => {},
      )
  }
  add(...keys.map(key => item(key)))
  return {
    queue,
    add,
    pass: (ms: number) => {
      at += ms
    },
  }
}

const keysOf = (items: readonly QueuedWrite[]): string[] => items.map(({ key }) => key)

test('a batch is sorted by its keys, so that locks are taken in one order', () => {
  const { queue } = queueOf('c', 'a', 'b')
  deepEqual(keysOf(queue.take()), ['a', 'b', 'c'])
  equal(queue.waiting(), 0)
  deepEqual(queue.take(), [])
})

test('two writes of one payment are in two batches, in their order', () => {
  const { queue, add } = queueOf('b')
  add(item('a', { values: ['first'] }), item('a', { values: ['second'] }), item('c'))
  const [before, after] = [queue.take(), queue.take()]
  deepEqual(keysOf(before), ['a', 'b', 'c'])
  deepEqual(before[0]!.values, ['first'])
  deepEqual(
    after.map(({ values }) => values),
    [['second']],
  )
})

test('a batch has at most 64 writes, and the others wait in their order', () => {
  const keys = Array.from({ length: 70 }, (_, i) => `key_${String(i).padStart(2, '0')}`)
  const { queue } = queueOf(...keys)
  deepEqual(keysOf(queue.take()), keys.slice(0, 64))
  deepEqual(keysOf(queue.take()), keys.slice(64))
})

test('a write that must run alone is a batch of its own, and delays only writes of its own payment', () => {
  const { queue, add } = queueOf('a')
  const [culprit] = queue.take()
  culprit!.alone = true
  add(item('b'))
  queue.putLast([culprit!])
  add(item('a', { values: ['later'] }), item('c'))
  deepEqual(keysOf(queue.take()), ['b', 'c'])
  deepEqual(queue.take(), [culprit])
  deepEqual(
    queue.take().map(({ values }) => values),
    [['later']],
  )
})

test('an interrupted write runs alone, before all later ones', () => {
  const { queue, add } = queueOf('a', 'b')
  const taken = queue.take()
  for (const one of taken) one.cutOff = true
  add(item('c'))
  queue.putFirst(taken)
  deepEqual(
    [queue.take(), queue.take(), queue.take()].map(batch => keysOf(batch)),
    [['a'], ['b'], ['c']],
  )
})

test('a write that waited five seconds is sent with its late values, and again after five more', () => {
  const { queue, add, pass } = queueOf()
  let times = 0
  add(item('old', { late: () => ({ statement, values: [`late ${++times}`] }) }), item('of no time'))
  pass(4999)
  add(item('young', { late: () => ({ statement, values: ['late'] }) }))
  pass(1)
  const first = queue.take()
  deepEqual(
    first.map(({ values }) => values),
    [['of no time'], ['late 1'], ['young']],
  )
  pass(4999)
  queue.putFirst(first)
  deepEqual(
    queue.take().map(({ values }) => values),
    [['of no time'], ['late 1'], ['late']],
  )
  queue.putFirst(first)
  pass(1)
  deepEqual(queue.take()[1]!.values, ['late 2'])
})

test('only writes that were never sent are returned after waiting too long', () => {
  const { queue, add, pass } = queueOf('sent')
  const sent = queue.take()
  sent[0]!.cutOff = true
  queue.putFirst(sent)
  add(item('old'))
  pass(3000)
  add(item('young'))
  deepEqual(keysOf(queue.takeOverdue(3000)), ['old'])
  deepEqual(keysOf(queue.takeOverdue(Number.NEGATIVE_INFINITY)), ['young'])
  deepEqual(keysOf(queue.take()), ['sent'])
})
