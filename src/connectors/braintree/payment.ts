import { HOUR_MS, later } from '../../base/time.ts'
import type { Account, ChangesRead, Conversation, DisputeUpdate, WebhookUpdate } from '../connector.ts'
import { failedLookup, failedQuestion, parseReply, unknown } from '../kit/parse-reply.ts'
import { isRecord, readJson } from '../kit/read.ts'
import type { ChangesQuestion, PaymentQuestion, PaymentRead } from '../payment-report.ts'
import { readBraintreeDispute } from './disputes.ts'
import { documents } from './documents.ts'
import { readerAt, readPayment, whole } from './replies.ts'
import { byNames, readRefundFound, readWhole, readWholes, refundNews, reportOf, transactionNews } from './report.ts'
import { gql, keysOf } from './requests.ts'

/** The whole payment is one request. */
export function* readPaymentWhole({ reference, request_id }: PaymentQuestion, account: Account): Conversation<PaymentRead> {
  if (reference === null) return yield* searchWhole(request_id, account)
  const reply = parseReply(yield gql(account, documents.whole, { id: reference }), keysOf(account), readerAt('node', readWhole))
  return reply.is === 'answer' ? { is: 'payment', report: reportOf(reply.answer) } : failedLookup(reply)
}

/** The search may be behind, so what it does not find may exist all the same. */
function* searchWhole(request_id: string, account: Account): Conversation<PaymentRead> {
  const request = gql(account, documents.wholeByOrder, { orderId: request_id })
  const reply = parseReply(yield request, keysOf(account), readerAt('search.transactions.edges', readWholes))
  if (reply.is !== 'answer') return failedQuestion(reply)
  const [own, ...others] = reply.answer.filter(({ payment }) => payment.request_id === request_id)
  if (others.length > 0) return unknown('several transactions have this reference')
  return own ? { is: 'payment', report: reportOf(own) } : unknown('the payment was not found')
}

/** Braintree does not document how late a change comes into its search. */
const SEARCH_LAGS_MS = HOUR_MS

const PAGE = 50

/** Refunds by their creation and by their refusal, voided transactions, and disputes: each is a list of its own. */
const lists = ['refunds', 'declined', 'voided', 'disputes'] as const
type ListName = (typeof lists)[number]

/** Where each list goes on; absent: it has ended. */
type Cursors = Partial<Record<ListName, string | null>>

const start: Cursors = { refunds: null, declined: null, voided: null, disputes: null }

function cursorsIn(page: string | null): Cursors {
  const said = page === null ? start : readJson(page)
  return isRecord(said) ? (said as Cursors) : start
}

const readers: Record<ListName, (node: unknown) => WebhookUpdate[] | null> = {
  refunds: refundUpdates,
  declined: refundUpdates,
  voided(node) {
    const payment = readPayment(node)
    return payment && transactionNews(byNames(payment.request_id, payment.id), reportOf({ payment, disputes: [] }))
  },
  disputes(node) {
    const found = readBraintreeDispute(node)
    const [first, ...others] = found?.of ?? []
    if (!found || !first) return found && []
    return [{ is: 'dispute', of: [first, ...others], dispute: found.dispute } satisfies DisputeUpdate]
  },
}

function refundUpdates(node: unknown): WebhookUpdate[] | null {
  const found = readRefundFound(node)
  return found && refundNews(found)
}

type Listed = { updates: WebhookUpdate[]; next: Cursors }

function readLists(search: unknown, asked: readonly ListName[]): Listed | null {
  if (!isRecord(search)) return null
  const updates: WebhookUpdate[] = []
  const next: Cursors = {}
  for (const name of asked) {
    const list = search[name]
    if (!isRecord(list) || !isRecord(list.pageInfo)) return null
    const found = whole(list.edges, edge => (isRecord(edge) ? readers[name](edge.node) : null))
    if (found === null) return null
    updates.push(...found.flat())
    const { hasNextPage, endCursor } = list.pageInfo
    if (hasNextPage === true && typeof endCursor === 'string') next[name] = endCursor
  }
  return { updates, next }
}

/**
 * There is no list of events: the objects are searched by the times of their changes. Captures are left out, because
 * the search cannot tell them from payments that are charged at once.
 */
export function* listChanges({ since, until, page }: ChangesQuestion, account: Account): Conversation<ChangesRead> {
  const cursors = cursorsIn(page)
  const asked = lists.filter(name => cursors[name] !== undefined)
  const from = later(since, -SEARCH_LAGS_MS)
  const variables = {
    ...{ since: from, until, day: from.slice(0, 10), first: PAGE },
    ...Object.fromEntries(
      lists.flatMap(name => [
        [name, asked.includes(name)],
        [`${name}After`, cursors[name] ?? null],
      ]),
    ),
  }
  const request = gql(account, documents.changes, variables)
  const reply = parseReply(
    yield request,
    keysOf(account),
    readerAt('search', body => readLists(body, asked)),
  )
  if (reply.is !== 'answer') return failedQuestion(reply)
  const { updates, next } = reply.answer
  return { is: 'changes', updates, next: Object.keys(next).length === 0 ? null : JSON.stringify(next) }
}
