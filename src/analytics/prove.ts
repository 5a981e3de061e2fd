import { HOUR_MS, later } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import { PAYMENT } from '../payments/payment.ts'
import { addedBy, hourOf, kindNumber } from './contribution.ts'
import { byPayment, historiesOf, type ReadHistories } from './histories.ts'
import { nameKinds } from './keep.ts'
import { type CountedFacets, type Counts, counters } from './tables.ts'

export type CountFault = { merchant_id: string; at: Time; message: string }
type Edges = Pick<Context, 'query'>

const PAGE = 1000
/** An hour with a difference is compared so often, because a running service may count between two pages. */
const MOST_LOOKS = 5

const nextHour = statement(
  'analytics_next_hour',
  `select to_char(least((select min(created) from payments where merchant_id = $1 and created >= $2),
    (select min(at) from analytics_counts where merchant_id = $1 and hours = 1 and at >= $2)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`,
)

const pageOf = statement(
  'analytics_payments_of_hour',
  `with page as (select payment_id, created from payments where merchant_id = $1 and created >= $2 and created < $3 and (created, payment_id) > ($5, $4)
      order by created, payment_id limit ${PAGE})
  select ${historiesOf('array(select payment_id from page)')} as read,
    (select payment_id from page order by created desc, payment_id desc limit 1) as last_id,
    (select created from page order by created desc, payment_id desc limit 1) as last_created,
    (select json_agg(json_build_object('object_id', object_id, 'version', version)) from outbox where merchant_id = $1 and kind = '${PAYMENT}') as waiting`,
)

const keptOf = statement(
  'analytics_kept_of_hour',
  `select (select json_agg(c) from analytics_counts c where merchant_id = $1 and hours = 1 and at = $2) as counts,
    (select json_agg(l) from analytics_latencies l where merchant_id = $1 and hours = 1 and at = $2) as latencies`,
)

const daysOf = (table: string, key: string, sums: readonly string[]) => ({
  sums: `select date_trunc('day', at, 'UTC')::timestamptz(3) as at, ${key}, ${sums.map(name => `sum(${name})::bigint as ${name}`).join(', ')}
    from ${table} where merchant_id = $1 and hours = 1 and at >= $2 and at < $3 group by 1, ${key}`,
  off: (name: string) =>
    statement(
      `${table}_days_off`,
      `with sums as (${name}), kept as (select at, ${key}, ${sums.join(', ')} from ${table} where merchant_id = $1 and hours = 24 and at >= $2 and at < $3)
      select at::timestamptz(3) as at, count(*)::int as off from kept k full join sums s using (at, ${key}) where ${sums.map(one => `coalesce(k.${one}, 0) <> coalesce(s.${one}, 0)`).join(' or ')} group by at`,
    ),
  // Sums and stored counters are of one point in time, and their difference is added: what is counted meanwhile stays.
  mend: (name: string) =>
    statement(
      `${table}_days_mended`,
      `insert into ${table} as t (merchant_id, hours, at, ${key}, ${sums.join(', ')})
        select $1, 24, at, ${key}, ${sums.map(one => `coalesce(s.${one}, 0) - coalesce(k.${one}, 0)`).join(', ')} from (${name}) s full join (
          select at, ${key}, ${sums.join(', ')} from ${table} where merchant_id = $1 and hours = 24 and at >= $2 and at < $3) k using (at, ${key})
      on conflict (merchant_id, hours, at, ${key}) do update set ${sums.map(one => `${one} = t.${one} + excluded.${one}`).join(', ')}`,
    ),
})
const days = [daysOf('analytics_counts', 'kind', counters), daysOf('analytics_latencies', 'kind, bucket', ['answers'])].map(
  ({ sums, off, mend }) => ({ off: off(sums), mend: mend(sums) }),
)

