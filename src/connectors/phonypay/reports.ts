import type { Account, Conversation } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { downloaded, failedReport, parseReply, readerOf } from '../kit/parse-reply.ts'
import { isRecord, readId } from '../kit/read.ts'
import { inPath } from '../kit/request.ts'
import type { ListedReport, ReportPart, ReportPartQuestion, ReportsQuestion, ReportsRead } from '../settlement-report.ts'
import { get } from './api.ts'
import { readRefused } from './replies.ts'

const listReply = readerOf(readReports, readRefused)

/** One report of each day. */
export function* listPhonypayReports({ since, until }: ReportsQuestion, account: Account): Conversation<ReportsRead> {
  const request = get(account, `/reports?since=${inPath(since)}&until=${inPath(until)}`)
  const reply = parseReply(yield request, [credentialOf(account)], listReply)
  return reply.is === 'answer' ? { is: 'reports', reports: reply.answer, next: null } : failedReport(reply)
}

export function* fetchPhonypayReport({ id }: ReportPartQuestion, account: Account): Conversation<ReportPart> {
  return downloaded(yield { ...get(account, `/reports/${inPath(id)}.csv`), download: true }, [credentialOf(account)], readRefused)
}

function readReports(body: unknown): ListedReport[] | null {
  if (!isRecord(body) || !Array.isArray(body.data)) return null
  const ids = body.data.map((one: unknown) => (isRecord(one) ? readId(one.id) : null))
  return ids.every(id => id !== null) ? ids.map(id => ({ id, name: `${id}.csv` })) : null
}
