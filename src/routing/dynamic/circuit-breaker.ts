import type { EliminationConfig } from './config.ts'
import type { Breaker } from './health.ts'

/**
 * A circuit breaker for one connector account. Times are milliseconds since 1970. Pure. An unanswered payment fills a
 * bucket by one. An answered payment drains it by the amount that the threshold allows, and it leaks by one each
 * interval. When it is full, the account counts as down (`open`) and is tried last for an interval. Then one payment at
 * a time may test it (`half_open`): an answer closes the breaker, a missing one opens it again for twice as long.
 */
export type BreakerState = {
  level: number
  at: number
  /** Since when the account is down, and when it may be tried again; null while it is up. */
  down_since: number | null
  again_at: number | null
  pause_ms: number
  /** Until when one payment is testing the account. */
  tried_until: number
}

export const soundBreaker: BreakerState = { level: 0, at: 0, down_since: null, again_at: null, pause_ms: 0, tried_until: 0 }

/** A little more than the longest conversation. */
const TRIAL_MS = 30_000
const LONGEST_PAUSE_MS = 15 * 60_000

export function breakerOf({ again_at, tried_until }: BreakerState, now: number): Breaker {
  if (again_at === null) return 'closed'
  return now >= again_at && now >= tried_until ? 'half_open' : 'open'
}

const leaked = ({ level, at }: BreakerState, { leak_ms }: EliminationConfig, now: number): number =>
  Math.max(0, level - Math.max(0, now - at) / leak_ms)

/** Payments that began before the account was found to be down do not count. */
export function unanswered(state: BreakerState, config: EliminationConfig, now: number): BreakerState {
  if (state.again_at !== null) {
    if (now < state.again_at) return state
    const pause_ms = Math.min(LONGEST_PAUSE_MS, state.pause_ms * 2)
    return { ...state, again_at: now + pause_ms, pause_ms, tried_until: 0 }
  }
  const level = leaked(state, config, now) + 1
  // The level is rounded up, so that a burst of as many unanswered payments as the bucket holds fills it.
  if (Math.ceil(level) < config.bucket) return { ...state, level, at: now }
  return { level, at: now, down_since: now, again_at: now + config.leak_ms, pause_ms: config.leak_ms, tried_until: 0 }
}

/** Any response counts, except while the account is excluded, because its payment began before. */
export function answered(state: BreakerState, config: EliminationConfig, now: number): BreakerState {
  if (state.again_at !== null) return now < state.again_at ? state : soundBreaker
  if (state.level === 0) return state
  const { threshold } = config
  return { ...state, level: Math.max(0, leaked(state, config, now) - threshold / (1 - threshold)), at: now }
}

export const tried = (state: BreakerState, now: number): BreakerState => ({ ...state, tried_until: now + TRIAL_MS })

export const untried = (state: BreakerState): BreakerState => ({ ...state, tried_until: 0 })
