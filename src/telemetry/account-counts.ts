import { between, millisecondsOf } from '../base/time.ts'
import type { Time } from '../context.ts'
import type { Operation } from '../operations/operation.ts'
import { heardBetween } from '../payments/authorization/account-health.ts'
import { countLatency, type Latencies } from './latencies.ts'

/** What was heard of calls of one verb to one account, in a span of time. */
export type CallCounts = { calls: number; unknown: number; not_sent: number; succeeded: number; failed: number; latencies: Latencies }

export const noCalls = (): CallCounts => ({ calls: 0, unknown: 0, not_sent: 0, succeeded: 0, failed: 0, latencies: {} })

/** Counts of this process, of a span that began at `at` (milliseconds since 1970). */
type Span = CallCounts & { minutes: number; at: number; used: boolean; dirty: boolean }
/** What was called: an account, or an endpoint of webhooks (`webhook` is its verb). */
type Called = { merchant_id: string; peer_id: string; verb: string }
type Counter = Called & { spans: readonly Span[] }

/** How long the spans are that are counted, in minutes: for the last hour, and for days. */
export const SPANS = { short: 5, long: 60 } as const
const MINUTE_MS = 60_000
/** So many are counted at most while the database is away; of others nothing is counted then. */
const MOST_COUNTERS = 50_000

const startOf = (at: number, minutes: number): number => at - (at % (minutes * MINUTE_MS))
const newSpan = (at: number, minutes: number): Span => ({ ...noCalls(), minutes, at: startOf(at, minutes), used: false, dirty: false })

/** A call that was made, and how it went: its time, and null where nothing reached the other side. */
type Heard = { called: boolean; ms: number | null; unknown: boolean; succeeded: boolean | null }

function count(span: Span, { called, ms, unknown, succeeded }: Heard): void {
  if (called) {
    span.calls++
    if (unknown) span.unknown++
    if (ms === null) span.not_sent++
    else countLatency(span.latencies, ms)
  }
  if (succeeded !== null) span[succeeded ? 'succeeded' : 'failed']++
  span.used = true
  span.dirty = true
}

/** An operation as it is counted, before and after news of it. */
type Moved = Pick<Operation, 'merchant_id' | 'merchant_connector_id' | 'verb' | 'state' | 'modified_at'>

/** A try of a delivery. */
type Tried = { merchant_id: string; endpoint_id: string; latency_ms: number; status_code: number | null; created: Time }

/** The verb of deliveries. */
export const WEBHOOK = 'webhook'

/** A span as it is written: whole, so that writing it again changes nothing. */
export type SpanRow = Called & CallCounts & { minutes: number; at: Time }

/** Counters by what is called, each with the spans that run; `over`: those that are over, and not written yet. */
function openCounters() {
  const counters = new Map<string, Counter>()
  let over: { counter: Counter; span: Span }[] = []
  const runs = (span: Span, at: number): boolean => at < span.at + span.minutes * MINUTE_MS

  function counterOf({ merchant_id, peer_id, verb }: Called, at: number): Counter | undefined {
    const name = `${merchant_id} ${peer_id} ${verb}`
    const known = counters.get(name)
    if (known || counters.size >= MOST_COUNTERS) return known
    const counter = { merchant_id, peer_id, verb, spans: Object.values(SPANS).map(minutes => newSpan(at, minutes)) }
    counters.set(name, counter)
    return counter
  }

  /** The counter's spans at this time. News of before is counted in the span that runs. */
  function turn(counter: Counter, at: number): void {
    if (counter.spans.every(span => runs(span, at))) return
    for (const span of counter.spans) if (span.dirty && !runs(span, at) && over.length < MOST_COUNTERS) over.push({ counter, span })
    counter.spans = counter.spans.map(span => (runs(span, at) ? span : newSpan(at, span.minutes)))
  }

  return {
    add(called: Called, at: number, heard: Heard): void {
      const counter = counterOf(called, at)
      if (!counter) return
      turn(counter, at)
      for (const span of counter.spans) count(span, heard)
    },
    /** What is to be written; `giveBack`, if it could not be. */
    take(at: number) {
      for (const [name, counter] of counters) {
        turn(counter, at)
        // What is called no more takes no memory: its spans are over, and begin anew with the next call.
        if (counter.spans.every(span => !span.used)) counters.delete(name)
      }
      const running = [...counters.values()].flatMap(counter => counter.spans.filter(span => span.dirty).map(span => ({ counter, span })))
      const taken = [...over, ...running]
      over = []
      for (const { span } of running) span.dirty = false
      const rows = taken.map(
        ({ counter: { spans: _running, ...called }, span: { used: _used, dirty: _written, at: began, ...counts } }) => {
          return { ...called, ...counts, at: new Date(began).toISOString() } satisfies SpanRow
        },
      )
      return {
        rows,
        giveBack(): void {
          over = [...taken.filter(({ counter, span }) => !counter.spans.includes(span)), ...over].slice(0, MOST_COUNTERS)
          for (const { span } of running) span.dirty = true
        },
      }
    },
  }
}

/**
 * The calls of this process, counted in memory, and the webhooks of accounts: nothing is written with a payment, and
 * nothing is asked.
 */
export function openAccountCounts() {
  const counters = openCounters()
  let webhooks = new Map<string, { merchant_id: string; merchant_connector_id: string; last_webhook_at: Time }>()

  return {
    /**
     * An operation has moved from one state to another. Only what leaves `open` is a call; what was heard later only
     * says how it ended.
     */
    moved(was: Moved, is: Moved): void {
      const at = millisecondsOf(is.modified_at)
      counters.add({ merchant_id: is.merchant_id, peer_id: is.merchant_connector_id, verb: is.verb }, at, {
        called: was.state === 'open',
        ms: is.state === 'not_sent' ? null : between(was.modified_at, is.modified_at),
        unknown: is.state === 'unknown',
        succeeded: heardBetween(was, is).succeeded,
      })
    },
    /** A webhook was sent to an endpoint, which accepted it or not. */
    tried(attempt: Tried, succeeded: boolean): void {
      const at = millisecondsOf(attempt.created)
      counters.add({ merchant_id: attempt.merchant_id, peer_id: attempt.endpoint_id, verb: WEBHOOK }, at, {
        called: true,
        ms: attempt.latency_ms,
        unknown: attempt.status_code === null,
        succeeded,
      })
    },
    /** A verified webhook of the account has come. */
    webhook(merchant_id: string, merchant_connector_id: string, last_webhook_at: Time): void {
      webhooks.set(`${merchant_id} ${merchant_connector_id}`, { merchant_id, merchant_connector_id, last_webhook_at })
    },
    /** What is to be written; `giveBack`, if it could not be. */
    take(now: Time) {
      const { rows, giveBack } = counters.take(millisecondsOf(now))
      const heard = webhooks
      webhooks = new Map()
      return {
        rows,
        webhooks: [...heard.values()],
        giveBack(): void {
          giveBack()
          webhooks = new Map([...heard, ...webhooks])
        },
      }
    },
  }
}

export type AccountCounts = ReturnType<typeof openAccountCounts>