const putCounts = statement(
  'analytics_counts_put',
  `insert into analytics_counts as k (merchant_id, hours, at, kind, ${counters.join(', ')})
    select $1, 1, $2, kind, ${counters.map(name => `coalesce(${name}, 0)`).join(', ')}
      from json_to_recordset($3::json) t (kind bigint, ${counters.map(name => `${name} bigint`).join(', ')})
    on conflict (merchant_id, hours, at, kind) do update set ${counters.map(name => `${name} = k.${name} + excluded.${name}`).join(', ')} where k.merchant_id = $1`,
)
const putLatencies = statement(
  'analytics_latencies_put',
  `insert into analytics_latencies as k (merchant_id, hours, at, kind, bucket, answers)
    select $1, 1, $2, kind, bucket, answers from json_to_recordset($3::json) t (kind bigint, bucket int, answers bigint)
    on conflict (merchant_id, hours, at, kind, bucket) do update set answers = k.answers + excluded.answers where k.merchant_id = $1`,
)

/** The counters of one hour, stored or computed: counters by kind, answers by kind and bucket. */
type Hour = { counts: Map<number, Counts>; answers: Map<string, number>; kinds: Map<number, CountedFacets> }

const none = (): Counts => Object.fromEntries(counters.map(name => [name, 0])) as Counts

type Page = {
  read: ReadHistories
  last_id: string | null
  last_created: Time | null
  waiting: { object_id: string; version: number }[] | null
}

/** From all changes that have left the outbox. */
async function scanned(context: Edges, merchant_id: string, at: Time): Promise<Hour> {
  const hour: Hour = { counts: new Map(), answers: new Map(), kinds: new Map() }
  for (let [created, id] = [at, '']; ; ) {
    const [page] = (await context.query<Page>(pageOf, [merchant_id, at, later(at, HOUR_MS), id, created])) as [Page]
    const waiting = new Set((page.waiting ?? []).map(one => `${one.object_id} ${one.version}`))
    for (const [payment_id, history] of byPayment(merchant_id, page.read))
      for (const { version, queued } of history.changes)
        if (queued && !waiting.has(`${payment_id} ${version}`)) addTo(hour, addedBy(history, version))
    if (page.last_id === null) return hour
    ;[created, id] = [page.last_created!, page.last_id]
  }
}

function addTo({ counts, answers, kinds }: Hour, { added, answered }: ReturnType<typeof addedBy>): void {
  for (const { facets, counts: by } of added) {
    const kind = kindNumber('counts', facets)
    kinds.set(kind, facets)
    const sums = counts.get(kind) ?? none()
    for (const name of counters) sums[name] += by[name] ?? 0
    counts.set(kind, sums)
  }
  for (const { facets, bucket } of answered) {
    const kind = kindNumber('latencies', facets)
    kinds.set(kind, facets)
    answers.set(`${kind} ${bucket}`, (answers.get(`${kind} ${bucket}`) ?? 0) + 1)
  }
}

type Kept = { counts: (Counts & { kind: number })[] | null; latencies: { kind: number; bucket: number; answers: number }[] | null }

async function keptIn(context: Edges, merchant_id: string, at: Time): Promise<Omit<Hour, 'kinds'>> {
  const [kept] = (await context.query<Kept>(keptOf, [merchant_id, at])) as [Kept]
  return {
    counts: new Map((kept.counts ?? []).map(row => [row.kind, row])),
    answers: new Map((kept.latencies ?? []).map(({ kind, bucket, answers }) => [`${kind} ${bucket}`, answers])),
  }
}

/** In words; empty if they agree. */
function difference(kept: Omit<Hour, 'kinds'>, is: Hour): string[] {
  const differences: string[] = []
  for (const name of counters) {
    const sum = (of: Omit<Hour, 'kinds'>) => [...of.counts.values()].reduce((all, counts) => all + counts[name], 0)
    if (sum(kept) !== sum(is)) differences.push(`${name} ${sum(kept)} instead of ${sum(is)}`)
  }
  const kinds = new Set([...kept.counts.keys(), ...is.counts.keys()])
  const off = [...kinds].filter(kind => counters.some(name => (kept.counts.get(kind)?.[name] ?? 0) !== (is.counts.get(kind)?.[name] ?? 0)))
  if (differences.length === 0 && off.length > 0) differences.push(`${off.length} kinds of payments have others' counts`)
  const buckets = new Set([...kept.answers.keys(), ...is.answers.keys()])
  const times = [...buckets].filter(bucket => (kept.answers.get(bucket) ?? 0) !== (is.answers.get(bucket) ?? 0))
  if (times.length > 0) differences.push(`${times.length} buckets of answer times differ`)
  return differences
}

