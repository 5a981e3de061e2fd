import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openClock } from './clock.ts'
import { between, millisecondsOf } from './time.ts'

const START = Date.parse('2026-05-01T10:00:00.000Z')

/**
 * Opens a host with a clock that every test may set, a database with another, and a process that uses both. `pass`
 * lets time pass for all of them.
 */
function open(host = START) {
  const at = { host, database: START, monotonic: 5_000 }
  const logs: string[] = []
  const line = (facts: object, message: string) => void logs.push(`${message} ${JSON.stringify(facts)}`)
  const clock = openClock({ info: line, warn: line, error: line }, { host: () => at.host, monotonic: () => at.monotonic })
  const pass = (ms: number) => {
    for (const name of ['host', 'database', 'monotonic'] as const) at[name] += ms
  }
  /** Queries the database's clock; the query takes as long on its way as the answer. */
  const sync = (took = 2) =>
    clock.setBy(async () => {
      pass(took / 2)
      const answer = { clock: at.database }
      pass(took / 2)
      return answer
    })
  const error = () => millisecondsOf(clock.now()) - at.database
  return { at, clock, logs, pass, sync, error }
}

test('services whose host clocks differ by half a minute agree with the database clock', async () => {
  for (const host of [START - 30_000, START, START + 30_000]) {
    const { clock, sync, error, pass } = open(host)
    await sync()
    ok(Math.abs(error()) <= 2, `off by ${error()}`)
    pass(60_000)
    ok(Math.abs(error()) <= 2)
    ok(Math.abs(clock.skew() - (host - START)) <= 2, `${clock.skew()}`)
  }
})

test('setting the host clock during a request does not change measured durations: 10 s stay 10 s', async () => {
  for (const step of [120_000, -120_000, 3_600_000]) {
    const { at, clock, sync, pass } = open()
    await sync()
    const began = clock.now()
    at.host += step
    pass(5_000)
    await sync()
    pass(5_000)
    ok(Math.abs(between(began, clock.now()) - 10_002) <= 2, `${between(began, clock.now())}`)
    ok(clock.steadySince() <= began)
  }
})

test('a skew of the host clock is logged once, and once more when it is gone', async () => {
  const { at, sync, logs, pass } = open()
  for (const [step, lines] of [
    [0, 0],
    [900, 0],
    [30_000, 1],
    [0, 1],
    [-30_000, 1],
    [-900, 2],
    [-800, 2],
    [-1_000, 3],
  ] as const) {
    at.host += step
    for (let i = 0; i < 3; i++) {
      pass(400)
      await sync()
    }
    equal(logs.length, lines, `${step}: ${logs.join('\n')}`)
  }
  match(logs[0]!, /differs from the database's.*30899/)
  match(logs[1]!, /agrees .* again/)
})

test('the clock never goes backwards when the database clock jumps, and agrees with it in the end', async () => {
  const { at, clock, sync, pass, error } = open()
  await sync()
  let last = clock.now()
  for (let i = 0; i < 2000; i++) {
    if (i % 500 === 100) at.database -= 3_000
    if (i % 700 === 600) at.database += 1_500
    pass(37)
    if (i % 10 === 0) await sync(3)
    const now = clock.now()
    ok(now >= last, `${last}, then ${now}`)
    last = now
  }
  for (let i = 0; i < 300; i++) {
    pass(400)
    await sync()
  }
  ok(Math.abs(error()) <= 2, `off by ${error()}`)
})

test('a slow response from the database does not move the clock', async () => {
  const { clock, sync, logs, error } = open()
  await sync()
  for (const took of [50, 1_000, 4_900]) await sync(took)
  ok(Math.abs(error()) <= 2)
  equal(logs.length, 0)
  equal(clock.skew(), 0)
})

test('when the database clock jumps ahead, the clock follows at once, and only durations from then on are reliable', async () => {
  const { at, clock, sync, pass, error, logs } = open()
  await sync()
  pass(600_000)
  const began = clock.now()
  at.database += 120_000
  pass(1_000)
  await sync()
  ok(Math.abs(error()) <= 2)
  ok(between(began, clock.now()) > 120_000)
  equal(clock.steadySince(), clock.now())
  pass(30_000)
  await sync()
  ok(Math.abs(between(clock.steadySince(), clock.now()) - 30_000) <= 4)
  equal(logs.filter(line => line.includes('process and the database differ')).length, 1)
})

test('when the database clock falls back, no duration is reliable until the clocks agree again', async () => {
  const { at, clock, sync, pass, error } = open()
  await sync()
  pass(600_000)
  at.database -= 5_000
  await sync()
  for (let i = 0; i < 10; i++) {
    pass(3_000)
    await sync()
    equal(clock.steadySince(), clock.now())
  }
  for (let i = 0; i < 10; i++) {
    pass(3_000)
    await sync()
  }
  ok(Math.abs(error()) <= 2)
  ok(between(clock.steadySince(), clock.now()) < 30_000)
  ok(between(clock.steadySince(), clock.now()) > 0)
})

test('a machine that was paused with its monotonic clock detects it at the next database response', async () => {
  const { at, clock, sync, pass, error } = open()
  await sync()
  pass(200_000)
  at.database += 90_000
  at.host += 90_000
  await sync()
  ok(Math.abs(error()) <= 2)
  equal(clock.steadySince(), clock.now())
})

test('a process that was only stopped (SIGSTOP) keeps its durations, because its monotonic clock went on', async () => {
  const { clock, sync, pass } = open()
  await sync()
  const before = clock.steadySince()
  pass(90_000)
  await sync()
  deepEqual([clock.steadySince(), between(before, clock.now()) > 90_000], [before, true])
})
