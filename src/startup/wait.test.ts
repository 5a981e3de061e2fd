import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openAwakePatience } from './wait.ts'

test('time in which the process was suspended does not count against the waiting limit for work', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let at = 0
  const pass = (ms: number) => {
    at += ms
    t.mock.timers.tick(ms)
  }
  const rung: number[] = []
  const patience = openAwakePatience(() => at)(60_000)
  patience(() => rung.push(at))
  pass(15_000)
  pass(10_000)
  // The machine is suspended, and its timers run when it continues.
  pass(160_000)
  for (let i = 0; i < 3; i++) {
    deepEqual(rung, [])
    pass(15_000)
  }
  deepEqual(rung, [230_000])
  patience(() => rung.push(at))()
  pass(15_000)
  for (let i = 0; i < 5; i++) pass(15_000)
  equal(rung.length, 1, 'what is called off does not ring')
})
