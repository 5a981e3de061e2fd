import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '../../base/time.ts'
import type { Time } from '../../context.ts'
import type { Account, Conversation } from '../connector.ts'
import { failedReport, type Refused, readerOf, unknown } from '../kit/parse-reply.ts'
import { isRecord, parseTime } from '../kit/read.ts'
import type { ListedReport, ReportPart, ReportPartQuestion, ReportsQuestion, ReportsRead } from '../settlement-report.ts'
import { readRefused } from './replies.ts'
import { sayToPaypal } from './requests.ts'

/**
 * Transactions that moved the balance, by the days on which they began: Transaction Search,
 * developer.paypal.com/docs/api/transaction-search/v1. Its settlement report (STL) comes by SFTP only.
 */

/** A transaction is listed after three hours at the latest, and for three years. */
const LISTED_LATE_MS = 3 * HOUR_MS
const KEPT_MS = 3 * 365 * DAY_MS

/** Days that are listed at once. */
const DAYS = 30

/**
 * A payment that was pending is listed on the day on which it began: each day is looked at again, after bank payments
 * have cleared, and after PayPal has returned what was not accepted.
 */
const AGAIN = [10, 31]

const startOf = (time: Time): Time => `${time.slice(0, 10)}T00:00:00.000Z`

const reportOf = (day: Time, after: number | null): ListedReport => {
  const id = day.slice(0, 10)
  return after === null
    ? { id, name: `transactions ${id}.json` }
    : { id: `${id}/${after}`, name: `transactions ${id} after ${after} days.json` }
}

/** Each day that is complete is a report: nothing has to be asked. */
export function* listTransactionDays({ since, until, from, page }: ReportsQuestion, _account: Account): Conversation<ReportsRead> {
  const end = startOf(later(until, -LISTED_LATE_MS))
  const oldest = startOf(later(until, DAY_MS - KEPT_MS))
  const [first, wanted] = [since, from].map(time => (startOf(time) > oldest ? startOf(time) : oldest)) as [Time, Time]
  const reports: ListedReport[] = []
  let day = page ?? first
  for (let n = 0; day < end && n < DAYS; n++) {
    reports.push(reportOf(day, null))
    for (const days of AGAIN) {
      const before = later(day, -days * DAY_MS)
      // A day that is read for the first time now is read late enough.
      if (before >= wanted && before < first) reports.push(reportOf(before, days))
    }
    day = later(day, DAY_MS)
  }
  return { is: 'reports', reports, next: day < end ? day : null, until: first < end ? end : first }
}

const SEARCH = '/v1/reporting/transactions'
/** Of one page; PayPal's most. */
const PAGE_SIZE = 500
/** No more than 10,000 transactions are listed of a span: a longer one is halved. */
const TOO_MANY = 'RESULTSET_TOO_LARGE'
const SHORTEST_MS = MINUTE_MS

type Page = { body: unknown; pages: number; refreshed: Time | null }

function readSearchRefused(status: number, body: unknown): Refused | null {
  const isTooLarge = isRecord(body) && body.name === TOO_MANY && typeof body.message === 'string'
  return isTooLarge ? { is: 'refused', as: 'invalid_request', code: TOO_MANY, message: body.message as string } : readRefused(status, body)
}

const pageReply = readerOf<Page>(body => {
  if (!isRecord(body) || !(Array.isArray(body.transaction_details) || body.transaction_details === undefined)) return null
  const { total_pages: pages, last_refreshed_datetime } = body
  return Number.isInteger(pages) ? { body, pages: pages as number, refreshed: parseTime(last_refreshed_datetime) } : null
}, readSearchRefused)

/** From the first millisecond to the last one: spans do not overlap, for a transaction in both would be two. */
type Span = { from: Time; to: Time; page: number }

const written = ({ from, to, page }: Span): string => `${from}/${to}/${page}`
const widthOf = ({ from, to }: Span): number => Date.parse(to) - Date.parse(from) + 1
const spanOf = (from: Time, width: number, end: Time): Span => {
  const to = later(from, width - 1)
  return { from, to: to < end ? to : end, page: 1 }
}

const search = ({ from: start_date, to: end_date, page }: Span, account: Account) => {
  const query = { start_date, end_date, fields: 'transaction_info', balance_affecting_records_only: 'Y' }
  const path = `${SEARCH}?${new URLSearchParams({ ...query, page_size: String(PAGE_SIZE), page: String(page) })}`
  return sayToPaypal(account, path, pageReply)
}

const DAY_ID = /^(\d{4}-\d\d-\d\d)(?:\/\d+)?$/

/** `page`: a span of the day, and the number of its page. */
export function* fetchTransactions({ id, page }: ReportPartQuestion, account: Account): Conversation<ReportPart> {
  const day = DAY_ID.exec(id)?.[1]
  if (day === undefined) return { is: 'gone', why: 'it is no day' }
  const end: Time = `${day}T23:59:59.999Z`
  const [from, to, number] = page?.split('/') ?? []
  const span: Span = from && to ? { from, to, page: Number(number) } : spanOf(`${day}T00:00:00.000Z`, DAY_MS, end)
  const reply = yield* search(span, account)
  if (reply.is === 'refused' && reply.code === TOO_MANY && widthOf(span) > SHORTEST_MS)
    return { is: 'part', text: '', next: written(spanOf(span.from, Math.ceil(widthOf(span) / 2), end)) }
  if (reply.is === 'refused' && reply.as === 'not_allowed') return unknown(NO_PERMISSION)
  if (reply.is !== 'answer') return failedReport(reply)
  const { body, pages, refreshed } = reply.answer
  if (refreshed !== null && refreshed < span.to) return { is: 'waiting', for: 'minutes' }
  const following = span.to < end ? spanOf(later(span.to, 1), widthOf(span), end) : null
  const next = span.page < pages ? { ...span, page: span.page + 1 } : following
  return { is: 'part', text: `${JSON.stringify(body)}\n`, next: next && written(next) }
}

const NO_PERMISSION =
  'PayPal refused it: switch on “Transaction search” in the settings of the REST app. PayPal grants it to new access tokens within nine hours'
