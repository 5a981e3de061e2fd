import { firstEventId } from '../base/id.ts'
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '../base/time.ts'
import type { Context, Reads, Time } from '../context.ts'
import { claimed, scheduledJob } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { json, type RowOf, select, table, text, time } from '../database/table.ts'
import { needAccount } from './account.ts'
import type { SettledAccount } from './tables.ts'
import { lateAt, type Unsettled, unsettled, windowAt } from './unsettled.ts'

/**
 * Events that a request reads for all of its accounts, which takes a second: what needs more is counted by a job, which
 * reads as many before other accounts have their turn.
 */
const AT_ONCE = 40_000
/** A job's count is shown for so long before it counts again. */
const KEPT_MS = HOUR_MS

/** Ages in days: each group reaches to the next one. */
const AGES = [0, 1, 2, 4, 8, 15, 31] as const

type Age = { from_days: number; movements: number; amount: number }
/** The amounts that an account's processor owes (below zero: is owed) in one currency. */
type Owed = {
  currency: string
  movements: number
  amount: number
  since: Time
  late_movements: number
  late_amount: number
  ages: Age[]
}

/** A count of the events up to `after`, or of all (null). `events`: how many were read. */
type Count = { as_of: Time; after: string | null; events: number; owed: Owed[] }

/** The last count of an account that is too large for a request, and the one that a job is at. */
const settlementAgeings = table('settlement_ageings', {
  pointer: true,
  key: ['merchant_id', 'merchant_connector_id'],
  columns: {
    merchant_id: text(),
    merchant_connector_id: text(),
    /** Null: nothing is counted now. */
    count_at: time().orNull(),
    counted: json<Count>().orNull(),
    counting: json<Count>().orNull(),
  },
})
type SettlementAgeing = RowOf<typeof settlementAgeings>

const find = statement('settlement_ageing', select(settlementAgeings, 'where merchant_id = $1 and merchant_connector_id = $2'))
const want = statement(
  'settlement_ageing_wanted',
  `insert into settlement_ageings (merchant_id, merchant_connector_id, count_at) values ($1, $2, $3)
    on conflict (merchant_id, merchant_connector_id) do update set count_at = coalesce(settlement_ageings.count_at, excluded.count_at)`,
)
const keep = statement(
  'settlement_ageing_counted',
  'update settlement_ageings set count_at = $3, counted = $4, counting = $5 where merchant_id = $1 and merchant_connector_id = $2',
)

const begun = (now: Time): Count => ({ as_of: now, after: firstEventId(windowAt(now)), events: 0, owed: [] })

/** Adds a movement to what is owed, by its age. */
function add(owed: Map<string, Owed>, { currency, amount, settled, since: read }: Unsettled, as_of: Time, late: Time): void {
  const since = new Date(read).toISOString()
  const one = owed.get(currency) ?? {
    ...{ currency, movements: 0, amount: 0, since, late_movements: 0, late_amount: 0 },
    ages: AGES.map(from_days => ({ from_days, movements: 0, amount: 0 })),
  }
  owed.set(currency, one)
  const days = (Date.parse(as_of) - Date.parse(since)) / DAY_MS
  const age = one.ages.findLast(({ from_days }) => days >= from_days) ?? one.ages[0]!
  const left = amount - settled
  for (const sum of [one, age]) {
    sum.movements++
    sum.amount += left
  }
  if (since < one.since) one.since = since
  if (since >= late) return
  one.late_movements++
  one.late_amount += left
}

/** Goes on counting until all is counted, or so many events are read. */
async function countOn(context: Reads, account: SettledAccount, before: Count, most: number): Promise<Count> {
  const { as_of } = before
  const owed = new Map(before.owed.map(one => [one.currency, one]))
  const late = lateAt(as_of, account)
  const counted = (after: string | null): Count => ({
    ...{ as_of, after, events: before.events + read },
    owed: [...owed.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1)),
  })
  let read = 0
  const from = firstEventId(windowAt(as_of))
  const pages = unsettled(context, account, { from, after: before.after ?? from, until: later(as_of, DAY_MS) })
  for await (const { events, last, found } of pages) {
    for (const movement of found) add(owed, movement, as_of, late)
    read += events
    if (read >= most) return counted(last)
  }
  return counted(null)
}

/** `as_of`: of which time it is true; both null: it is counted for the first time. */
type Ageing = { account: SettledAccount; as_of: Time | null; owed: Owed[] | null }

/**
 * Gives what the processors of accounts have not settled, by currency and age; `late`: beyond the usual delay. It is
 * true now where few events have to be read for it, otherwise as a job has counted it, which counts again if that is
 * long ago.
 */
export async function ageings(context: Pick<Context, 'query' | 'now'>, accounts: readonly SettledAccount[]): Promise<Ageing[]> {
  const all: Ageing[] = []
  let left = AT_ONCE
  for (const account of accounts) {
    const key = [account.merchant_id, account.merchant_connector_id]
    const now = context.now()
    const [row] = await context.query<SettlementAgeing>(find, key)
    const kept = row?.counted ?? null
    // An account that a job counts for the first time was too large.
    const isTooLarge = kept === null ? row !== undefined : kept.events >= left
    const count = isTooLarge || left <= 0 ? null : await countOn(context, account, begun(now), left)
    left -= count?.events ?? 0
    if (count?.after === null) {
      all.push({ account, as_of: now, owed: count.owed })
      continue
    }
    if (kept === null || kept.as_of <= later(now, -KEPT_MS)) await context.query(want, [...key, now])
    all.push({ account, as_of: kept?.as_of ?? null, owed: kept?.owed ?? null })
  }
  return all
}

const due = claimed(settlementAgeings, { when: 'count_at', gives: ['merchant_id', 'merchant_connector_id'], lease_ms: 5 * MINUTE_MS })

export const ageingJob = scheduledJob(due, async ({ context }: { context: Context }, { merchant_id, merchant_connector_id }) => {
  const key = [merchant_id, merchant_connector_id]
  const [row] = await context.query<SettlementAgeing>(find, key)
  if (!row || row.count_at === null) return
  const account = await needAccount(context, merchant_id, merchant_connector_id)
  const count = await countOn(context, account, row.counting ?? begun(context.now()), AT_ONCE)
  await context.query(keep, [...key, ...(count.after === null ? [null, count, null] : [context.now(), row.counted, count])])
})
