import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { answered, breakerOf, soundBreaker, tried, unanswered } from './circuit-breaker.ts'

const config = { bucket: 3, leak_ms: 60_000, threshold: 0.5 }
const S = 1000

/**
 * Applies events to a breaker, each with its second: `-` unanswered, `+` answered, `?` a payment tries. Gives its
 * state after each.
 */
function statesAfter(...what: [second: number, what: '-' | '+' | '?' | ' '][]) {
  let state = soundBreaker
  return what.map(([second, happened]) => {
    const now = second * S
    if (happened === '-') state = unanswered(state, config, now)
    if (happened === '+') state = answered(state, config, now)
    if (happened === '?') state = tried(state, now)
    return breakerOf(state, now)
  })
}

test('a breaker is closed until its bucket is full of payments without a response', () => {
  deepEqual(statesAfter([0, '-'], [1, '-'], [2, '-']), ['closed', 'closed', 'open'])
})

test('a response drains the bucket: the breaker stays closed if half of the payments have no response', () => {
  deepEqual(
    new Set(statesAfter(...Array.from({ length: 100 }, (_, i): [number, '-' | '+'] => [i, i % 2 ? '+' : '-']))),
    new Set(['closed']),
  )
})

test('the bucket leaks: occasional payments without a response do not open the breaker', () => {
  deepEqual(new Set(statesAfter([0, '-'], [61, '-'], [122, '-'], [183, '-'], [244, '-'])), new Set(['closed']))
})

test('an open breaker stays open for its interval despite late results, and then lets one payment try', () => {
  const down: [number, '-'][] = [
    [0, '-'],
    [1, '-'],
    [2, '-'],
  ]
  deepEqual(statesAfter(...down, [10, '+'], [11, '-'], [61, ' '], [62, ' ']).slice(3), ['open', 'open', 'open', 'half_open'])
  deepEqual(statesAfter(...down, [62, '?'], [70, ' '], [92, ' ']).slice(3), ['open', 'open', 'half_open'], 'one at a time')
  deepEqual(statesAfter(...down, [62, '?'], [63, '+']).at(-1), 'closed')
  deepEqual(statesAfter(...down, [62, '?'], [63, '+'], [64, '-'], [65, '-']).at(-1), 'closed', 'and it begins anew')
})

test('a trial payment without a response doubles the interval of the breaker, up to 15 minutes', () => {
  const down: [number, '-' | ' '][] = [
    [0, '-'],
    [1, '-'],
    [2, '-'],
    [62, '-'],
    [181, ' '],
    [182, ' '],
  ]
  deepEqual(statesAfter(...down).slice(3), ['open', 'open', 'half_open'])
  let state = soundBreaker
  for (let i = 0; i < 40; i++) state = unanswered(state, config, i < 3 ? i : i * 3_600_000)
  equal(state.pause_ms, 15 * 60_000)
})

test('the breaker opens if the share of payments without a response exceeds the threshold', () => {
  const share = (unansweredOf10: number, threshold: number) => {
    let state = soundBreaker
    for (let i = 0; i < 1000; i++)
      state = (i % 10 < unansweredOf10 ? unanswered : answered)(state, { ...config, bucket: 20, leak_ms: 1e9, threshold }, i)
    return breakerOf(state, 1000)
  }
  deepEqual([share(1, 0.2), share(3, 0.2), share(4, 0.5), share(7, 0.5)], ['closed', 'open', 'closed', 'open'])
})
