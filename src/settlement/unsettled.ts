import { firstEventId } from '../base/id.ts'
import { DAY_MS, later } from '../base/time.ts'
import type { Context, Reads, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { movementsOf } from './books.ts'
import type { LedgerMovement } from './match.ts'
import { type SettledAccount, type SettlementLook, settlementLooks } from './tables.ts'

/** Days after which a movement is usually in a report of the processor; beyond, it is late. */
const usualDays: Readonly<Record<string, number>> = { stripe: 2, paypal: 2, adyen: 3, checkout: 3, braintree: 3, mollie: 8 }
const ANY_DAYS = 7

/** The days in which a processor usually settles. */
export const usualDelay = (connector: string): number => usualDays[connector] ?? ANY_DAYS

const WINDOW_DAYS = 90
const PAGE = 4000

/** How far back movements are looked for: what is older was settled, or is a difference. */
export const windowAt = (now: Time): Time => later(now, -WINDOW_DAYS * DAY_MS)

/** The time before which a movement that is not settled is late. */
export const lateAt = (now: Time, { connector_name }: SettledAccount): Time => later(now, -usualDelay(connector_name) * DAY_MS)

/** `since`: when it began to move. */
export type Unsettled = LedgerMovement & { since: Time }

// A page is a number of events, also of those that moved nothing, so that its cost has a bound.
const page = statement(
  'settlement_unsettled',
  `with page as (select event_id, object_id, posted from changes
      where merchant_id = $1 and (announces is not null or posted is not null) and event_id > $4 and event_id < $5 order by event_id limit ${PAGE}),
    moved as (select distinct object_id from page where posted ->> 'merchant_connector_id' = $2),
    m as (${movementsOf('moved i', '$3')})
  select (select count(*)::int from page) as events, (select max(event_id) from page) as last,
    (select coalesce(json_agg(m), '[]') from m where m.first > $4 and m.first <= (select max(event_id) from page) and m.amount <> m.settled) as found`,
)

/** `events`: how many were read. `last`: the event with which the page ends. */
type Page = { events: number; last: string; found: Unsettled[] }

/**
 * Gives what an account's processor has not settled of what has moved after the event `from` and before `until`, in
 * pages, the first one after the event `after`. A movement is in the page of its first event after `from` only.
 */
export async function* unsettled(
  context: Reads,
  { merchant_id, merchant_connector_id }: SettledAccount,
  { from, after = from, until }: { from: string; after?: string; until: Time },
): AsyncGenerator<Page> {
  const end = firstEventId(until)
  for (;;) {
    const [read] = await context.query<Page>(page, [merchant_id, merchant_connector_id, from, after, end])
    if (!read || read.events === 0) return
    yield read
    if (read.events < PAGE) return
    after = read.last
  }
}

const covered = statement(
  'settlement_days_covered',
  'select min(day) as first, max(day) as last from settlements where merchant_id = $1 and merchant_connector_id = $2 and day is not null',
)

const look = statement('settlement_look', select(settlementLooks, 'where merchant_id = $1 and merchant_connector_id = $2'))
const check = statement(
  'settlement_checked',
  'update settlement_looks set checked_from = $3, checked_to = $4 where merchant_id = $1 and merchant_connector_id = $2',
)

const startOf = (day: string): Time => `${day}T00:00:00.000Z`

/**
 * Gives movements that no report has after the usual delay, of the days that reports of the account cover, in pages.
 * Each page is given once: its movements are differences by the next one.
 */
export async function* overdue(context: Pick<Context, 'query' | 'now'>, account: SettledAccount): AsyncGenerator<Unsettled[]> {
  const key = [account.merchant_id, account.merchant_connector_id]
  const [days] = await context.query<{ first: string | null; last: string | null }>(covered, key)
  if (!days?.first || !days.last) return
  const now = context.now()
  const late = lateAt(now, account)
  const end = later(startOf(days.last), DAY_MS)
  const oldest = windowAt(now)
  const from = firstEventId(oldest > startOf(days.first) ? oldest : startOf(days.first))
  const [checked] = await context.query<SettlementLook>(look, key)
  const isChecked = checked && checked.checked_from !== null && checked.checked_from <= days.first && checked.checked_to! > from
  for await (const { last, found } of unsettled(context, account, {
    from: isChecked ? checked.checked_to! : from,
    until: late < end ? late : end,
  })) {
    yield found
    await context.query(check, [...key, days.first, last])
  }
}
