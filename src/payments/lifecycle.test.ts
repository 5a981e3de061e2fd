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

test('the payment statuses are the seventeen that existing clients know, plus those marked as ours', () => {
  equal(statesOf(lifecycle).length - statesThat(statuses, 'ours').length, 17)
})

test('a payment sends the merchant an event in every status except requires_payment_method and requires_confirmation', () => {
  deepEqual(
    statesOf(lifecycle).filter(status => statuses[status].eventType === null),
    ['requires_payment_method', 'requires_confirmation'],
  )
})

test('every transition of the payment lifecycle is used by the code', () => {
  const code = globSync('{verbs,actions,plan,authorization}/*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] })
    .map(file => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join('\n')
  const moves = new Set(Object.values(lifecycle).flatMap(moves => Object.keys(moves)))
  deepEqual([...moves].filter(move => !code.includes(`'${move}'`)).sort(), [], 'every move is made by a use case')
})
