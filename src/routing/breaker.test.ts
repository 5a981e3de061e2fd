import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { answered, breakerOf, soundBreaker, tried, unanswered } from './breaker.ts'

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

test('closed, until as many are unanswered as the bucket holds', () => {
  deepEqual(statesAfter([0, '-'], [1, '-'], [2, '-']), ['closed', 'closed', 'open'])
})

test('an answer drains it: half of all may be unanswered, and nobody is thought to be down', () => {
  deepEqual(
    new Set(statesAfter(...Array.from({ length: 100 }, (_, i): [number, '-' | '+'] => [i, i % 2 ? '+' : '-']))),
    new Set(['closed']),
  )
})

test('it leaks: one now and then is forgotten', () => {
  deepEqual(new Set(statesAfter([0, '-'], [61, '-'], [122, '-'], [183, '-'], [244, '-'])), new Set(['closed']))
})

test('open it is left alone for an interval, whatever is still heard of what began before; then one may try', () => {
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

test('a trial that is not answered opens it for twice as long, at most a quarter of an hour', () => {
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

test('the threshold is the share of unanswered payments that is borne', () => {
  const share = (unansweredOf10: number, threshold: number) => {
    let state = soundBreaker
    for (let i = 0; i < 1000; i++)
      state = (i % 10 < unansweredOf10 ? unanswered : answered)(state, { ...config, bucket: 20, leak_ms: 1e9, threshold }, i)
    return breakerOf(state, 1000)
  }
  deepEqual([share(1, 0.2), share(3, 0.2), share(4, 0.5), share(7, 0.5)], ['closed', 'open', 'closed', 'open'])
})
