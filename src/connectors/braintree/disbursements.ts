import { DAY_MS, later } from '../../base/time.ts'
import type { Account, Conversation } from '../connector.ts'
import { failedReport, parseReply } from '../kit/parse-reply.ts'
import { isRecord } from '../kit/read.ts'
import type { ListedReport, ReportPart, ReportPartQuestion, ReportsQuestion, ReportsRead } from '../settlement-report.ts'
import { documents } from './documents.ts'
import { readerAt } from './replies.ts'
import { gql, keysOf } from './requests.ts'

/**
 * Disbursements of a day: transactions and refunds by their disbursement date, and disputes by the days on which they
 * took effect. Its settlement batch summary has totals only, and no API has fees.
 */

/** Days that are listed at once. */
const LISTED = 30

/** A dispute is disbursed some days after it took effect. */
const DISPUTES_LAG_MS = 14 * DAY_MS

const startOf = (time: string): string => `${time.slice(0, 10)}T00:00:00.000Z`

/** Each day that is over is a report: nothing has to be asked. */
// biome-ignore lint/correctness/useYield: nothing is asked
export function* listDisbursements({ since, until, page }: ReportsQuestion, _account: Account): Conversation<ReportsRead> {
  const end = startOf(until)
  const reports: ListedReport[] = []
  let day = startOf(page ?? since)
  for (; day < end && reports.length < LISTED; day = later(day, DAY_MS)) {
    const id = day.slice(0, 10)
    reports.push({ id, name: `disbursements ${id}.json` })
  }
  return { is: 'reports', reports, next: day < end ? day : null, until: end }
}

const lists = ['transactions', 'refunds', 'disputes'] as const
type ListName = (typeof lists)[number]
const PAGE = 100

type Page = { search: unknown; next: string | null }

const pageOf =
  (list: ListName) =>
  (search: unknown): Page | null => {
    const found = isRecord(search) ? search[list] : null
    if (!isRecord(found) || !Array.isArray(found.edges) || !isRecord(found.pageInfo)) return null
    const { hasNextPage, endCursor } = found.pageInfo
    return { search, next: hasNextPage === true && typeof endCursor === 'string' ? endCursor : null }
  }

/** `page`: `refunds`, or `refunds/CURSOR`. */
export function* fetchDisbursements({ id: day, page }: ReportPartQuestion, account: Account): Conversation<ReportPart> {
  const [name = 'transactions', after] =
    page === null ? [] : [page.split('/', 1)[0], page.includes('/') ? page.slice(page.indexOf('/') + 1) : null]
  const list = lists.find(one => one === name) ?? 'transactions'
  const from = list === 'disputes' ? later(`${day}T00:00:00.000Z`, -DISPUTES_LAG_MS).slice(0, 10) : day
  const request = gql(account, documents[`${list}Disbursed`], { from, day, first: PAGE, after: after ?? null })
  const reply = parseReply(yield request, keysOf(account), readerAt('search', pageOf(list)))
  if (reply.is !== 'answer') return failedReport(reply)
  const { search, next } = reply.answer
  const following = lists[lists.indexOf(list) + 1] ?? null
  return { is: 'part', text: `${JSON.stringify({ search })}\n`, next: next === null ? following : `${list}/${next}` }
}
