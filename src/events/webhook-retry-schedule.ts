import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../base/time.ts'
import type { Context } from '../context.ts'

/** The pauses after each failed attempt (Standard Webhooks 1.0.0): ten attempts over 75 hours and a half. */
export const retryPauses: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
/** The most of a pause that is added at random: what failed together is not retried together. */
const JITTER = 0.1
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS

/** Without a success for so long, the merchant is warned; then the endpoint is disabled. */
export const WARNED_AFTER_MS = 72 * HOUR_MS
export const DISABLED_AFTER_MS = 120 * HOUR_MS

/**
 * Milliseconds to the next attempt after `tries`; null: none. `Retry-After` (seconds or date) delays by 24 h at most.
 */
export function pauseAfter(context: Pick<Context, 'random' | 'now'>, tries: number, retryAfter: string | undefined): number | null {
  const pause = retryPauses[tries - 1]
  if (pause === undefined) return null
  const own = Math.round(pause * (1 + (JITTER * context.random(2).readUInt16BE()) / 65_536))
  return Math.max(own, Math.min(requestedDelay(retryAfter, context), LONGEST_RETRY_AFTER_MS))
}

function requestedDelay(retryAfter: string | undefined, context: Pick<Context, 'now'>): number {
  if (retryAfter === undefined) return 0
  if (/^\d{1,9}$/.test(retryAfter.trim())) return Number(retryAfter) * 1000
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.parse(context.now()))
}
