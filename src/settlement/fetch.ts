import { converseAbout, noAnswer } from '../accounts/converse-about.ts'
import { findConnectorAccount } from '../accounts/merchant.ts'
import { type SettlementFetch, type SettlementReport, settlementFetches, settlementReports } from '../accounts/report-fetches.ts'
import type { Settings } from '../accounts/settings.ts'
import { doublingPause } from '../base/retry.ts'
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '../base/time.ts'
import { connectors } from '../connectors/all.ts'
import type { Account } from '../connectors/connector.ts'
import type { Port, PortConversation } from '../connectors/port.ts'
import type { ReportPart, ReportsRead } from '../connectors/settlement-report.ts'
import type { Context } from '../context.ts'
import { claimed, scheduledJob } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { needAccount } from './account.ts'
import { IncomingFile } from './incoming-file.ts'

/**
 * Fetches the reports of accounts that want it, once a day. Bounds of one run: what is left is done a minute later.
 * Calls are at most `MOST_PAGES` for the list, and for each report one, its pages, or its question and its download.
 */
const MOST_PAGES = 10
const MOST_REPORTS = 20
const MOST_PARTS = 10_000
const NEXT_MS = MINUTE_MS

/** Pauses after failures, and while a processor is making a report: doubled each time. */
const FIRST_PAUSE_MS = 5 * MINUTE_MS
const LONGEST_PAUSE_MS = 6 * HOUR_MS
const MADE_AFTER_MS = MINUTE_MS

/** Reports that a processor does not give for so long are given up. */
const GIVEN_UP_MS = 14 * DAY_MS

const dueFetches = claimed(settlementFetches, {
  when: 'fetch_at',
  gives: ['merchant_id', 'merchant_connector_id'],
  asksProcessor: true,
  lease_ms: 30 * MINUTE_MS,
})

const find = statement('settlement_fetch', select(settlementFetches, 'where merchant_id = $1 and merchant_connector_id = $2'))
const write = statement(
  'settlement_fetch_write',
  `update settlement_fetches set fetch_at = $3, listed_until = $4, page = $5, failures = $6, problem = $7, fetched_at = $8
    where merchant_id = $1 and merchant_connector_id = $2 and fetch_at is not null`,
)
const keep = statement(
  'settlement_report_keep',
  `insert into settlement_reports (merchant_id, merchant_connector_id, report, name, state, created) values ($1, $2, $3, $4, 'listed', $5)
    on conflict do nothing`,
)
const listed = statement(
  'settlement_reports_listed',
  select(
    settlementReports,
    `where merchant_id = $1 and merchant_connector_id = $2 and state = 'listed' order by created, report limit ${MOST_REPORTS + 1}`,
  ),
)
const lastOne = statement(
  'settlement_report_last',
  select(settlementReports, 'where merchant_id = $1 and merchant_connector_id = $2 order by created desc, report desc limit 1'),
)
const move = statement(
  'settlement_report_move',
  'update settlement_reports set state = $4, file_id = $5 where merchant_id = $1 and merchant_connector_id = $2 and report = $3',
)

type Run = { context: Context; connector: Port; account: Account; row: SettlementFetch }

function ask<T>(
  { context, account, row }: Run,
  conversation: PortConversation<T>,
  file?: IncomingFile,
): Promise<T | ReturnType<typeof noAnswer>> {
  const { merchant_id, merchant_connector_id } = row
  const into = file && ((bytes: Buffer) => file.add(bytes))
  const send: Context['send'] = (request, sender) => context.send(request.download && into ? { ...request, into } : request, sender)
  return converseAbout<T | ReturnType<typeof noAnswer>>(
    { ...context, send },
    { merchant_id, merchant_connector_id },
    account,
    conversation as PortConversation<T | ReturnType<typeof noAnswer>>,
    noAnswer,
  )
}

type Listing = Pick<SettlementFetch, 'listed_until' | 'page'> & { problem: string | null; unsupported?: true; follows?: true }

/** Keeps the reports that the processor lists, each once. */
async function list(run: Run): Promise<Listing> {
  const { context, connector, account, row } = run
  const { merchant_id, merchant_connector_id, listed_until, from_time: from } = row
  const until = context.now()
  let { page } = row
  const [latest] = await context.query<SettlementReport>(lastOne, [merchant_id, merchant_connector_id])
  const last = latest ? { id: latest.report, isFetched: latest.state !== 'listed' } : null
  for (let i = 0; i < MOST_PAGES; i++) {
    const read = await ask<ReportsRead>(run, connector.list_reports!({ since: listed_until, until, from, page, last }, account))
    if (read.is === 'unsupported') return { listed_until, page: null, problem: NO_CREDENTIAL, unsupported: true }
    if (read.is === 'unknown') return { listed_until, page, problem: read.why }
    for (const { id, name } of read.reports) await context.query(keep, [merchant_id, merchant_connector_id, id, name, context.now()])
    page = read.next
    if (page === null) return { listed_until: read.until ?? until, page, problem: null, ...(read.follows && { follows: true }) }
  }
  return { listed_until, page, problem: null }
}

