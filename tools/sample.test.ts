import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { sampleOf, sampleOfEach } from '../test/sample.ts'

const turns = Array.from({ length: 12 }, (_, i) => 997_721 + i)

test('consecutive samples contain everything, each the same part every time, and none is empty', () => {
  const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  for (const divisor of [1, 2, 3, 6, 20]) {
    const samples = turns.map(turn => sampleOf(all, divisor, turn))
    deepEqual(new Set(samples.flat()), new Set(all))
    deepEqual(
      turns.map(turn => sampleOf(all, divisor, turn)),
      samples,
    )
    equal(samples.filter(sample => sample.length === 0 || sample.length > Math.ceil(all.length / Math.min(divisor, 7))).length, 0)
  }
  deepEqual(sampleOf(all, 3, null), all)
})

test('consecutive samples of groups contain every member of every group, and never two of one group', () => {
  const groups = [['a1', 'a2', 'a3'], ['b1'], ['c1', 'c2'], ['d1', 'd2', 'd3'], ['e1']]
  const samples = turns.map(turn => sampleOfEach(groups, 3, turn))
  deepEqual(new Set(samples.flat()), new Set(groups.flat()))
  for (const sample of samples) equal(new Set(sample.map(member => member[0])).size, sample.length)
  deepEqual(sampleOfEach(groups, 3, null), groups.flat())
})
