import { deepEqual, equal } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { obeysTheLaws } from '../../test/laws.ts'
import { statesOf, statesThat } from '../base/lifecycle.ts'
import { lifecycle, statuses } from './lifecycle.ts'

obeysTheLaws({
  name: 'a payment',
  grid: lifecycle,
  begins: ['requires_payment_method', 'requires_confirmation'],
  rests: ['succeeded', 'partially_captured'],
})

test('the statuses are the ecosystem’s seventeen, and those that say that they are ours', () => {
  equal(statesOf(lifecycle).length - statesThat(statuses, 'ours').length, 17)
})

test('merchants hear of every status but those that they brought about themselves', () => {
  deepEqual(
    statesOf(lifecycle).filter(status => statuses[status].announced === null),
    ['requires_payment_method', 'requires_confirmation'],
  )
})

test('every move of the grid is one that the code makes', () => {
  const code = globSync('{verbs,actions,taking,authorization}/*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] })
    .map(file => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join('\n')
  const moves = new Set(Object.values(lifecycle).flatMap(moves => Object.keys(moves)))
  deepEqual([...moves].filter(move => !code.includes(`'${move}'`)).sort(), [], 'every move is made by a story')
})