const NO_CREDENTIAL = 'The connector account has no credential with which its processor gives reports'

/** `waits`: the processor is making it. `later`: it will have it on another day. */
type Fetched = { is: 'fetched' | 'waits' | 'later' } | { is: 'failed'; why: string }

/** Stores one report as an upload would be stored. Its file is read by the job of files. */
async function fetchOne(run: Run, report: SettlementReport): Promise<Fetched> {
  const { context, connector, account, row } = run
  const key = [row.merchant_id, row.merchant_connector_id, report.report]
  const settled = await needAccount(context, row.merchant_id, row.merchant_connector_id)
  const file = new IncomingFile(context, settled, report.name, file_id => context.query(move, [...key, 'listed', file_id]))
  if (report.file_id !== null && (await file.isWhole(report.file_id))) {
    await context.query(move, [...key, 'fetched', report.file_id])
    return { is: 'fetched' }
  }
  let page: string | null = null
  for (let i = 0; i < MOST_PARTS; i++) {
    const conversation = connector.fetch_report!({ id: report.report, page }, account)
    const read = await ask<ReportPart>(run, conversation, file)
    if (read.is === 'part') {
      if (read.text !== null) await file.add(Buffer.from(read.text))
      page = read.next
      if (page !== null) continue
      await context.query(move, [...key, 'fetched', await file.end()])
      return { is: 'fetched' }
    }
    await file.drop()
    if (read.is === 'waiting') return { is: read.for === 'minutes' ? 'waits' : 'later' }
    const why = read.is === 'unsupported' ? NO_CREDENTIAL : read.why
    const isOver = read.is === 'gone' || later(report.created, GIVEN_UP_MS) < context.now()
    if (isOver) await context.query(move, [...key, 'gone', null])
    return { is: 'failed', why: `${report.name}: ${why}` }
  }
  await file.drop()
  return { is: 'failed', why: `${report.name}: it has too many pages` }
}

async function fetchReports(run: Run): Promise<Partial<SettlementFetch>> {
  const { context, row } = run
  const { listed_until, page, problem, unsupported, follows } = await list(run)
  const next = { listed_until, page }
  const now = context.now()
  if (unsupported) return { ...next, fetch_at: later(now, DAY_MS), failures: 0, problem }
  const reports = await context.query<SettlementReport>(listed, [row.merchant_id, row.merchant_connector_id])
  let first = problem
  let waits = 0
  let isNext = false
  for (const report of reports.slice(0, MOST_REPORTS)) {
    const fetched = await fetchOne(run, report)
    if (fetched.is === 'waits') waits++
    else if (fetched.is === 'failed') first ??= fetched.why
    else if (fetched.is === 'fetched') isNext = follows === true
  }
  const failures = first !== null || waits > 0 ? row.failures + 1 : 0
  const isMore = page !== null || isNext || reports.length > MOST_REPORTS
  const pause =
    first !== null
      ? doublingPause(FIRST_PAUSE_MS, failures, LONGEST_PAUSE_MS)
      : waits > 0
        ? doublingPause(MADE_AFTER_MS, failures, HOUR_MS)
        : isMore
          ? NEXT_MS
          : DAY_MS
  const fetched_at = first === null ? context.now() : row.fetched_at
  return { ...next, fetch_at: later(context.now(), pause), failures, problem: first, fetched_at }
}

type Work = { context: Context; settings: Settings }
type Due = Pick<SettlementFetch, 'merchant_id' | 'merchant_connector_id'>

async function fetchDue({ context: outer, settings }: Work, { merchant_id, merchant_connector_id }: Due): Promise<void> {
  const context = { ...outer, by: `report_fetch ${merchant_connector_id}` }
  const [merchant, [row]] = await Promise.all([
    settings.merchant(merchant_id),
    context.query<SettlementFetch>(find, [merchant_id, merchant_connector_id]),
  ])
  if (!row || row.fetch_at === null) return
  const found = merchant && findConnectorAccount(merchant, merchant_connector_id)
  const connector = connectors[row.connector]
  const isFetched = found && found.deleted_at === null && connector?.list_reports && connector.fetch_report
  const next: Partial<SettlementFetch> = isFetched
    ? await fetchReports({ context, connector, account: found.account, row })
    : { fetch_at: null }
  const { fetch_at, listed_until, page, failures, problem, fetched_at } = { ...row, ...next }
  await context.query(write, [merchant_id, merchant_connector_id, fetch_at, listed_until, page, failures, problem, fetched_at])
}

export const fetchJob = scheduledJob(dueFetches, fetchDue)
