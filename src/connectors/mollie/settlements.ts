import type { Request } from '../../context.ts'
import type { Account, Conversation } from '../connector.ts'
import { credentialsOf } from '../kit/credentials.ts'
import { failedReport, parseReply, readerOf, unknown } from '../kit/parse-reply.ts'
import { isRecord, readId } from '../kit/read.ts'
import { baseOf, bearerOf, getRequest, inPath } from '../kit/request.ts'
import type { ListedReport, ReportPart, ReportPartQuestion, ReportsQuestion, ReportsRead } from '../settlement-report.ts'
import * as wire from './replies.ts'

/**
 * Mollie's settlements: the settlement and the pages of its lists are one report. API keys may not read them: an
 * organization's access token can. docs.mollie.com/reference/list-settlements
 */

/** Of one page; Mollie's most. */
const LISTED = 250
/** Settlements are listed by their creation, and paid out later. */
const PAID_OUT_LATER_MS = 40 * 86_400_000

const request = (account: Account, path: string): Request | null => {
  const token = account.credentials.organization_token
  return token ? getRequest(baseOf(account) + path, bearerOf(token)) : null
}
const NO_TOKEN = { is: 'unsupported' } as const

const listReply = readerOf(wire.readList('settlements'), wire.readRefused)

/** The latest first: read down to those that were paid out before. */
export function* listSettlements({ since, page }: ReportsQuestion, account: Account): Conversation<ReportsRead> {
  const asked = request(account, `/settlements?limit=${LISTED}${page === null ? '' : `&from=${inPath(page)}`}`)
  if (asked === null) return NO_TOKEN
  const reply = parseReply(yield asked, credentialsOf(account), listReply)
  if (reply.is !== 'answer') return failedReport(reply)
  const { items, isLast, from } = reply.answer
  if (!isLast && from === null) return unknown('the list of settlements is not valid')
  const last = items.at(-1)
  const until = new Date(Date.parse(since) - PAID_OUT_LATER_MS).toISOString()
  const goesOn = !isLast && (wire.madeAt(last) ?? since) >= until
  return { is: 'reports', reports: items.flatMap(item => paidOut(item, since)), next: goesOn ? from : null }
}

function paidOut(item: unknown, since: string): ListedReport[] {
  if (!isRecord(item) || item.status !== 'paidout') return []
  const id = readId(item.id)
  const isOld = typeof item.settledAt === 'string' && Date.parse(item.settledAt) < Date.parse(since) - 86_400_000
  return id === null || isOld ? [] : [{ id, name: `settlement ${typeof item.reference === 'string' ? item.reference : id}.json` }]
}

const lists = ['payments', 'captures', 'refunds', 'chargebacks'] as const

type Page = { body: unknown; next: string | null }
const pageReply = (list: (typeof lists)[number]) =>
  readerOf<Page>(body => {
    const read = wire.readList(list)(body)
    return read === null || (!read.isLast && read.from === null) ? null : { body, next: read.from }
  }, wire.readRefused)
const settlementReply = readerOf<Page>(
  body => (isRecord(body) && body.resource === 'settlement' ? { body, next: null } : null),
  wire.readRefused,
)

/** `page`: `payments`, or `payments/tr_…`, the first payment of the page. */
export function* fetchSettlement({ id, page }: ReportPartQuestion, account: Account): Conversation<ReportPart> {
  const [name, from] = page?.split('/') ?? []
  const list = lists.find(one => one === name)
  const path = list === undefined ? '' : `/${list}?limit=${LISTED}${from === undefined ? '' : `&from=${inPath(from)}`}`
  const asked = request(account, `/settlements/${inPath(id)}${path}`)
  if (asked === null) return NO_TOKEN
  const reply = parseReply(yield asked, credentialsOf(account), list === undefined ? settlementReply : pageReply(list))
  if (reply.is !== 'answer')
    return reply.is === 'refused' && reply.as === 'not_found' ? { is: 'gone', why: 'Mollie does not know it' } : failedReport(reply)
  const { body, next } = reply.answer
  const after = list === undefined ? lists[0] : (lists[lists.indexOf(list) + 1] ?? null)
  return { is: 'part', text: `${JSON.stringify(body)}\n`, next: next === null ? after : `${list}/${next}` }
}
