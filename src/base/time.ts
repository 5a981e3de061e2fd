import type { Context, Time } from '../context.ts'
import { refuse } from './refusal.ts'

/** Spans of time in milliseconds. */
export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The latest time, cached because under load many times within one millisecond are parsed and written. */
let latest: { time: Time; milliseconds: number; later: Map<number, Time> } = { time: '', milliseconds: Number.NaN, later: new Map() }

function at(time: Time) {
  if (latest.time !== time) latest = { time, milliseconds: Date.parse(time), later: new Map() }
  return latest
}

/** Returns a time as milliseconds since 1970. */
export const millisecondsOf = (time: Time): number => at(time).milliseconds

/** Returns the time that is this many milliseconds after (or, if negative, before) another. */
export function later(time: Time, milliseconds: number): Time {
  const from = at(time)
  let text = from.later.get(milliseconds)
  if (text === undefined) {
    text = new Date(from.milliseconds + milliseconds).toISOString()
    from.later.set(milliseconds, text)
  }
  return text
}

/** Returns the milliseconds from one time to another. */
export const between = (from: Time, to: Time): number => (from === to ? 0 : Date.parse(to) - Date.parse(from))

/** Milliseconds that have certainly passed since a time that any process of the deployment wrote. */
export function certainlySince(context: Pick<Context, 'now' | 'steadySince'>, then: Time): number {
  const steady = context.steadySince()
  return between(then > steady ? then : steady, context.now())
}

const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Reads a time of a request, in any zone, as UTC. Refuses (IR_05) what JavaScript or PostgreSQL cannot hold (a leap
 * second, the year 0). `or`: the error's words for another value that the field accepts.
 */
export function readTime(field: string, text: string, or = ''): Time {
  const moment = Date.parse(text)
  if (!(moment >= 0 && moment <= LATEST)) refuse('malformed', { field, expected: `${or}a time of the years 1970 to 9999 (UTC)` })
  return new Date(moment).toISOString()
}

/** The day of a time, `YYYY-MM-DD`, in UTC. */
export const dayOf = (time: Time): string => time.slice(0, 10)
