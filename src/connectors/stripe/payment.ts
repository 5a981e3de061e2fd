import type { Account, ChangesRead, Conversation, WebhookUpdate } from '../connector.ts'
import { failedLookup, failedQuestion, unknown } from '../kit/parse-reply.ts'
import { isRecord } from '../kit/read.ts'
import { inPath } from '../kit/request.ts'
import type { ChangesQuestion, PaymentQuestion, PaymentRead } from '../payment-report.ts'
import { formEncoded, openTalk, type Talk } from './api.ts'
import { REQUEST_ID } from './common.ts'
import { readEvent, readList, readRefund, type StripeRefund } from './replies.ts'
import { readDisputeId, readWhole, reportOf, type WholePayment } from './report.ts'
import { updatesOf } from './webhook.ts'

type Nothing = Exclude<PaymentRead, { is: 'payment' }>

/** The whole payment is one request: its intent with the charge and the latest ten refunds. */
export function* readPayment(ask: PaymentQuestion, account: Account): Conversation<PaymentRead> {
  const talk = openTalk(account)
  if (ask.reference?.startsWith('seti_')) return unknown('a setup intent is no payment')
  const whole = ask.reference === null ? yield* searchWhole(talk, ask.request_id) : yield* retrieveWhole(talk, ask.reference)
  if ('is' in whole) return whole
  const { intent, charge } = whole
  const isListed = charge !== null && charge.refunds !== null && !charge.hasMoreRefunds
  const refunds = charge === null ? [] : isListed ? charge.refunds! : yield* refundsOf(talk, intent.id)
  if ('is' in refunds) return refunds
  const disputes = charge?.disputed ? yield* disputesOf(talk, intent.id) : []
  if ('is' in disputes) return disputes
  const report = reportOf(whole, refunds, disputes)
  return report === null ? unknown('invalid amount') : { is: 'payment', report }
}

function* retrieveWhole(talk: Talk, id: string): Conversation<WholePayment | Nothing> {
  const reply = yield* talk.get(`/v1/payment_intents/${inPath(id)}?expand[]=latest_charge.refunds`, readWhole)
  return reply.is === 'answer' ? reply.answer : failedLookup(reply)
}

/** The search is behind, so what it does not find may exist all the same. */
function* searchWhole(talk: Talk, request_id: string): Conversation<WholePayment | Nothing> {
  const query = encodeURIComponent(`metadata["${REQUEST_ID}"]:"${request_id}"`)
  const path = `/v1/payment_intents/search?query=${query}&expand[]=data.latest_charge.refunds`
  const reply = yield* talk.get(path, body => readList(body, readWhole))
  if (reply.is !== 'answer') return failedQuestion(reply)
  return reply.answer.find(({ intent }) => intent.metadata[REQUEST_ID] === request_id) ?? unknown('the payment was not found')
}

/** A list page of Stripe has at most 100 objects. */
const PAGE = 100
const MOST_PAGES = 10

function* refundsOf(talk: Talk, intent: string): Conversation<StripeRefund[] | Nothing> {
  const all: StripeRefund[] = []
  for (let page = 0; page < MOST_PAGES; page++) {
    const last = all.at(-1)
    const query = formEncoded({ payment_intent: intent, limit: PAGE, starting_after: last?.id })
    const reply = yield* talk.get(`/v1/refunds?${query}`, body => pageOf(body, readRefund))
    if (reply.is !== 'answer') return failedQuestion(reply)
    all.push(...reply.answer.all)
    if (!reply.answer.hasMore) return all
  }
  return unknown('the payment has too many refunds')
}

function* disputesOf(talk: Talk, intent: string): Conversation<string[] | Nothing> {
  const reply = yield* talk.get(`/v1/disputes?${formEncoded({ payment_intent: intent, limit: PAGE })}`, body =>
    readList(body, readDisputeId),
  )
  return reply.is === 'answer' ? reply.answer : failedQuestion(reply)
}

function pageOf<T>(body: unknown, read: (one: unknown) => T | null): { all: T[]; hasMore: boolean } | null {
  const all = readList(body, read)
  return all && isRecord(body) ? { all, hasMore: body.has_more === true && all.length > 0 } : null
}

/**
 * A payment that is charged at once has none of these events, unless its money is given back: the list is short.
 * Stripe takes 20 types at most.
 */
const listedTypes = [
  ...['charge.captured', 'charge.refunded', 'charge.expired', 'payment_intent.amount_capturable_updated', 'payment_intent.canceled'],
  ...['refund.failed', 'charge.dispute.created', 'charge.dispute.updated', 'charge.dispute.closed'],
]

const secondOf = (time: string): number => Math.floor(Date.parse(time) / 1000)

/**
 * The latest first. What concerns an operation of ours is left out, unless it says how it ended: each of them is asked
 * about in its turn.
 */
export function* listChanges({ since, until, page }: ChangesQuestion, account: Account): Conversation<ChangesRead> {
  const query = formEncoded({
    types: listedTypes,
    created: { gte: secondOf(since), lte: secondOf(until) + 1 },
    limit: PAGE,
    starting_after: page ?? undefined,
  })
  const reply = yield* openTalk(account).get(`/v1/events?${query}`, body => pageOf(body, readEvent))
  if (reply.is !== 'answer') return failedQuestion(reply)
  const { all, hasMore } = reply.answer
  const updates = all.flatMap(updatesOf).filter(update => update.is !== 'outcome' || update.outcome !== 'ask')
  return { is: 'changes', updates: latestOf(updates), next: hasMore ? all.at(-1)!.id : null }
}

/** A payment's latest totals count, and a dispute is asked about once. */
function latestOf(updates: readonly WebhookUpdate[]): WebhookUpdate[] {
  const seen = new Set<string>()
  return updates.filter(update => {
    const hasMovements = update.is === 'payment' && update.report !== 'ask' && update.report.movements.length > 0
    if (update.is === 'outcome' || update.is === 'report' || hasMovements) return true
    const name = JSON.stringify(update.is === 'dispute' ? update.dispute === 'ask' && update.reference : update.of)
    return !seen.has(name) && seen.add(name)
  })
}
