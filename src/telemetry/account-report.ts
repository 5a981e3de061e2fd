import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import { millisecondsOf } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { FEWEST_FOR_A_RATE } from '../payments/routing/simulate-routing.ts'
import type { Breaker } from '../routing/dynamic/dynamic-routing.ts'
import { type CallCounts, noCalls, SPANS } from './account-counts.ts'
import { type AccountBreaker, beganAt, type PeerCalls, readAccountHealth, readCalls } from './account-health.ts'
import { addLatencies, percentileOf } from './latencies.ts'

/** The windows of a report: the number of points, and the minutes of each, with the running one included. */
export const windows = {
  '1h': { points: 12, minutes: 5, of: SPANS.short },
  '24h': { points: 24, minutes: 60, of: SPANS.long },
  '7d': { points: 28, minutes: 360, of: SPANS.long },
} as const
export type WindowName = keyof typeof windows

const beginning: ReadonlySet<string> = new Set(['authorize', 'payout'])

const add = (to: CallCounts, more: CallCounts): void => {
  for (const name of ['calls', 'unknown', 'not_sent', 'succeeded', 'failed'] as const) to[name] += more[name]
  addLatencies(to.latencies, more.latencies)
}

const sumOf = (rows: readonly CallCounts[]): CallCounts => {
  const sum = noCalls()
  for (const row of rows) add(sum, row)
  return sum
}

/** Returns how many of a hundred decided payments succeeded, with two decimals; null if too few were decided. */
const rateOf = ({ succeeded, failed }: CallCounts): number | null =>
  succeeded + failed < FEWEST_FOR_A_RATE ? null : Math.round((10_000 * succeeded) / (succeeded + failed)) / 100

/** Returns the breaker over all processes: open since the earliest time, with the latest next try. */
function breakerOf(held: readonly AccountBreaker[], now: Time): { state: Breaker; since: Time | null; next_try_at: Time | null } {
  if (held.length === 0) return { state: 'closed', since: null, next_try_at: null }
  const since = held.map(one => one.since).sort()[0]!
  const next_try_at = held
    .map(one => one.next_try_at)
    .sort()
    .at(-1)!
  return { state: next_try_at <= now ? 'half_open' : 'open', since, next_try_at }
}

const byVerb = (rows: readonly PeerCalls[]) =>
  Object.entries(Object.groupBy(rows, row => row.verb))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([verb, its]) => {
      const { calls: count, unknown, not_sent, latencies } = sumOf(its!)
      return { verb, count, p50_ms: percentileOf(latencies, 50), p95_ms: percentileOf(latencies, 95), unknown, not_sent }
    })
    // A verb whose earlier calls were only decided in the window had no call in it.
    .filter(({ count }) => count > 0)

function seriesOf(rows: readonly PeerCalls[], began: number, { points, minutes }: (typeof windows)[WindowName]) {
  const step = minutes * 60_000
  const sums = Array.from({ length: points }, noCalls)
  for (const row of rows) {
    const point = sums[Math.floor((beganAt(row) - began) / step)]
    if (point) add(point, row)
  }
  return sums.map((sum, i) => ({
    at: new Date(began + i * step).toISOString(),
    payments: sum.calls,
    success_rate: rateOf(sum),
    p95_ms: percentileOf(sum.latencies, 95),
  }))
}

/** Returns when a window that ends now began, in milliseconds since 1970. */
function beganOf(now: Time, { points, minutes }: (typeof windows)[WindowName]): number {
  const step = minutes * 60_000
  const at = millisecondsOf(now)
  return at - (at % step) - (points - 1) * step
}

export async function reportHealth(
  context: Pick<Context, 'query' | 'now'>,
  { merchant_id }: Pick<Merchant, 'merchant_id'>,
  accounts: readonly ConnectorAccount[],
  name: WindowName,
) {
  const window = windows[name]
  const now = context.now()
  const began = beganOf(now, window)
  const since = new Date(began).toISOString()
  const ids = accounts.map(one => one.merchant_connector_id)
  const { calls, webhooks, breakers } = await readAccountHealth(context, merchant_id, ids, { minutes: window.of, since })
  const callsOf = Map.groupBy(calls, row => row.peer_id)
  const data = accounts.map(({ merchant_connector_id, connector_name, connector_label, profile_id }) => {
    const rows = callsOf.get(merchant_connector_id) ?? []
    const begun = rows.filter(row => beginning.has(row.verb))
    const sum = sumOf(begun)
    return {
      ...{ merchant_connector_id, connector_name, connector_label, profile_id },
      payments: sum.calls,
      decided: sum.succeeded + sum.failed,
      success_rate: rateOf(sum),
      calls: byVerb(rows),
      breaker: breakerOf(
        breakers.filter(one => one.merchant_connector_id === merchant_connector_id),
        now,
      ),
      last_webhook_at: webhooks.find(one => one.merchant_connector_id === merchant_connector_id)?.last_webhook_at ?? null,
      series: seriesOf(begun, began, window),
    }
  })
  return { window: name, since, size: data.length, data }
}

/** Reports on a webhook endpoint in the window that ends now: attempts of deliveries, and how long they took. */
export async function reportDeliveries(
  context: Pick<Context, 'query' | 'now'>,
  merchant_id: string,
  endpoint_id: string,
  name: WindowName,
) {
  const window = windows[name]
  const began = beganOf(context.now(), window)
  const since = new Date(began).toISOString()
  const rows = await readCalls(context, merchant_id, [endpoint_id], { minutes: window.of, since })
  const { calls: tried, succeeded: delivered, unknown, latencies } = sumOf(rows)
  return {
    ...{ window: name, since, tried, delivered, unanswered: unknown },
    ...{ p50_ms: percentileOf(latencies, 50), p95_ms: percentileOf(latencies, 95) },
  }
}
