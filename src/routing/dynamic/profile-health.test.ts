import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { successConfig } from './config.ts'
import { afterOutcome, rateOf, type Window } from './profile-health.ts'

const MINUTE = 60_000
const config = successConfig({})

/** Gives a window after `payments` payments, of which `succeeded` succeed, one a second from `began` on. */
function seen(window: Window, payments: number, succeeded: number, began = 0): Window {
  let now = window
  for (let i = 0; i < payments; i++) now = afterOutcome(now, config, began + i * 1000, i % payments < succeeded)
  return now
}

test('a success rate is unknown below 30 payments', () => {
  deepEqual(rateOf(seen([], 29, 29), config, MINUTE), { success_rate: null, payments: 20 })
  deepEqual(rateOf(seen([], 30, 24), config, MINUTE), { success_rate: 80, payments: 30 })
})

test('only the latest blocks count towards the success rate, and older failures are dropped', () => {
  const long = seen(seen([], 200, 0), 200, 200, 200_000)
  deepEqual(rateOf(long, config, 400_000), { success_rate: 100, payments: 200 })
})

test('a block also closes after its maximum duration, and blocks older than the window are ignored', () => {
  const few = successConfig({
    config: { min_aggregates_size: 1, max_aggregates_size: 2, current_block_threshold: { duration_in_mins: 10 } },
  })
  const one = afterOutcome([], few, 0, true)
  deepEqual(rateOf(one, few, 9 * MINUTE), { success_rate: null, payments: 0 })
  deepEqual(rateOf(one, few, 10 * MINUTE), { success_rate: 100, payments: 1 })
  deepEqual(rateOf(one, few, 21 * MINUTE), { success_rate: null, payments: 0 })
})

test('missing configuration falls back to defaults, and Hyperswitch’s alternative field names are accepted', () => {
  deepEqual(successConfig({ decision_engine_configs: { defaultBucketSize: 7, defaultHedgingPercent: 3 } }), {
    ...config,
    block_payments: 7,
    exploration: 3,
  })
})
