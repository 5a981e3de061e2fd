import Type from 'typebox'
import { refuse } from '../base/refusal.ts'
import { closed, dateTime, shortText, strictObject } from '../base/shapes.ts'
import { between, DAY_MS, HOUR_MS, later, readTime } from '../base/time.ts'
import type { Time } from '../context.ts'
import { hourOf } from './contribution.ts'
import { type FacetName, facetNames, latencyFacets } from './tables.ts'

// biome-ignore format: a list reads better in rows
const metricNames = [
  'payments', 'volume', 'rate', 'attempts', 'captured', 'refunded', 'disputed', 'saved_by_retry', 'held', 'processing',
  'latency', 'outside',
] as const
export type MetricName = (typeof metricNames)[number]

const MOST_DAYS_BY_HOUR = 14
const USUAL_GROUPS = 50

const option = Type.Optional
const facet = Type.Enum([...facetNames])
const range = strictObject({ start_time: dateTime, end_time: option(dateTime) })

const asked = {
  time_range: {
    ...range,
    description: 'Counted in whole hours of the time at which payments were created; the end, now by default, is not part of it',
  },
  group_by: option(
    Type.Array(facet, { maxItems: 3, uniqueItems: true, description: 'Payments that have no such value are in a group with null' }),
  ),
  filters: option(
    Type.Object(Object.fromEntries(facetNames.map(name => [name, option(Type.Array(shortText, { minItems: 1, maxItems: 100 }))])), {
      ...closed,
      description: 'Only payments with one of these values',
    }),
  ),
  metrics: option(
    Type.Array(Type.Enum([...metricNames]), {
      minItems: 1,
      uniqueItems: true,
      description: `All by default. \`latency\` is kept by ${latencyFacets.join(', ')} only`,
    }),
  ),
  compare: option(
    Type.Enum(['previous_period', 'week_before'], {
      description: 'Also counts the period of the same length just before, or that of a week before',
    }),
  ),
  limit: option(
    Type.Integer({ minimum: 1, maximum: 500, description: `So many groups, those with most payments first; ${USUAL_GROUPS} by default` }),
  ),
}

export const breakdownShape = strictObject(asked)
export const seriesShape = strictObject({
  ...asked,
  granularity: Type.Enum(['hour', 'day'], { description: `Hours of at most ${MOST_DAYS_BY_HOUR} days; days of UTC` }),
})
export type AnalyticsAsk = Type.Static<typeof breakdownShape> & { granularity?: 'hour' | 'day' }

export type Range = { start_time: Time; end_time: Time }
/** `ranges`: the requested range, and the range to compare with. */
export type AnalyticsWanted = {
  ranges: Range[]
  granularity: 'hour' | 'day' | null
  group_by: FacetName[]
  filters: Partial<Record<FacetName, string[]>>
  metrics: ReadonlySet<MetricName>
  limit: number
}

/** Refuses (IR_05, IR_06). `profiles`: those that the caller names or may see; null: all. */
export function readAsk(ask: AnalyticsAsk, now: Time, profiles: readonly string[] | null): AnalyticsWanted {
  const { granularity = null, limit = USUAL_GROUPS } = ask
  const range = readRange(ask, now, granularity)
  const group_by = (ask.group_by ?? []) as FacetName[]
  const filters = { ...(ask.filters as AnalyticsWanted['filters']) }
  if (profiles !== null) filters.profile_id = (filters.profile_id ?? [...profiles]).filter(one => profiles.includes(one))
  const metrics = new Set((ask.metrics ?? metricNames) as MetricName[])
  const apart = [...group_by, ...(Object.keys(filters) as FacetName[])].find(name => !latencyFacets.includes(name))
  if (apart !== undefined && metrics.has('latency')) {
    if (ask.metrics)
      refuse('unacceptable', {
        field: 'metrics',
        problem: `must not include latency beside ${apart}: it is kept by ${latencyFacets.join(', ')}`,
      })
    metrics.delete('latency')
  }
  return { ranges: [range, ...comparedWith(range, ask.compare)], granularity, group_by, filters, metrics, limit }
}

function readRange({ time_range }: AnalyticsAsk, now: Time, granularity: AnalyticsWanted['granularity']): Range {
  const start_time = hourOf(readTime('time_range.start_time', time_range.start_time))
  const until = time_range.end_time === undefined ? now : readTime('time_range.end_time', time_range.end_time)
  const end_time = hourOf(later(until, HOUR_MS - 1))
  if (end_time <= start_time) refuse('unacceptable', { field: 'time_range.end_time', problem: 'must be after start_time' })
  if (granularity === 'hour' && between(start_time, end_time) > MOST_DAYS_BY_HOUR * DAY_MS)
    refuse('unacceptable', { field: 'time_range', problem: `must not be longer than ${MOST_DAYS_BY_HOUR} days by the hour: ask for days` })
  return { start_time, end_time }
}

function comparedWith({ start_time, end_time }: Range, compare: string | undefined): Range[] {
  if (compare === undefined) return []
  const by = compare === 'week_before' ? 7 * DAY_MS : between(start_time, end_time)
  return [{ start_time: later(start_time, -by), end_time: later(end_time, -by) }]
}
