import { nextStep } from '../base/retry.ts'
import { certainlySince, DAY_MS, HOUR_MS, later, MINUTE_MS, SECOND_MS } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { endedWithOurNo, isUnfinished, type Operation } from './operation.ts'

/** When the processor is asked about an unfinished operation: soon at first, because most silences are short. */
export const POLL_AFTER_MS: readonly number[] = [
  ...[5, 15, 30].map(seconds => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map(minutes => minutes * MINUTE_MS),
  ...[1, 2, 4, 8, 12].map(hours => hours * HOUR_MS),
  ...[1, 2, 3, 4, 5, 6, 7].map(days => days * DAY_MS),
]

/** How long the processor is polled. After that a person must look: `requires_merchant_action`. */
export const POLL_FOR_MS = 7 * DAY_MS

export const firstPoll = (now: Time): Time => later(now, POLL_AFTER_MS[0]!)

/** The next step, or the end of the session if sooner (the customer may have closed the tab). Null: none is left. */
export function nextPoll(began: Time, now: Time, session_ends: Time): Time | null {
  const next = nextStep(POLL_AFTER_MS, began, now)
  if (next === null) return null
  return session_ends > now && session_ends < next ? session_ends : next
}

/** For an operation that should have ended and could not be written: again, but not in every tick. */
const AGAIN_MS = 1 * HOUR_MS

/** For an operation that a processor works on for longer than the schedule (a debit that banks decide). */
const WAITING_MS = 1 * DAY_MS

/** How long the processor is polled for an operation that is decided after days (`Offer.decided`). */
export const POLL_FOR_DAYS_MS = 30 * DAY_MS

/**
 * When the processor is asked once more about an operation that it had never received, or that an operator declined,
 * from that end: its queues and outages may outlast the in-flight window, and an operator may be wrong.
 */
const ONCE_MORE_MS = [1 * HOUR_MS, 1 * DAY_MS, 7 * DAY_MS]

/** When to ask again about this operation, after the processor was asked at `now`; null if never. */
export function pollAfter(
  operation: Pick<Operation, 'state' | 'began' | 'modified_at' | 'response'>,
  now: Time,
  session_ends: Time,
): Time | null {
  if (isUnfinished(operation))
    return nextPoll(operation.began, now, session_ends) ?? later(now, operation.state === 'waiting' ? WAITING_MS : AGAIN_MS)
  return endedWithOurNo(operation) ? nextStep(ONCE_MORE_MS, operation.modified_at, now) : null
}

/**
 * How long after its beginning a request may still be sent: so much less than any connector's `in_flight_ms` that it
 * has time for its whole exchange, and half a minute more, before "not found" is a no.
 */
export const TOO_LATE_MS = 30_000

/**
 * Whether a request that the processor does not know can no longer arrive. Sender and poller use one clock
 * (`base/clock.ts`): nothing is sent later than `TOO_LATE_MS`, and the window counts from the beginning, or from the
 * clock's last correction.
 */
export const inFlightWindowIsOver = (context: Pick<Context, 'now' | 'steadySince'>, began: Time, in_flight_ms: number): boolean =>
  certainlySince(context, began) > in_flight_ms
