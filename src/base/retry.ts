import type { Time } from '../context.ts'
import { between, later } from './time.ts'

/** When something is tried again. */

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/**
 * The first of these steps (milliseconds since `since`, growing) that comes after `now`; null when all have passed.
 */
export function nextStep(steps: readonly number[], since: Time, now: Time): Time | null {
  const age = between(since, now)
  const step = steps.find(offset => offset > age)
  return step === undefined ? null : later(since, step)
}

/** A pause that doubles with each failure in a row, up to the longest. */
export const doublingPause = (first_ms: number, failures: number, longest_ms: number): number =>
  Math.min(first_ms * 2 ** (failures - 1), longest_ms)
