import type { Account, Conversation } from '../connector.ts'
import { downloaded, failedReport, readerOf, unknown } from '../kit/parse-reply.ts'
import { isRecord, readId, readUrl } from '../kit/read.ts'
import { inPath } from '../kit/request.ts'
import { settingOf } from '../settings.ts'
import type { ListedReport, ReportPart, ReportPartQuestion, ReportsQuestion, ReportsRead } from '../settlement-report.ts'
import { parse, readRefused } from './replies.ts'
import { checkoutKeysOf, get } from './requests.ts'

/** checkout.com/docs/business-operations/retrieve-reports: the Reports API. */

export const checkoutReports = {
  pattern: /^(by_payout|by_date)$/,
  description:
    'by_payout (the default) or by_date: the reports of financial actions that are fetched. Both have the same actions, so that one of them is enough',
}

/** Of one page; Checkout.com's most. */
const LISTED = 100
/** Reports may be listed some time after their creation. */
const OVERLAP_MS = 86_400_000

/** Each file of a report is fetched by itself: `rpt_…/file_…`. */
export function* listCheckoutReports({ since, until, page }: ReportsQuestion, account: Account): Conversation<ReportsRead> {
  const after = new Date(Date.parse(since) - OVERLAP_MS).toISOString()
  const token = page === null ? '' : `&pagination_token=${inPath(page)}`
  const query = `created_after=${inPath(after)}&created_before=${inPath(until)}&limit=${LISTED}${token}`
  const isWanted = settingOf(account, 'settlement_reports') === 'by_date' ? isByDate : isByPayout
  const reply = parse(yield get(account, `/reports?${query}`), checkoutKeysOf(account), listReply)
  if (reply.is !== 'answer') return failedReport(reply)
  const { data, next } = reply.answer
  return { is: 'reports', reports: data.filter(isWanted).flatMap(filesOf), next }
}

type Report = Record<string, unknown>

const isByPayout = ({ type, tags }: Report): boolean =>
  type === 'FinancialActionsByPayout' || (type === 'FinancialActions' && hasPayout(tags))
const isByDate = ({ type, tags }: Report): boolean => type === 'FinancialActions' && !hasPayout(tags)
const hasPayout = (tags: unknown): boolean => Array.isArray(tags) && tags.some(tag => String(tag).startsWith('payout_id:'))

function filesOf({ id: report, files }: Report): ListedReport[] {
  const [id, all] = [readId(report), Array.isArray(files) ? files.filter(isRecord) : []]
  return all.flatMap(file => {
    const file_id = readId(file.id)
    if (id === null || file_id === null || (typeof file.format === 'string' && file.format.toUpperCase() !== 'CSV')) return []
    return { id: `${id}/${file_id}`, name: typeof file.filename === 'string' ? file.filename.slice(0, 200) : `${id}.csv` }
  })
}

function readReports(body: unknown): { data: Report[]; next: string | null } | null {
  if (!isRecord(body) || !Array.isArray(body.data)) return null
  const link = isRecord(body._links) && isRecord(body._links.next) ? readUrl(body._links.next.href) : null
  return { data: body.data.filter(isRecord), next: link === null ? null : (URL.parse(link)?.searchParams.get('pagination_token') ?? null) }
}
const listReply = readerOf(readReports, readRefused)

/** The file itself, or the address where it is stored, which takes no key. */
export function* fetchCheckoutReport({ id }: ReportPartQuestion, account: Account): Conversation<ReportPart> {
  const [report = '', file = ''] = id.split('/')
  const keys = checkoutKeysOf(account)
  const reply = yield { ...get(account, `/reports/${inPath(report)}/files/${inPath(file)}`), download: true }
  if (reply.is !== 'reply' || reply.status < 300 || reply.status >= 400) {
    const isMissing = reply.is === 'reply' && (reply.status === 404 || reply.status === 410)
    return isMissing ? { is: 'gone', why: 'Checkout.com does not have it any more' } : downloaded(reply, keys, readRefused)
  }
  const stored = readUrl(reply.headers.location)
  if (stored === null) return unknown('the file has no address')
  return downloaded(yield { method: 'GET', url: stored, headers: {}, download: true }, keys, () => null)
}
