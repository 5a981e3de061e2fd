import type { Context } from '../context.ts'

const S = 1000
const M = 60 * S
const H = 60 * M

/** How long to wait after each failed try (Standard Webhooks 1.0.0): ten tries over 75 hours and a half. */
export const retryPauses: readonly number[] = [5 * S, 5 * M, 30 * M, 2 * H, 5 * H, 10 * H, 14 * H, 20 * H, 24 * H]
/** Up to a tenth is added, so that what failed together does not come back together. */
const JITTER = 0.1
const LONGEST_WISH_MS = 24 * H

/** An endpoint at which nothing has arrived for so long: its merchant is told, then it is called no more. */
export const WARNED_AFTER_MS = 72 * H
export const DISABLED_AFTER_MS = 120 * H

/**
 * Milliseconds until the next try after so many; null if that was the last. `retryAfter`: the header of that name, in
 * seconds or as a date, which may ask for a later one (by 24 hours at most).
 */
export function pauseAfter(context: Pick<Context, 'random' | 'now'>, tries: number, retryAfter: string | undefined): number | null {
  const pause = retryPauses[tries - 1]
  if (pause === undefined) return null
  const own = Math.round(pause * (1 + (JITTER * context.random(2).readUInt16BE()) / 65_536))
  return Math.max(own, Math.min(wishOf(retryAfter, context), LONGEST_WISH_MS))
}

function wishOf(retryAfter: string | undefined, context: Pick<Context, 'now'>): number {
  if (retryAfter === undefined) return 0
  if (/^\d{1,9}$/.test(retryAfter.trim())) return Number(retryAfter) * 1000
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.parse(context.now()))
}
