import type { Context, Time } from '../context.ts'
import { refuse } from './refusal.ts'

/** Under load many times of one millisecond are read and written: each only once. */
let latest: { time: Time; milliseconds: number; later: Map<number, Time> } = { time: '', milliseconds: Number.NaN, later: new Map() }

function at(time: Time) {
  if (latest.time !== time) latest = { time, milliseconds: Date.parse(time), later: new Map() }
  return latest
}

/** Milliseconds since 1970. */
export const millisecondsOf = (time: Time): number => at(time).milliseconds

/** The time so many milliseconds after (or before, if negative) another. */
export function later(time: Time, milliseconds: number): Time {
  const from = at(time)
  let text = from.later.get(milliseconds)
  if (text === undefined) {
    text = new Date(from.milliseconds + milliseconds).toISOString()
    from.later.set(milliseconds, text)
  }
  return text
}

/** Milliseconds from one time to another. */
export const between = (from: Time, to: Time): number => (from === to ? 0 : Date.parse(to) - Date.parse(from))

/**
 * How many milliseconds have passed since then for certain, whichever process wrote that time: for what must not be
 * concluded too early.
 */
export function certainlySince(context: Pick<Context, 'now' | 'steadySince'>, then: Time): number {
  const steady = context.steadySince()
  return between(then > steady ? then : steady, context.now())
}

const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * A time from a request, in UTC as ours are written, from any zone: one that both JavaScript and PostgreSQL can hold
 * (no leap second, no year 0). Refuses (IR_05) any other. `or`: what else may be said there.
 */
export function readTime(field: string, said: string, or = ''): Time {
  const moment = Date.parse(said)
  if (!(moment >= 0 && moment <= LATEST)) refuse('malformed', { field, expected: `${or}a time of the years 1970 to 9999 (UTC)` })
  return new Date(moment).toISOString()
}
