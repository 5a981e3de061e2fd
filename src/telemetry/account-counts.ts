import { between, MINUTE_MS, millisecondsOf } from '../base/time.ts'
import type { Time } from '../context.ts'
import type { Operation } from '../operations/operation.ts'
import { healthReport } from '../payments/authorization/account-health.ts'
import { countLatency, type Latencies } from './latencies.ts'

export type CallCounts = { calls: number; unknown: number; not_sent: number; succeeded: number; failed: number; latencies: Latencies }

export const noCalls = (): CallCounts => ({ calls: 0, unknown: 0, not_sent: 0, succeeded: 0, failed: 0, latencies: {} })

/** The counts of this process, for a span that began at `at` (milliseconds since 1970). */
type Span = CallCounts & { minutes: number; at: number; used: boolean; dirty: boolean }
/** The target of calls: a connector account, or a webhook endpoint (with the verb `webhook`). */
type Called = { merchant_id: string; peer_id: string; verb: string }
type Counter = Called & { spans: readonly Span[] }

/** The lengths of the counted spans, in minutes: for the last hour, and for days. */
export const SPANS = { short: 5, long: 60 } as const
/** The most counters while the database is unavailable; calls to further accounts are not counted then. */
const MOST_COUNTERS = 50_000

const startOf = (at: number, minutes: number): number => at - (at % (minutes * MINUTE_MS))
const newSpan = (at: number, minutes: number): Span => ({ ...noCalls(), minutes, at: startOf(at, minutes), used: false, dirty: false })

/** `called`: whether a call was made; `ms`: null if nothing reached the other side. */
type CallResult = { called: boolean; ms: number | null; unknown: boolean; succeeded: boolean | null }

function count(span: Span, { called, ms, unknown, succeeded }: CallResult): void {
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

/** The columns of an operation that are counted, before and after news of the operation. */
type Moved = Pick<Operation, 'merchant_id' | 'merchant_connector_id' | 'verb' | 'state' | 'modified_at'>

type Tried = { merchant_id: string; endpoint_id: string; latency_ms: number; status_code: number | null; created: Time }

const WEBHOOK = 'webhook'

/** A span as it is written: always whole, so that writing it again changes nothing. */
type SpanRow = Called & CallCounts & { minutes: number; at: Time }

/** One counter for each target; `over`: spans that have ended and are not written yet. */
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

  /** News of an earlier time is counted in the running span. */
  function turn(counter: Counter, at: number): void {
    if (counter.spans.every(span => runs(span, at))) return
    for (const span of counter.spans) if (span.dirty && !runs(span, at) && over.length < MOST_COUNTERS) over.push({ counter, span })
    counter.spans = counter.spans.map(span => (runs(span, at) ? span : newSpan(at, span.minutes)))
  }

  return {
    add(called: Called, at: number, result: CallResult): void {
      const counter = counterOf(called, at)
      if (!counter) return
      turn(counter, at)
      for (const span of counter.spans) count(span, result)
    },
    /** `giveBack` returns the spans, if the write failed. */
    take(at: number) {
      for (const [name, counter] of counters) {
        turn(counter, at)
        // A target that is no longer called takes no memory: its spans have ended, and begin anew with the next call.
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

/** In memory: no row is written with a payment, and none is read. */
export function openAccountCounts() {
  const counters = openCounters()
  let webhooks = new Map<string, { merchant_id: string; merchant_connector_id: string; last_webhook_at: Time }>()

  return {
    /** Only an operation that leaves `open` is a call; later news only tells how the operation ended. */
    moved(was: Moved, is: Moved, now: Time): void {
      counters.add({ merchant_id: is.merchant_id, peer_id: is.merchant_connector_id, verb: is.verb }, millisecondsOf(now), {
        called: was.state === 'open',
        ms: is.state === 'not_sent' ? null : between(was.modified_at, is.modified_at),
        unknown: is.state === 'unknown',
        succeeded: healthReport(was, is).succeeded,
      })
    },
    tried(attempt: Tried, succeeded: boolean): void {
      const at = millisecondsOf(attempt.created)
      counters.add({ merchant_id: attempt.merchant_id, peer_id: attempt.endpoint_id, verb: WEBHOOK }, at, {
        called: true,
        ms: attempt.latency_ms,
        unknown: attempt.status_code === null,
        succeeded,
      })
    },
    webhook(merchant_id: string, merchant_connector_id: string, last_webhook_at: Time): void {
      webhooks.set(`${merchant_id} ${merchant_connector_id}`, { merchant_id, merchant_connector_id, last_webhook_at })
    },
    take(now: Time) {
      const { rows, giveBack } = counters.take(millisecondsOf(now))
      const batch = webhooks
      webhooks = new Map()
      return {
        rows,
        webhooks: [...batch.values()],
        giveBack(): void {
          giveBack()
          webhooks = new Map([...batch, ...webhooks])
        },
      }
    },
  }
}

export type AccountCounts = ReturnType<typeof openAccountCounts>
