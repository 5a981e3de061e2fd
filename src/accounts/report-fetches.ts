import type { ListedReport } from '../connectors/settlement-report.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/statement.ts'
import { count, int, type RowOf, table, text, time } from '../database/table.ts'

/** The settlement reports that are fetched from processors (`settlement/fetch.ts`). */

export const fetchings = {
  daily: 'Reports are fetched from the processor each day',
  off: 'Reports are uploaded',
} as const
export type Fetching = keyof typeof fetchings

/**
 * Whether the reports of an account are fetched, and when next. `from_time`: older reports are not wanted. `page`: to
 * read next of the list of reports, which is read until `listed_until`. `failures`: in a row.
 */
export const settlementFetches = table('settlement_fetches', {
  kind: 'settlement_fetch',
  audited: true,
  key: ['merchant_id', 'merchant_connector_id'],
  columns: {
    merchant_id: text(),
    merchant_connector_id: text(),
    version: count(1),
    profile_id: text().fixed(),
    connector: text().fixed(),
    fetching: text<Fetching>('daily'),
    from_time: time(),
    fetch_at: time().orNull().unrecorded(),
    listed_until: time().unrecorded(),
    page: text().orNull().unrecorded(),
    failures: int().unrecorded(),
    problem: text().orNull().unrecorded(),
    fetched_at: time().orNull().unrecorded(),
  },
})
export type SettlementFetch = RowOf<typeof settlementFetches>

const reportStates = {
  listed: 'The processor has it, or is making it',
  fetched: 'Its file was stored',
  gone: 'It was never made, or can no longer be fetched',
} as const
export type ReportState = keyof typeof reportStates

/** A report of a processor, once. `file_id`: the file that holds it, or is to hold it. */
export const settlementReports = table('settlement_reports', {
  key: ['merchant_id', 'merchant_connector_id', 'report'],
  columns: {
    merchant_id: text(),
    merchant_connector_id: text(),
    report: text(),
    name: text(),
    state: text<ReportState>('listed'),
    file_id: text().orNull(),
    created: time(),
  },
})
export type SettlementReport = RowOf<typeof settlementReports>

const arrived = statement(
  'settlement_report_arrived',
  `with wanted as (update settlement_fetches set fetch_at = $5 where merchant_id = $1 and merchant_connector_id = $2 and fetching = 'daily'
      returning merchant_id)
    insert into settlement_reports (merchant_id, merchant_connector_id, report, name, state, created)
      select $1, $2, $3, $4, 'listed', $5 from wanted on conflict do nothing`,
)

/** A processor says that it has a report. It is fetched now, if the account's reports are fetched. */
export const reportArrived = (
  context: Pick<Context, 'query' | 'now'>,
  { merchant_id, merchant_connector_id }: { merchant_id: string; merchant_connector_id: string },
  { id, name }: ListedReport,
): Promise<unknown> => context.query(arrived, [merchant_id, merchant_connector_id, id, name, context.now()])
