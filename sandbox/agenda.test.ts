import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agenda } from './agenda.ts'

test('whatever the order in which it was promised, the earliest comes first and nothing comes early', () => {
  const agenda = new Agenda()
  const dues = Array.from({ length: 500 }, (_, n) => (n * 7919) % 251)
  for (const due of dues) agenda.add({ due, what: 'hold', id: 'auth' })
  const taken: number[] = []
  for (let now = 0; now < 251; now++) {
    for (let entry = agenda.takeDue(now); entry !== null; entry = agenda.takeDue(now)) {
      assert.equal(entry.due, now)
      taken.push(entry.due)
    }
  }
  assert.deepEqual(
    taken,
    dues.toSorted((a, b) => a - b),
  )
  assert.equal(agenda.first, undefined)
})
