import { useQuery } from '@tanstack/react-query'
import { answer, POST, type Schemas } from '../../api'
import type { Chosen } from '../../list-address'
import { type Ask, amountsOf, type Cell, type Facet, facets, facetsOf, type Metric, metrics } from './metrics'

const HOUR = 3_600_000
const DAY = 24 * HOUR

export const ranges = [
  { value: '24h', label: '24 hours', days: 1 },
  { value: '7d', label: '7 days', days: 7 },
  { value: '30d', label: '30 days', days: 30 },
  { value: '90d', label: '90 days', days: 90 },
]
export const comparisons = [
  { value: 'previous_period', label: 'the period before' },
  { value: 'week_before', label: 'a week before' },
]
/** The longest period, in days, that is shown by the hour. */
const MOST_DAYS_BY_HOUR = 14

/** The query that an address of this page stands for. */
export type Wanted = {
  name: string
  metric: Metric
  by: Facet | null
  days: number
  granularity: 'hour' | 'day'
  compare: Ask['compare']
  time_range: { start_time: string; end_time: string }
  filters: Partial<Record<Facet, string[]>>
}

/**
 * Returns a period of whole days that ends with the current hour. The hours and days of the compared period then fall
 * on those of this period.
 */
function rangeOf(days: number): Wanted['time_range'] {
  const end = Math.ceil(Date.now() / HOUR) * HOUR
  return { start_time: new Date(end - days * DAY).toISOString(), end_time: new Date(end).toISOString() }
}

export function wantedOf(chosen: Chosen): Wanted {
  const name = chosen.metric && metrics[chosen.metric] ? chosen.metric : 'attempts'
  const fitting = name === 'rate' ? facetsOf(name) : facets
  const by = chosen.by || (name === 'declined' ? 'error_code' : name === 'rate' ? 'currency' : 'merchant_connector_id')
  const days = ranges.find(({ value }) => value === chosen.range)?.days ?? 7
  const mayBeHours = days <= MOST_DAYS_BY_HOUR
  return {
    name,
    metric: metrics[name]!,
    by: fitting.find(facet => facet.name === by)?.name ?? null,
    days,
    granularity: mayBeHours && (chosen.granularity ?? (days === 1 ? 'hour' : 'day')) === 'hour' ? 'hour' : 'day',
    compare: chosen.compare === 'none' ? undefined : chosen.compare === 'week_before' ? 'week_before' : 'previous_period',
    time_range: rangeOf(days),
    filters: Object.fromEntries(fitting.flatMap(facet => (chosen[facet.name] ? [[facet.name, chosen[facet.name]!.split(',')]] : []))),
  }
}

/** Returns the start of each hour or day of a period. The first day may begin before the period does. */
export function slotsOf({ time_range, granularity }: Pick<Wanted, 'time_range' | 'granularity'>): string[] {
  const step = granularity === 'hour' ? HOUR : DAY
  const [start, end] = [Date.parse(time_range.start_time), Date.parse(time_range.end_time)]
  const first = Math.floor(start / step) * step
  return Array.from({ length: Math.ceil((end - first) / step) }, (_, i) => new Date(first + i * step).toISOString())
}

type Body = Ask & { granularity?: string }
const asked = (kind: string, body: Body) => ['analytics', kind, body] as const
const askedFor = ({ metrics, group_by, granularity }: Body): string => [metrics, group_by, granularity].join()
/**
 * Keeps the previous data on screen while another period or other filters are read, but not when another metric or
 * grouping is read.
 */
const kept =
  (body: Body) =>
  <Data>(before: Data | undefined, query: { queryKey: readonly unknown[] } | undefined): Data | undefined =>
    query && askedFor(query.queryKey[2] as Body) === askedFor(body) ? before : undefined

/**
 * Queries everything that the page shows. The chart and the table of an amount are queried for one currency at a time.
 */
export function useAnalytics(wanted: Wanted, wish: string | undefined) {
  const { metric, by, time_range, compare, granularity, filters } = wanted
  const base = { time_range, metrics: metric.asks, ...(compare && { compare }) }
  // A single chosen currency does not filter the totals of amounts: the totals list all currencies, and the chosen one
  // is shown below them.
  const { currency: chosen, ...others } = filters
  const of = metric.shows === 'amount' && chosen?.length === 1 ? others : filters
  const all: Ask = { ...base, filters: of }
  const totals = useQuery({
    queryKey: asked('breakdown', all),
    queryFn: () => answer(POST('/analytics/breakdown', { body: all })),
    placeholderData: kept(all),
  })
  const amounts = amountsOf(metric, totals.data?.data[0])
  const currency = amounts.find(one => one.currency === wish)?.currency ?? wish ?? amounts[0]?.currency ?? ''
  const isOfOne = metric.shows === 'amount' && currency !== ''
  const narrowed = isOfOne ? { ...filters, currency: [currency] } : filters
  const isReady = metric.shows !== 'amount' || totals.data !== undefined
  const overTime: Schemas['AnalyticsSeriesRequest'] = { ...base, granularity, filters: narrowed }
  const series = useQuery({
    queryKey: asked('series', overTime),
    queryFn: () => answer(POST('/analytics/series', { body: overTime })),
    placeholderData: kept(overTime),
    enabled: isReady,
  })
  const grouped: Ask = { ...base, group_by: by ? [by] : [], filters: by === 'currency' ? of : narrowed }
  const groups = useQuery({
    queryKey: asked('breakdown', grouped),
    queryFn: () => answer(POST('/analytics/breakdown', { body: grouped })),
    placeholderData: kept(grouped),
    enabled: isReady && by !== null,
  })
  return { totals, series, groups, amounts, currency }
}

/**
 * Returns the value of each slot, found by the `at` of its cell. The cells of the compared period are moved onto the
 * slots by `movedBy` milliseconds.
 */
export function valuesAt(
  slots: readonly string[],
  cells: readonly (Cell & { at?: string })[],
  movedBy: number,
  figureOf: (cell: Cell) => number | null,
  none: number | null,
): (number | null)[] {
  const found = new Map(cells.map(cell => [Date.parse(cell.at!) + movedBy, cell]))
  return slots.map(at => {
    const cell = found.get(Date.parse(at))
    return cell === undefined ? none : figureOf(cell)
  })
}
