import { deepEqual } from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { obeysTheLaws } from '../../test/laws.ts'
import { statesOf } from '../base/lifecycle.ts'
import { lifecycle, statuses } from './lifecycle.ts'

obeysTheLaws({
  name: 'a payout',
  grid: lifecycle,
  begins: ['requires_payout_method_data', 'requires_confirmation', 'requires_fulfillment', 'pending'],
  rests: ['success', 'failed', 'cancelled', 'expired', 'ineligible'],
})

test('every transition of the payout lifecycle is used by the code', () => {
  deepEqual(
    statesOf(lifecycle).filter(status => statuses[status].eventType === null),
    ['requires_payout_method_data', 'requires_confirmation', 'requires_fulfillment', 'pending'],
  )
})

test('a payout sends the merchant an event in every status except pending and those that the merchant caused', () => {
  const here = new URL('.', import.meta.url)
  const files = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter(file => /\.ts$/.test(file) && !/test|lifecycle/.test(file))
  const code = files.map(file => readFileSync(new URL(file, here), 'utf8')).join('\n')
  const moves = new Set(Object.values(lifecycle).flatMap(moves => Object.keys(moves)))
  deepEqual(
    [...moves].filter(move => !code.includes(`'${move}'`)),
    [],
    'every move is made by a use case',
  )
})
