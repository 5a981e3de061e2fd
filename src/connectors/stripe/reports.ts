import type { Account, Conversation } from '../connector.ts'
import { failedReport } from '../kit/parse-reply.ts'
import { isOneOf, isRecord, readId } from '../kit/read.ts'
import { inPath } from '../kit/request.ts'
import { settingOf } from '../settings.ts'
import type { ListedReport, ReportPart, ReportPartQuestion, ReportsQuestion, ReportsRead } from '../settlement-report.ts'
import { openTalk } from './api.ts'
import { REQUEST_ID } from './common.ts'

/**
 * Stripe's Reports API: a run is created for a period, asked about until it has succeeded, and its file downloaded.
 * docs.stripe.com/reports/api
 */

/** Columns that all itemised reports have, and the metadata in which our request id is. */
const columns = [
  ...['balance_transaction_id', 'created_utc', 'currency', 'gross', 'fee', 'net', 'reporting_category', 'source_id', 'description'],
  ...['customer_facing_amount', 'customer_facing_currency', 'charge_id', 'payment_intent_id'],
  ...['payment', 'refund', 'transfer'].map(of => `${of}_metadata[${REQUEST_ID}]`),
]

/** By the setting `settlement_reports`: an account with manual payouts has no report that names them by transaction. */
const types = {
  payouts: [
    { type: 'payout_reconciliation.itemized.5', columns: ['automatic_payout_id', 'automatic_payout_effective_at_utc', ...columns] },
  ],
  activity: [{ type: 'balance_change_from_activity.itemized.3', columns }, { type: 'payouts.itemized.3' }],
} as const

export const reportsSetting = {
  pattern: /^(payouts|activity)$/,
  description:
    'payouts (the default) or activity: the reports that are fetched. Stripe reports the transactions of each payout only of automatic payouts; choose activity for manual ones',
}

/** Runs have an identity of their own, so each period is asked for once. Its end is what Stripe has prepared. */
export function* listStripeReports({ since }: ReportsQuestion, account: Account): Conversation<ReportsRead> {
  const talk = openTalk(account)
  const wanted = types[settingOf(account, 'settlement_reports') === 'activity' ? 'activity' : 'payouts']
  const reports: ListedReport[] = []
  const start = Math.floor(Date.parse(since) / 1000)
  let until: number | null = null
  for (const { type, ...more } of wanted) {
    const known = yield* talk.get(`/v1/reporting/report_types/${inPath(type)}`, readAvailable)
    if (known.is !== 'answer') return failedReport(known)
    const from = Math.max(start, known.answer.from)
    const end: number = until ?? known.answer.until
    until = end
    if (end <= from) return { is: 'reports', reports, next: null, until: since }
    const parameters = { interval_start: from, interval_end: end, ...('columns' in more && { columns: more.columns }) }
    const request = talk.post('/v1/reporting/report_runs', { report_type: type, parameters }, `${type} ${from} ${end}`)
    const run = yield* talk.say(request, readRun)
    if (run.is !== 'answer') return failedReport(run)
    reports.push({ id: run.answer.id, name: `${type} until ${new Date(end * 1000).toISOString().slice(0, 10)}.csv` })
  }
  return { is: 'reports', reports, next: null, until: new Date(until! * 1000).toISOString() }
}

/** The key goes to Stripe only: the address of the file is made of its id, and not taken from an answer. */
export function* fetchStripeReport({ id }: ReportPartQuestion, account: Account): Conversation<ReportPart> {
  const talk = openTalk(account)
  const run = yield* talk.get(`/v1/reporting/report_runs/${inPath(id)}`, readRun)
  if (run.is !== 'answer')
    return run.is === 'refused' && run.as === 'not_found' ? { is: 'gone', why: 'Stripe does not know it' } : failedReport(run)
  const { status, file, error } = run.answer
  if (status === 'pending') return { is: 'waiting', for: 'minutes' }
  if (status === 'failed' || file === null) return { is: 'gone', why: error ?? 'Stripe could not make it' }
  return yield* talk.download(filesOf(account), `/v1/files/${inPath(file)}/contents`)
}

const filesOf = ({ base_url }: Account): string => (base_url === 'https://api.stripe.com' ? 'https://files.stripe.com' : base_url)

const readSecond = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)

function readAvailable(body: unknown): { from: number; until: number } | null {
  if (!isRecord(body) || body.object !== 'reporting.report_type') return null
  const [from, until] = [readSecond(body.data_available_start), readSecond(body.data_available_end)]
  return from === null || until === null ? null : { from: from + 1, until: until - 1 }
}

type ReportRun = { id: string; status: 'pending' | 'succeeded' | 'failed'; file: string | null; error: string | null }

function readRun(body: unknown): ReportRun | null {
  if (!isRecord(body) || body.object !== 'reporting.report_run' || !isOneOf(['pending', 'succeeded', 'failed'] as const, body.status))
    return null
  const id = readId(body.id)
  const file = isRecord(body.result) ? readId(body.result.id) : null
  return id === null ? null : { id, status: body.status, file, error: typeof body.error === 'string' ? body.error : null }
}
