import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agenda } from './agenda.ts'

test('entries are taken in the order of their due time and never early, independent of the order in which they were added', () => {
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
