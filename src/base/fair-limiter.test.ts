import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { FairLimiter, type Waiter } from './fair-limiter.ts'

/**
 * Opens a limiter. Turns are named `merchant/line@end`; the end is `bank` unless named. Turns that begin are recorded
 * in order.
 */
function open(places: number, longest = 1000) {
  const turns = new FairLimiter(places, longest)
  const begun: Waiter[] = []
  const enter = (name: string, andThen: (turn: Waiter) => void = () => {}): Waiter => {
    const [line = '', to = 'bank'] = name.split('@')
    const begin = () => {
      begun.push(turn)
      andThen(turn)
    }
    const turn: Waiter = { line, merchant: line.split('/')[0]!, to, begin, is: 'new' }
    ok(turns.enter(turn) || turn.is === 'over')
    return turn
  }
  /** Takes as many places as there are for this name; gives the turns. */
  const fill = (name: string): Waiter[] => {
    const all: Waiter[] = []
    do all.push(enter(name))
    while (all.at(-1)!.is === 'holding')
    turns.leave(all.pop()!)
    return all
  }
  const isEmpty = () =>
    deepEqual(
      [turns.waiting, turns.holding.lines, turns.holding.merchants, turns.holding.ends].map(map => map.size),
      [0, 0, 0, 0],
    )
  return { turns, begun, enter, fill, isEmpty }
}

const isLive = (turn: Waiter): boolean => turn.is !== 'over'
const count = (turns: Waiter[], is: Waiter['is']): number => turns.filter(turn => turn.is === is).length

test('each queue can hold a limited share of 1,024 slots, and later queues still find free slots', () => {
  const { fill } = open(1024)
  const names = ['slow/pay', 'slow/ask', 'next/pay', 'third/pay', 'slow/other account', 'last/pay@another bank']
  deepEqual(
    names.map(name => [name, fill(name).length]),
    [
      ['slow/pay', 94],
      ['slow/ask', 68],
      ['next/pay', 64],
      ['third/pay', 52],
      ['slow/other account', 28],
      ['last/pay@another bank', 66],
    ],
  )
})

test('seven thousand hanging requests do not delay a new merchant, nor do 150 merchants that use their full share', () => {
  const { enter, fill } = open(1024)
  const slow = Array.from({ length: 7000 }, () => enter('slow/pay'))
  deepEqual([count(slow, 'holding'), count(slow, 'waiting'), count(slow, 'over')], [94, 1000, 5906])
  equal(enter('new/pay').is, 'holding')
  for (let i = 0; i < 150; i++) ok(fill(`merchant ${i}/pay`).length > 0, `merchant ${i} finds a place`)
})

test('requests to one destination leave a third of the slots free, and do not delay another destination', () => {
  const { enter, fill } = open(1024)
  let held = 0
  for (let i = 0; i < 2000; i++) held += fill(`merchant ${i}/pay@dead`).length
  equal(held, 683)
  for (let i = 0; i < 200; i++) equal(enter(`merchant ${i}/other account@alive`).is, 'holding')
})

test('waiting requests start in the order of arrival, and queues take turns', () => {
  const { turns, begun, enter } = open(1)
  const first = enter('x/pay')
  const names = new Map(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(name => [enter(`${name[0]}/pay`), name]))
  turns.leave(first)
  for (let i = 1; i < 7; i++) turns.leave(begun[i]!)
  deepEqual(
    begun.slice(1).map(turn => names.get(turn)),
    ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'],
  )
})

test('a released slot goes at once to the next waiting request of the same queue', () => {
  const { turns, enter } = open(1024)
  const slow = Array.from({ length: 200 }, () => enter('slow/pay'))
  turns.leave(slow[0]!)
  deepEqual([count(slow, 'holding'), count(slow, 'waiting')], [94, 105])
  for (const turn of slow.slice(0, 150)) turns.leave(turn)
  deepEqual([count(slow, 'holding'), count(slow, 'waiting')], [50, 0])
})

test('a queue is bounded, and a request that leaves it lets another enter', () => {
  const { turns, enter, isEmpty } = open(1, 2)
  const all = [enter('a/pay'), enter('a/pay'), enter('a/pay'), enter('a/pay')]
  deepEqual(
    all.map(turn => turn.is),
    ['holding', 'waiting', 'waiting', 'over'],
  )
  turns.leave(all[1]!)
  const late = enter('a/pay')
  equal(late.is, 'waiting')
  for (const turn of [all[0]!, all[0]!]) turns.leave(turn)
  deepEqual([all[1]!.is, all[2]!.is, late.is], ['over', 'holding', 'waiting'])
  for (const turn of [all[2]!, late]) turns.leave(turn)
  isEmpty()
})

test('ten thousand requests that fail as they start are started one after the other, without recursion', () => {
  const { turns, begun, enter, isEmpty } = open(1, 10_000)
  const first = enter('x/pay')
  for (let i = 0; i < 10_000; i++) enter(`${i % 3}/pay`, turn => turns.leave(turn))
  turns.leave(first)
  equal(begun.length, 10_001)
  isEmpty()
})

/**
 * The possible events: a request comes (and perhaps fails as soon as it begins), or the n-th request of those that
 * came leaves, perhaps for the second time.
 */
const happening = fc.oneof(
  { weight: 3, arbitrary: fc.record({ merchant: fc.nat(2), line: fc.nat(1), end: fc.nat(1), fails: fc.nat(9).map(n => n === 0) }) },
  { weight: 2, arbitrary: fc.record({ goes: fc.nat(60) }) },
)

type Happening = { merchant: number; line: number; end: number; fails: boolean } | { goes: number }

/**
 * Verifies that the first turn of every line waits only because there is no free place for it, and that the others
 * wait behind it in their order of arrival.
 */
function checkFairness(places: number, all: Waiter[], turns: Pick<FairLimiter, 'waiting'>): void {
  const held = all.filter(turn => turn.is === 'holding')
  const free = places - held.length
  ok(free >= 0)
  for (const [line, queue] of turns.waiting) {
    const [head] = queue
    const own = held.filter(turn => turn.line === line).length
    const ofMerchant = held.filter(turn => turn.merchant === head!.merchant).length
    const toEnd = held.filter(turn => turn.to === head!.to).length
    ok(own === 0 ? toEnd >= 2 * free : 8 * own + ofMerchant + toEnd >= free, 'a place was free for it')
    const ofLine = all.filter(turn => turn.line === line)
    deepEqual(
      [...queue],
      ofLine.filter(turn => turn.is === 'waiting'),
    )
    ok(ofLine.findLastIndex(turn => turn.is === 'holding') < ofLine.indexOf(head!), 'one who came later holds a place')
  }
}

test('for random arrivals and departures no request starts twice, out of order or waits with a slot free, and no count is left', () => {
  const story = (places: number, longest: number, happenings: Happening[]) => {
    const { turns, begun, enter, isEmpty } = open(places, longest)
    const all: Waiter[] = []
    for (const one of happenings) {
      if (!('goes' in one)) all.push(enter(`${one.merchant}/${one.line}@${one.end}`, turn => one.fails && turns.leave(turn)))
      else if (all[one.goes]) turns.leave(all[one.goes]!)
      checkFairness(places, all, turns)
      for (const queue of turns.waiting.values()) ok(queue.size > 0 && queue.size <= longest)
    }
    for (let turn = all.find(isLive); turn; turn = all.find(isLive)) turns.leave(turn)
    equal(new Set(begun).size, begun.length)
    isEmpty()
  }
  fc.assert(fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 5 }), fc.array(happening, { maxLength: 120 }), story))
})
