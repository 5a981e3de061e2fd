import type { Schemas } from '../../api'
import { percent } from '../../format'
import { formatAmount } from '../../parts/money'

// Metrics and groupings, by the interface's own names.

export type Cell = Schemas['AnalyticsBreakdownItem']
export type Ask = Schemas['AnalyticsBreakdownRequest']
export type Facet = keyof Schemas['AnalyticsKey']

export type Metric = {
  label: string
  /** The metrics that are requested from the service. */
  asks: NonNullable<Ask['metrics']>
  /** The form in which the value is shown. An amount belongs to one currency. */
  shows: 'rate' | 'amount' | 'count' | 'time'
  of(cell: Cell, currency: string): number | null
  /** The number of payments or answers from which the value is computed. */
  counted: { name: string; of(cell: Cell): number }
  beside?: { name: string; of(cell: Cell): number | null }
  /** Whether each attempt of a payment is counted, not the payment. */
  ofAttempts?: true
}

type Counted = 'captured' | 'refunded' | 'disputed' | 'saved_by_retry' | 'outside'
const amountIn = (amounts: readonly { currency: string; amount: number }[] | undefined, currency: string): number =>
  amounts?.find(one => one.currency === currency)?.amount ?? 0
const counts = (label: string, name: Counted): Metric => ({
  label,
  asks: [name],
  shows: 'amount',
  of: (cell, currency) => amountIn(cell[name]?.amounts, currency),
  counted: { name: 'Payments', of: cell => cell[name]?.payments ?? 0 },
})

export const metrics: Readonly<Record<string, Metric>> = {
  attempts: {
    label: 'Attempts authorized',
    ofAttempts: true,
    asks: ['attempts'],
    shows: 'rate',
    of: cell => cell.attempts?.rate ?? null,
    counted: { name: 'Decided attempts', of: cell => cell.attempts?.decided ?? 0 },
  },
  rate: {
    label: 'Payments authorized',
    asks: ['rate'],
    shows: 'rate',
    of: cell => cell.rate ?? null,
    counted: { name: 'Decided payments', of: cell => cell.decided ?? 0 },
  },
  volume: {
    label: 'Volume',
    asks: ['volume', 'payments'],
    shows: 'amount',
    of: (cell, currency) => amountIn(cell.volume, currency),
    counted: { name: 'Payments', of: cell => cell.payments ?? 0 },
  },
  captured: counts('Captured', 'captured'),
  declined: {
    label: 'Attempts declined',
    ofAttempts: true,
    asks: ['attempts'],
    shows: 'count',
    of: cell => cell.attempts?.declined ?? 0,
    counted: { name: 'Decided attempts', of: cell => cell.attempts?.decided ?? 0 },
  },
  saved_by_retry: counts('Saved by another attempt', 'saved_by_retry'),
  outside: counts('Moved at the processor by others', 'outside'),
  refunded: counts('Refunds', 'refunded'),
  disputed: counts('Disputes', 'disputed'),
  latency: {
    label: 'Answer time',
    ofAttempts: true,
    asks: ['latency'],
    shows: 'time',
    of: cell => cell.latency?.p95_ms ?? null,
    counted: { name: 'Answers', of: cell => cell.latency?.answers ?? 0 },
    beside: { name: 'p50', of: cell => cell.latency?.p50_ms ?? null },
  },
}

/** Returns the amounts of a cell in each currency, the largest first. */
export function amountsOf({ asks, shows }: Metric, cell: Cell | undefined): readonly { currency: string; amount: number }[] {
  if (cell === undefined || shows !== 'amount') return []
  const [name] = asks
  return name === 'volume' ? (cell.volume ?? []) : (cell[name as Counted]?.amounts ?? [])
}

/** Formats a value without its currency. */
export function inFigures({ shows }: Metric, value: number, currency: string): string {
  if (shows === 'rate') return percent(value)
  if (shows === 'amount') return formatAmount(Math.round(value), currency)
  return shows === 'time' ? `${Math.round(value).toLocaleString('en')} ms` : value.toLocaleString('en')
}

/** Returns the text for a value that cannot be computed. */
export const missing = ({ shows }: Metric): string => (shows === 'rate' ? 'unknown' : '–')

/** Formats the change since the previous period: for a rate in percentage points, for all other metrics in percent. */
export function change({ shows }: Metric, now: number | null, then: number | null): string {
  if (now === null || then === null || (shows !== 'rate' && then === 0)) return '–'
  const by = shows === 'rate' ? (now - then) * 100 : ((now - then) / then) * 100
  const digits = Math.abs(by).toFixed(1)
  return `${digits === '0.0' ? '' : by > 0 ? '+' : '−'}${digits}${shows === 'rate' ? '' : ' %'}`
}

/**
 * The groupings. `listed`: the list of payments has the same filter. Where it has it for the last attempt only
 * (`last`), a figure of attempts has no link, and a reason of a decline one that says so.
 */
export const facets: readonly { name: Facet; label: string; listed?: true; last?: 'place' | 'reason' }[] = [
  { name: 'merchant_connector_id', label: 'Account', listed: true, last: 'place' },
  { name: 'connector', label: 'Processor', listed: true, last: 'place' },
  { name: 'payment_method', label: 'Method', listed: true, last: 'place' },
  { name: 'card_network', label: 'Network', listed: true, last: 'place' },
  { name: 'currency', label: 'Currency', listed: true },
  { name: 'country', label: 'Country' },
  { name: 'profile_id', label: 'Profile' },
  { name: 'error_code', label: 'Code of the decline', listed: true, last: 'reason' },
  { name: 'unified_code', label: 'Reason of the decline', listed: true, last: 'reason' },
]

/** The groupings for which the service keeps answer times. */
const ofTimes: readonly Facet[] = ['merchant_connector_id', 'connector', 'payment_method', 'profile_id']
/**
 * The groupings of the rate of payments. A payment counts where its last attempt ended, so by account or by reason this
 * rate would hide each decline that another attempt made good.
 */
const ofPayments: readonly Facet[] = ['currency', 'country', 'profile_id']

/** Returns the groupings and filters that a metric has, by its name. */
export const facetsOf = (metric: string): typeof facets =>
  facets.filter(({ name }) => (metric === 'latency' ? ofTimes.includes(name) : metric === 'rate' ? ofPayments.includes(name) : true))
