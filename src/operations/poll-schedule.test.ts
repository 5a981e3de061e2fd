import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { firstPoll, inFlightWindowIsOver, nextPoll } from './poll-schedule.ts'

const began = '2026-01-01T00:00:00.000Z'
const at = (seconds: number) => new Date(Date.parse(began) + seconds * 1000).toISOString()
const never = at(0)

test('an unfinished operation is polled after 5 s, 15 s, 30 s, 1, 2 and 5 minutes, and so on, up to seven days', () => {
  equal(firstPoll(began), at(5))
  const rows: [now: number, next: number | null][] = [
    [0, 5],
    [5, 15],
    [15, 30],
    [30, 60],
    [60, 120],
    [120, 300],
    [299, 300],
    [3600, 7200],
    [86_400, 172_800],
    [6 * 86_400, 7 * 86_400],
    [7 * 86_400, null],
    [8 * 86_400, null],
  ]
  for (const [now, next] of rows) equal(nextPoll(began, at(now), never), next === null ? null : at(next), `after ${now} s`)
})

test('missed polls are not made up for', () => {
  equal(nextPoll(began, at(3000), never), at(3600))
})

test('an operation is polled once more when the session expires', () => {
  equal(nextPoll(began, at(650), at(900)), at(900))
  equal(nextPoll(began, at(100), at(900)), at(120))
  equal(nextPoll(began, at(900), at(900)), at(1800))
})

test('a request may be in flight until its window is over, which takes longer after a restart or a clock jump', () => {
  const isOver = (seconds: number, steadySince = -1000) =>
    inFlightWindowIsOver({ now: () => at(seconds), steadySince: () => at(steadySince) }, began, 80_000)
  equal(isOver(80), false)
  equal(isOver(81), true)
  // The clock leapt, or the process has just started: the length of these 300 s is uncertain.
  equal(isOver(300, 250), false)
  equal(isOver(331, 250), true)
})
