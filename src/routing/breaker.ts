import type { EliminationConfig } from './dynamic.ts'
import type { Breaker } from './health.ts'

/**
 * A circuit breaker for one account: does it answer? Times are milliseconds since 1970. Pure: each step gives the
 * next state.
 *
 * An unanswered payment fills a bucket by one, an answered one drains it by as much as the threshold allows, and it
 * leaks by one each interval. When it is full the account counts as down (`open`) and is left alone for an interval;
 * then one payment at a time may try it (`half_open`): an answer closes it, none opens it again for twice as long.
 */
export type BreakerState = {
  level: number
  at: number
  /** Since when the account is down, and when it may be tried again; null while it is not. */
  down_since: number | null
  again_at: number | null
  pause_ms: number
  /** Until then one payment is testing it. */
  tried_until: number
}

export const soundBreaker: BreakerState = { level: 0, at: 0, down_since: null, again_at: null, pause_ms: 0, tried_until: 0 }

/** So long a payment may take until it is known whether it was answered: the longest conversation, and some. */
const TRIAL_MS = 30_000
const LONGEST_PAUSE_MS = 15 * 60_000

export function breakerOf({ again_at, tried_until }: BreakerState, now: number): Breaker {
  if (again_at === null) return 'closed'
  return now >= again_at && now >= tried_until ? 'half_open' : 'open'
}

const leaked = ({ level, at }: BreakerState, { leak_ms }: EliminationConfig, now: number): number =>
  Math.max(0, level - Math.max(0, now - at) / leak_ms)

/**
 * A payment was not answered: not sent, or silence. What began before the account was found to be down says nothing
 * new.
 */
export function unanswered(state: BreakerState, config: EliminationConfig, now: number): BreakerState {
  if (state.again_at !== null) {
    if (now < state.again_at) return state
    const pause_ms = Math.min(LONGEST_PAUSE_MS, state.pause_ms * 2)
    return { ...state, again_at: now + pause_ms, pause_ms, tried_until: 0 }
  }
  const level = leaked(state, config, now) + 1
  // What has leaked of the last one is not counted: as many at once as it holds fill it.
  if (Math.ceil(level) < config.bucket) return { ...state, level, at: now }
  return { level, at: now, down_since: now, again_at: now + config.leak_ms, pause_ms: config.leak_ms, tried_until: 0 }
}

/**
 * The account responded to a payment, with any result. While the account is excluded, the payment began before that.
 */
export function answered(state: BreakerState, config: EliminationConfig, now: number): BreakerState {
  if (state.again_at !== null) return now < state.again_at ? state : soundBreaker
  if (state.level === 0) return state
  const { threshold } = config
  return { ...state, level: Math.max(0, leaked(state, config, now) - threshold / (1 - threshold)), at: now }
}

/** A payment is on its way to an account that may be tried. */
export const tried = (state: BreakerState, now: number): BreakerState => ({ ...state, tried_until: now + TRIAL_MS })

/** It was not, after all. */
export const untried = (state: BreakerState): BreakerState => ({ ...state, tried_until: 0 })
