import { DAY_MS, HOUR_MS, MINUTE_MS, nextStep, SECOND_MS } from '../base/retry.ts'
import { certainlySince, later } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { isUnfinished, type Operation } from './operation.ts'

/**
 * When an unfinished operation is asked about, counted from its beginning. Close at first, because most silences are
 * short; a day apart in the end.
 */
export const POLL_AFTER_MS: readonly number[] = [
  5 * SECOND_MS,
  15 * SECOND_MS,
  30 * SECOND_MS,
  1 * MINUTE_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  10 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  1 * HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
  1 * DAY_MS,
  2 * DAY_MS,
  3 * DAY_MS,
  4 * DAY_MS,
  5 * DAY_MS,
  6 * DAY_MS,
  7 * DAY_MS,
]

/** How long we go on asking. Then a person must look: `requires_merchant_action`. */
export const POLL_FOR_MS = 7 * DAY_MS

/** The first alarm of an operation that begins now. */
export const firstPoll = (now: Time): Time => later(now, POLL_AFTER_MS[0]!)

/**
 * The next time to ask about an operation that began at `began`: the next step after `now`, or the end
 * of the payment's session if that comes first (a customer who closed the tab is asked about once more then). Null
 * when all steps have passed.
 */
export function nextPoll(began: Time, now: Time, session_ends: Time): Time | null {
  const next = nextStep(POLL_AFTER_MS, began, now)
  if (next === null) return null
  return session_ends > now && session_ends < next ? session_ends : next
}

/** For what should have ended by now and could not be written: it must ring again, and not in every tick. */
const AGAIN_MS = 1 * HOUR_MS

/** What a processor works on for longer than the schedule (a debit that banks decide). */
const WAITING_MS = 1 * DAY_MS

/** How long we go on asking about what is decided after days (`Offer.decided`). */
export const POLL_FOR_DAYS_MS = 30 * DAY_MS

/**
 * When the processor is asked once more about what it had never received, counted from when we gave it up: its own
 * queues and outages may be longer than any window we leave it.
 */
const ONCE_MORE_MS = [1 * HOUR_MS, 1 * DAY_MS, 7 * DAY_MS]

/** When to ask again about this operation, after it was asked about at `now`; null if never. */
export function pollAfter(operation: Pick<Operation, 'state' | 'began' | 'modified_at'>, now: Time, session_ends: Time): Time | null {
  if (isUnfinished(operation))
    return nextPoll(operation.began, now, session_ends) ?? later(now, operation.state === 'waiting' ? WAITING_MS : AGAIN_MS)
  return operation.state === 'not_received' ? nextStep(ONCE_MORE_MS, operation.modified_at, now) : null
}

/**
 * After this long a begun request is not sent any more. It must be so much less than any connector's `in_flight_ms`
 * that a request sent at the last moment has its whole exchange, and half a minute more, before "not found" is a no.
 */
export const TOO_LATE_MS = 30_000

/**
 * Can a request that the processor does not know no longer turn up there? The sender and the poller use the same
 * clock (`base/clock.ts`): the one sends nothing that began more than `TOO_LATE_MS` ago, the other counts the window
 * from the beginning, or from when its own clock was last put right.
 */
export const inFlightWindowIsOver = (context: Pick<Context, 'now' | 'steadySince'>, began: Time, in_flight_ms: number): boolean =>
  certainlySince(context, began) > in_flight_ms
