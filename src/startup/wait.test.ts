import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openAwakePatience } from './wait.ts'

test('work is waited for as long as its process is awake: minutes in which it stood still are not counted', t => {
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