async function* hoursOf(context: Edges, merchant_id: string, first: Time = '1970-01-01T00:00:00.000Z'): AsyncGenerator<Time> {
  for (let from = first; ; ) {
    const [next] = await context.query<{ at: Time | null }>(nextHour, [merchant_id, from])
    if (!next?.at) return
    const at = hourOf(next.at)
    yield at
    from = later(at, HOUR_MS)
  }
}

const isAsBefore = (before: Omit<Hour, 'kinds'>, after: Omit<Hour, 'kinds'>): boolean =>
  difference(before, { ...after, kinds: new Map() }).length === 0

/** Only a comparison during which nothing was counted is one. `put`: corrects the stored counters before the next. */
async function look(context: Edges, merchant_id: string, at: Time, put: ((kept: Omit<Hour, 'kinds'>, is: Hour) => Promise<void>) | null) {
  let before = await keptIn(context, merchant_id, at)
  for (let looks = 1; ; looks++) {
    const is = await scanned(context, merchant_id, at)
    const kept = await keptIn(context, merchant_id, at)
    const differences = difference(kept, is)
    if (differences.length === 0 || looks >= MOST_LOOKS) return { words: differences, looks }
    if (isAsBefore(before, kept)) await put?.(kept, is)
    before = put ? await keptIn(context, merchant_id, at) : kept
  }
}

const ends = ['1970-01-01T00:00:00.000Z', '9999-01-01T00:00:00.000Z']

/** Each hour equals its payments, and each day the sum of its hours. The service may run meanwhile. */
export async function proveCounts(context: Edges, merchant_id: string): Promise<CountFault[]> {
  const faults: CountFault[] = []
  for await (const at of hoursOf(context, merchant_id)) {
    const { words: differences } = await look(context, merchant_id, at, null)
    for (const one of differences) faults.push({ merchant_id, at, message: one })
  }
  for (const { off } of days)
    for (const one of await context.query<{ at: Time; off: number }>(off, [merchant_id, ...ends]))
      faults.push({ merchant_id, at: one.at, message: `${one.off} counters of the day are not the sums of its hours` })
  return faults
}

/** Returns the number of hours that differed; `proveCounts` reports differences that remain. */
export async function recount(context: Edges, merchant_id: string): Promise<number> {
  let mended = 0
  for await (const at of hoursOf(context, merchant_id)) if (await recountHour(context, merchant_id, at)) mended++
  await recountDays(context, merchant_id)
  return mended
}

/** Recounts from `from` on while `goesOn()`. Returns the hour with which to continue, null at the end. */
export async function recountFrom(context: Edges, merchant_id: string, from: Time, goesOn: () => boolean): Promise<Time | null> {
  for await (const at of hoursOf(context, merchant_id, from)) {
    if (!goesOn()) return at
    await recountHour(context, merchant_id, at)
  }
  await recountDays(context, merchant_id)
  return null
}

/** Adds the difference: what is counted meanwhile stays. Returns whether the hour differed. */
async function recountHour(context: Edges, merchant_id: string, at: Time): Promise<boolean> {
  const { looks } = await look(context, merchant_id, at, async (kept, is) => {
    await nameKinds(context, merchant_id, is.kinds)
    const kinds = new Set([...kept.counts.keys(), ...is.counts.keys()])
    const counts = [...kinds].map(kind => {
      const [stored, computed] = [kept.counts.get(kind) ?? none(), is.counts.get(kind) ?? none()]
      return { kind, ...Object.fromEntries(counters.map(name => [name, computed[name] - stored[name]])) }
    })
    await context.query(putCounts, [merchant_id, at, JSON.stringify(counts)])
    const buckets = new Set([...kept.answers.keys(), ...is.answers.keys()])
    const answers = [...buckets].map(name => {
      const [kind, bucket] = name.split(' ').map(Number)
      return { kind, bucket, answers: (is.answers.get(name) ?? 0) - (kept.answers.get(name) ?? 0) }
    })
    await context.query(putLatencies, [merchant_id, at, JSON.stringify(answers)])
  })
  return looks > 1
}

async function recountDays(context: Edges, merchant_id: string): Promise<void> {
  for (const { off, mend } of days)
    if ((await context.query(off, [merchant_id, ...ends])).length > 0) await context.query(mend, [merchant_id, ...ends])
}
