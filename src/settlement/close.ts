import { refuse } from '../base/refusal.ts'
import { dayOf } from '../base/time.ts'
import type { Context, Reads } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { statement } from '../database/statement.ts'
import { json, type RowOf, select, table, text, time } from '../database/table.ts'
import { finishLeft } from './finish-left.ts'
import { settlementAccount, takeAccount } from './lease.ts'
import { type SettledAccount, settlementAccounts } from './tables.ts'

/** Amounts by currency as they were when the period was closed: no later line changes them. `open`: differences. */
type Figures = Record<string, { lines: number; gross: number; fee: number; net: number; open: number }>

/** A closed period of an account's books: from the day after the one closed before, through `through`. */
const settlementCloses = table('settlement_closes', {
  key: ['merchant_id', 'merchant_connector_id', 'through'],
  columns: {
    merchant_id: text(),
    merchant_connector_id: text(),
    through: text(),
    from_day: text().orNull().fixed(),
    figures: json<Figures>().fixed(),
    closed_by: text().fixed(),
    created: time().fixed(),
  },
})
type Close = RowOf<typeof settlementCloses>

const figuresOf = statement(
  'settlement_figures',
  `select currency, sum(lines)::int as lines, sum(gross)::bigint as gross, sum(fee)::bigint as fee, sum(net)::bigint as net, sum(open)::int as open from (
      select currency, lines, gross, fee, net, 0 as open from settlements
        where merchant_id = $1 and merchant_connector_id = $2 and day > $3 and day <= $4
      union all
      select currency, 1, posted_gross, posted_fee, posted_net, 0 from settlement_differences
        where merchant_id = $1 and merchant_connector_id = $2 and day > $3 and day <= $4 and posted_net is not null
      union all
      select coalesce(currency, ours_currency, ''), 0, 0, 0, 0, 1 from settlement_differences
        where merchant_id = $1 and merchant_connector_id = $2 and state = 'open'
          and coalesce(booked_at, created) >= ($3::date + 1)::timestamptz and coalesce(booked_at, created) < ($4::date + 1)::timestamptz) f
    group by currency order by currency`,
)
const FIRST = '1970-01-01'

type Sum = Figures[string] & { currency: string }

/**
 * Sums up the postings of reports in the books of the days after `after` (null: from the first on), through
 * `through`.
 */
export async function figuresThrough(
  context: Reads,
  { merchant_id, merchant_connector_id }: Pick<SettledAccount, 'merchant_id' | 'merchant_connector_id'>,
  after: string | null,
  through: string,
): Promise<Figures> {
  const rows = await context.query<Sum>(figuresOf, [merchant_id, merchant_connector_id, after ?? FIRST, through])
  return Object.fromEntries(rows.map(({ currency, ...sums }) => [currency, sums]))
}

const isDay = (text: string): boolean => {
  const time = new Date(`${text}T00:00:00.000Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time.getTime()) && dayOf(time.toISOString()) === text
}

/** The last day of a month (`YYYY-MM`), or the day itself. Refuses (IR_05) what is neither. */
export function lastDay(period: string): string {
  const month = /^(\d{4})-(\d\d)$/.exec(period)
  const day = month ? dayOf(new Date(Date.UTC(Number(month[1]), Number(month[2]), 0)).toISOString()) : period
  return isDay(day) && (!month || day.startsWith(period))
    ? day
    : refuse('malformed', { field: 'period', expected: 'a month (2026-11) or a day (2026-11-30)' })
}

/**
 * Closes the books of an account through a day: their figures do not move any more, and what is read later belongs to
 * the next open day. Refuses (IR_16) a day that is closed or not over, and (409) while a report is read.
 */
export async function closeBooks(
  context: Pick<Context, 'query' | 'commit' | 'now' | 'by' | 'random'>,
  account: SettledAccount,
  through: string,
): Promise<Close> {
  const { closed_through } = await settlementAccount(context, account)
  if (closed_through !== null && through <= closed_through)
    refuse('precondition', { problem: `The books are closed through ${closed_through}` })
  if (through >= dayOf(context.now())) refuse('precondition', { problem: `${through} is not over (UTC)` })
  const lease = await takeAccount(context, account)
  if (!lease) return refuse('busy')
  try {
    await finishLeft(context, account)
    const { merchant_id, merchant_connector_id } = account
    const { lease_by: _by, until: _until, release: _release, ...taken } = lease
    const before = { ...taken, lease_by: lease.lease_by }
    const close: Close = {
      ...{ merchant_id, merchant_connector_id, through, from_day: before.closed_through, closed_by: context.by, created: context.now() },
      figures: await figuresThrough(context, account, before.closed_through, through),
    }
    const rows = [{ table: settlementCloses.name, before: null, after: close }]
    const after = { ...before, closed_through: through }
    const written = await context.commit(changeTo(context, settlementAccounts.name, { before, after }, 'closed', { rows }))
    return written.is === 'written' ? close : refuse('busy')
  } finally {
    await lease.release()
  }
}

const listed = statement(
  'settlement_closes_listed',
  select(settlementCloses, 'where merchant_id = $1 and merchant_connector_id = $2 order by through desc limit 400'),
)

/** The closed periods of an account, the latest first. */
export const listCloses = (context: Reads, { merchant_id, merchant_connector_id }: SettledAccount): Promise<Close[]> =>
  context.query<Close>(listed, [merchant_id, merchant_connector_id])
