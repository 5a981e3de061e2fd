import type { Context, Row, Statement, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import type { AnalyticsAsk, AnalyticsWanted, MetricName, Range } from './ask.ts'
import { readAsk } from './ask.ts'
import { percentile } from './scale.ts'
import { type CountedFacets, type Counter, counters, type FacetName, facetNames } from './tables.ts'

/** Answers analytics queries from the counters, never from payments. */

/** The least number of decided payments for which a rate is shown. */
export const LEAST_FOR_RATE = 30

type Edges = Pick<Context, 'query' | 'now'>

const kinds = statement('analytics_kinds_of', 'select kind, facets from analytics_kinds where merchant_id = $1')

/** The counters are complete up to the oldest change still in the outbox. */
const until = statement('analytics_until', 'select min(created)::timestamptz(3) as at from outbox where merchant_id = $1')

/**
 * Whole days (`$4` to `$5`) are read from the counters of days, both ends from those of hours: each is a range of the
 * primary key. `$6`, `$7`: the kinds, and the group of each.
 */
const inRange = (table: string, columns: string): string => {
  const part = (hours: number, from: string, to: string) =>
    `select kind, at, ${columns} from ${table} where merchant_id = $1 and hours = ${hours} and at >= ${from}::timestamptz and at < ${to}::timestamptz`
  const parts = [part(24, '$4', '$5'), part(1, '$2', 'least($4::timestamptz, $3)'), part(1, 'greatest($5::timestamptz, $2)', '$3')]
  return `(${parts.join(' union all ')}) c join unnest($6::bigint[], $7::int[]) g (kind, g) using (kind)`
}

const stretches = { whole: 'null::timestamptz', hour: 'c.at', day: `date_trunc('day', c.at, 'UTC')::timestamptz(3)` } as const
type Stretch = keyof typeof stretches

const sums = counters.map(name => `sum(c.${name})::bigint as ${name}`).join(', ')
const countedBy = (by: Stretch): Statement =>
  statement(
    `analytics_counted_by_${by}`,
    `select g, ${stretches[by]} as at, ${sums} from ${inRange('analytics_counts', counters.join(', '))} group by 1, 2`,
  )
const answersBy = (by: Stretch): Statement =>
  statement(
    `analytics_answers_by_${by}`,
    `select g, ${stretches[by]} as at, bucket, sum(answers)::bigint as answers from ${inRange('analytics_latencies', 'bucket, answers')} group by 1, 2, 3`,
  )
const counted = { whole: countedBy('whole'), hour: countedBy('hour'), day: countedBy('day') }
const answers = { whole: answersBy('whole'), hour: answersBy('hour'), day: answersBy('day') }

type Key = Partial<Record<FacetName, string | null>>
type Sums = Record<Counter, number>
/** One group in one stretch: sums by currency, answers by bucket. */
type Cell = { at: Time | null; key: Key; currencies: Map<string, Sums>; buckets: Map<number, number> }

/** Each with the number of its group and currency. */
function grouped(all: readonly { kind: number; facets: CountedFacets }[], { group_by, filters }: AnalyticsWanted) {
  const groups: { key: Key; currency: string }[] = []
  const numbers = new Map<string, number>()
  const [of, group]: [number[], number[]] = [[], []]
  const wanted = facetNames.flatMap(name => (filters[name] ? [[name, filters[name]] as const] : []))
  for (const { kind, facets } of all) {
    if (!wanted.every(([name, values]) => values.includes(facets[name] ?? ''))) continue
    const key = Object.fromEntries(group_by.map(name => [name, facets[name] ?? null]))
    const currency = facets.currency ?? ''
    const name = JSON.stringify([key, currency])
    let number = numbers.get(name)
    if (number === undefined) {
      number = groups.push({ key, currency }) - 1
      numbers.set(name, number)
    }
    of.push(kind)
    group.push(number)
  }
  return { groups, of, group }
}

const DAY = 'T00:00:00.000Z'
/** An empty stretch at the end of the range if it has no whole day. */
function wholeDays({ start_time, end_time }: Range, byHour: boolean): [Time, Time] {
  const first = start_time.endsWith(DAY) ? start_time : new Date(Date.parse(start_time.slice(0, 10)) + 86_400_000).toISOString()
  const last = `${end_time.slice(0, 10)}${DAY}`
  return byHour || first >= last ? [end_time, end_time] : [first, last]
}

type Counted = { g: number; at: Time | null }

async function cellsOf(context: Edges, merchant_id: string, wanted: AnalyticsWanted, range: Range): Promise<Cell[]> {
  const all = await context.query<{ kind: number; facets: CountedFacets }>(kinds, [merchant_id])
  const { groups, of, group } = grouped(all, wanted)
  const [first, last] = wholeDays(range, wanted.granularity === 'hour')
  const values = [merchant_id, range.start_time, range.end_time, first, last, of, group]
  const by = wanted.granularity ?? 'whole'
  const [sums, times] = await Promise.all([
    context.query<Row & Counted & Sums>(counted[by], values),
    wanted.metrics.has('latency') ? context.query<Row & Counted & { bucket: number; answers: number }>(answers[by], values) : [],
  ])
  const cells = new Map<string, Cell>()
  const cellOf = ({ g, at }: Counted): Cell => {
    const { key } = groups[g]!
    const name = `${at} ${JSON.stringify(key)}`
    const cell = cells.get(name) ?? { at, key, currencies: new Map(), buckets: new Map() }
    cells.set(name, cell)
    return cell
  }
  for (const row of sums) cellOf(row).currencies.set(groups[row.g]!.currency, row)
  for (const row of times) {
    const { buckets } = cellOf(row)
    buckets.set(row.bucket, (buckets.get(row.bucket) ?? 0) + row.answers)
  }
  return [...cells.values()].filter(cell => size(cell, wanted) > 0)
}

const total = ({ currencies }: Cell, counter: Counter): number => [...currencies.values()].reduce((all, sums) => all + sums[counter], 0)

const attempts = (cell: Cell): number => total(cell, 'attempts_authorized') + total(cell, 'attempts_declined')

/** Its payments, or its attempts if only those are requested: their payments may be in another group. */
function size(cell: Cell, { metrics }: Pick<AnalyticsWanted, 'metrics'>): number {
  if (!metrics.has('attempts')) return total(cell, 'payments')
  return metrics.size === 1 ? attempts(cell) : total(cell, 'payments') || attempts(cell)
}

const rateOf = (authorized: number, decided: number): number | null =>
  decided < LEAST_FOR_RATE ? null : Math.round((authorized / decided) * 1e6) / 1e6

/** The largest first. Amounts in different currencies are never added. */
const amounts = ({ currencies }: Cell, counter: Counter) =>
  [...currencies]
    .map(([currency, sums]) => ({ currency, amount: sums[counter] }))
    .filter(one => one.amount !== 0)
    .sort((a, b) => b.amount - a.amount || (a.currency < b.currency ? -1 : 1))

type MetricMembers = { [Name in MetricName]: (cell: Cell) => Record<string, unknown> }
const both = (counter: Counter, amountCounter: Counter) => (cell: Cell) => ({
  payments: total(cell, counter),
  amounts: amounts(cell, amountCounter),
})

const metricMembers: MetricMembers = {
  payments: cell => ({ payments: total(cell, 'payments') }),
  volume: cell => ({ volume: amounts(cell, 'volume') }),
  rate: cell => {
    const [authorized, declined] = [total(cell, 'authorized'), total(cell, 'declined')]
    const decided = authorized + declined
    return { decided, authorized, declined, rate: rateOf(authorized, decided) }
  },
  attempts: cell => {
    const [authorized, declined] = [total(cell, 'attempts_authorized'), total(cell, 'attempts_declined')]
    const decided = authorized + declined
    return { attempts: { decided, authorized, declined, rate: rateOf(authorized, decided) } }
  },
  captured: cell => ({ captured: both('captured', 'captured_amount')(cell) }),
  refunded: cell => ({ refunded: both('refunded', 'refunded_amount')(cell) }),
  disputed: cell => ({ disputed: both('disputed', 'disputed_amount')(cell) }),
  saved_by_retry: cell => ({ saved_by_retry: both('saved', 'saved_amount')(cell) }),
  held: cell => ({ held: both('held', 'held_amount')(cell) }),
  processing: cell => ({ processing: both('processing', 'processing_amount')(cell) }),
  outside: cell => ({ outside: both('outside', 'outside_amount')(cell) }),
  latency: ({ buckets }) => ({
    latency: {
      answers: [...buckets.values()].reduce((all, answers) => all + answers, 0),
      p50_ms: percentile(buckets, 0.5),
      p95_ms: percentile(buckets, 0.95),
    },
  }),
}

function shown(cells: readonly Cell[], wanted: AnalyticsWanted, groups: ReadonlySet<string>) {
  const { metrics, limit, granularity } = wanted
  const named = cells.filter(({ key }) => groups.has(JSON.stringify(key)))
  const ordered = granularity
    ? named.toSorted((a, b) => (a.at! < b.at! ? -1 : a.at! > b.at! ? 1 : size(b, wanted) - size(a, wanted)))
    : named.toSorted((a, b) => size(b, wanted) - size(a, wanted)).slice(0, limit)
  return ordered.map(cell => ({
    ...(granularity && { at: cell.at }),
    key: cell.key,
    ...Object.assign({}, ...[...metrics].map(metric => metricMembers[metric](cell))),
  }))
}

function largest(cells: readonly Cell[], wanted: AnalyticsWanted): Set<string> {
  const payments = new Map<string, number>()
  for (const cell of cells) {
    const name = JSON.stringify(cell.key)
    payments.set(name, (payments.get(name) ?? 0) + size(cell, wanted))
  }
  const names = [...payments].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([name]) => name)
  return new Set(names.slice(0, wanted.limit))
}

/** A series with a granularity, else a breakdown. Refuses as `readAsk` does. */
export async function readAnalytics(context: Edges, merchant_id: string, ask: AnalyticsAsk, profiles: readonly string[] | null) {
  const now = context.now()
  const wanted = readAsk(ask, now, profiles)
  // Read before the counters: the counters include changes that leave the outbox in between.
  const [waiting] = await context.query<{ at: Time | null }>(until, [merchant_id])
  const [cells, compared] = await Promise.all(wanted.ranges.map(range => cellsOf(context, merchant_id, wanted, range)))
  const groups = largest(cells!, wanted)
  const data = shown(cells!, wanted, groups)
  return {
    time_range: wanted.ranges[0]!,
    complete_until: waiting?.at ?? now,
    size: data.length,
    data,
    compared: compared ? { time_range: wanted.ranges[1]!, data: shown(compared, wanted, groups) } : null,
  }
}
