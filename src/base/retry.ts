import type { Time } from '../context.ts'
import { between, later } from './time.ts'

/** Times at which failed work is retried. */

/** The first step after `now`; null when all have passed. `steps`: milliseconds since `since`, ascending. */
export function nextStep(steps: readonly number[], since: Time, now: Time): Time | null {
  const age = between(since, now)
  const step = steps.find(offset => offset > age)
  return step === undefined ? null : later(since, step)
}

/** Returns a pause in milliseconds that doubles with each consecutive failure, up to `longest_ms`. */
export const doublingPause = (first_ms: number, failures: number, longest_ms: number): number =>
  Math.min(first_ms * 2 ** (failures - 1), longest_ms)
