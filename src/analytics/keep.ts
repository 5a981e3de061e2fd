import type { Context } from '../context.ts'
import { openKnown } from '../database/listing.ts'
import { statement } from '../database/statement.ts'
import { PAYMENT } from '../payments/payment.ts'
import { type Added, type AnswerTime, addedBy, type History, kindNumber } from './contribution.ts'
import { findCountedHistories } from './histories.ts'
import type { RecentPayments } from './recent.ts'
import { analyticsCounts, analyticsKinds, analyticsLatencies, type CountedFacets, counters } from './tables.ts'

/**
 * The process that takes changes out of the outbox also counts them, in the same statement, so that each change is
 * counted exactly once. The amounts are computed before (`contribution.ts`), from rows that no longer change.
 */

const names = counters.join(', ')
/** An hour belongs to itself and to its day. */
const stretches = `(values (1), (24)) s (hours)`
const begin = `case s.hours when 1 then t.at else date_trunc('day', t.at, 'UTC') end`

/** Adds the counts of `from` (kind, at and counters); `$1` is the merchant. */
const addingCounts = (from: string) => `insert into ${analyticsCounts.name} as k (merchant_id, hours, at, kind, ${names})
    select $1, s.hours, ${begin}, t.kind, ${counters.map(name => `sum(coalesce(t.${name}, 0))`).join(', ')}
      from ${from} cross join ${stretches} group by 2, 3, 4 order by 2, 3, 4
    on conflict (merchant_id, hours, at, kind) do update set ${counters.map(name => `${name} = k.${name} + excluded.${name}`).join(', ')}`
const addingLatencies = (from: string) => `insert into ${analyticsLatencies.name} as k (merchant_id, hours, at, kind, bucket, answers)
    select $1, s.hours, ${begin}, t.kind, t.bucket, sum(t.answers)
      from ${from} cross join ${stretches} group by 2, 3, 4, 5 order by 2, 3, 4, 5
    on conflict (merchant_id, hours, at, kind, bucket) do update set answers = k.answers + excluded.answers`

const countsIn = (parameter: string) =>
  `json_to_recordset(${parameter}::json) t (n bigint, kind bigint, at timestamptz(3), ${counters.map(name => `${name} bigint`).join(', ')})`
const latenciesIn = (parameter: string) =>
  `json_to_recordset(${parameter}::json) t (n bigint, kind bigint, at timestamptz(3), bucket int, answers bigint)`

/** Counts the changes just taken out of the outbox (`gone`: n), with the parameters that `countChanges` returns. */
export const keepCounts = (counts: string, latencies: string): string =>
  `ac as (${addingCounts(`${countsIn(counts)} join gone using (n)`)}),
    al as (${addingLatencies(`${latenciesIn(latencies)} join gone using (n)`)})`

const writeKinds = statement(
  'analytics_kinds_new',
  `insert into ${analyticsKinds.name} (merchant_id, kind, facets)
    select $1, kind, facets from json_to_recordset($2::json) t (kind bigint, facets json)
      where not exists (select from ${analyticsKinds.name} k where k.merchant_id = $1 and k.kind = t.kind) on conflict do nothing`,
)

type Edges = Pick<Context, 'query'>
type Waiting = { n: number; kind: string; object_id: string; version: number }

/** The kinds that this process has stored. */
const known = openKnown()

export async function nameKinds(context: Edges, merchant_id: string, kinds: ReadonlyMap<number, CountedFacets>): Promise<void> {
  const fresh = [...kinds].filter(([kind]) => !known.has(merchant_id, kind))
  if (fresh.length === 0) return
  await context.query(writeKinds, [merchant_id, JSON.stringify(fresh.map(([kind, facets]) => ({ kind, facets })))])
  for (const [kind] of fresh) known.add(merchant_id, kind)
}

function openTally() {
  const kinds = new Map<number, CountedFacets>()
  const counts: object[] = []
  const latencies: object[] = []
  const kindOf = (of: 'counts' | 'latencies', facets: CountedFacets): number => {
    const kind = kindNumber(of, facets)
    kinds.set(kind, facets)
    return kind
  }
  return {
    kinds,
    add(n: number, added: readonly Added[], answered: readonly AnswerTime[]): void {
      for (const { at, facets, counts: by } of added) counts.push({ n, kind: kindOf('counts', facets), at, ...by })
      for (const { at, facets, bucket } of answered) latencies.push({ n, kind: kindOf('latencies', facets), at, bucket, answers: 1 })
    },
    values: (): [string, string] => [JSON.stringify(counts), JSON.stringify(latencies)],
  }
}

const nothingRead: ReadonlyMap<string, History> = new Map()

/** Returns the parameters of `keepCounts`. `recent`: payments in memory, whose rows need not be read. */
export async function countChanges(
  context: Edges,
  merchant_id: string,
  rows: readonly Waiting[],
  recent: Pick<RecentPayments, 'of'> | null,
): Promise<[string, string]> {
  const ofPayments = rows.filter(row => row.kind === PAYMENT)
  const tally = openTally()
  if (ofPayments.length === 0) return tally.values()
  const inHand = ({ object_id, version }: Waiting) => recent?.of(merchant_id, object_id, version)
  const unread = new Set(ofPayments.flatMap(row => (inHand(row) ? [] : [row.object_id])))
  const histories = unread.size === 0 ? nothingRead : await findCountedHistories(context, merchant_id, [...unread])
  for (const row of ofPayments) {
    const { n, object_id, version } = row
    const history = inHand(row) ?? histories.get(object_id)
    if (!history) continue
    const { added, answered } = addedBy(history, version)
    tally.add(n, added, answered)
  }
  await nameKinds(context, merchant_id, tally.kinds)
  return tally.values()
}
