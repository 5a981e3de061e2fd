import type { Request } from '../../context.ts'
import type { Account, Conversation, WebhookUpdate } from '../connector.ts'
import { credentialsOf } from '../kit/credentials.ts'
import { downloaded, refusedBy } from '../kit/parse-reply.ts'
import { basicOf } from '../kit/request.ts'
import { settingOf } from '../settings.ts'
import type { ReportPart, ReportPartQuestion, ReportsQuestion, ReportsRead } from '../settlement-report.ts'
import { hostOf } from './disputes.ts'

/**
 * Adyen's settlement details reports. Adyen lists none: a webhook names each, and their names are numbered by batch, so
 * that the next one is tried too. docs.adyen.com/reporting/automatically-get-reports
 */

const REPORT = /\/reports\/download\/((?:MerchantAccount|Company)\/[\w.-]{1,100}\/(settlement_detail_report_batch_\d{1,7}\.csv))$/
const BATCH = /batch_(\d{1,7})\.csv$/

export const firstBatch = {
  pattern: /^\d{1,7}$/,
  description: 'the number of the first settlement batch whose report is fetched; without it, from the first one that a webhook announces',
}

/** Only the path of an address counts: credentials go to Adyen's own host. */
export function announcedReport(item: Record<string, unknown>): WebhookUpdate[] {
  const [, id, name] = (typeof item.reason === 'string' && REPORT.exec(item.reason)) || []
  return item.success !== 'true' || id === undefined || name === undefined ? [] : [{ is: 'report', report: { id, name } }]
}

const requestOf = (account: Account, path: string): Request | null => {
  const { report_user, report_password, report_api_key } = account.credentials
  const url = `${hostOf(account)}/reports/download/${path}`
  if (report_api_key) return { method: 'GET', url, headers: { 'x-api-key': report_api_key.reveal() }, download: true }
  if (!report_user || !report_password) return null
  return { method: 'GET', url, headers: { authorization: basicOf(report_user, report_password) }, download: true }
}

// biome-ignore lint/correctness/useYield: nothing is asked
export function* listAdyenReports({ last }: ReportsQuestion, account: Account): Conversation<ReportsRead> {
  if (requestOf(account, '') === null) return { is: 'unsupported' }
  const next = last === null ? firstOf(account) : last.isFetched ? after(last.id) : last.id
  const reports = next === null ? [] : [{ id: next, name: next.split('/').at(-1)! }]
  return { is: 'reports', reports, next: null, follows: true }
}

function firstOf(account: Account): string | null {
  const [batch, merchant] = [settingOf(account, 'first_settlement_batch'), account.credentials.key1?.reveal()]
  return batch === undefined ? null : `MerchantAccount/${merchant}/settlement_detail_report_batch_${Number(batch)}.csv`
}

const after = (id: string): string => id.replace(BATCH, (_, batch) => `batch_${Number(batch) + 1}.csv`)

const refusals = { 401: 'configuration', 403: 'configuration', 429: 'later' } as const

export function* fetchAdyenReport({ id }: ReportPartQuestion, account: Account): Conversation<ReportPart> {
  const request = requestOf(account, id)
  if (request === null) return { is: 'unsupported' }
  const reply = yield request
  // The batch is not closed yet.
  if (reply.is === 'reply' && reply.status === 404) return { is: 'waiting', for: 'days' }
  return downloaded(reply, credentialsOf(account), status => refusedBy(refusals, status, `HTTP ${status}, look at the report user`))
}
