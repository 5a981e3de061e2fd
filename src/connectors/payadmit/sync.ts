import { later } from '../../base/time.ts'
import type { Account, Conversation, Outcome, SyncRequest, Verb } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { failedLookup, failedQuestion, parseReply, readerOf, unknown } from '../kit/parse-reply.ts'
import { get, paymentReply } from './api.ts'
import { outcomeOf } from './outcomes.ts'
import { isOf, type PayadmitPaymentType, readList, readPayment, readRefused } from './replies.ts'

const kindOf: Partial<Record<Verb, PayadmitPaymentType>> = { authorize: 'DEPOSIT', refund: 'REFUND', payout: 'WITHDRAWAL' }

export function* sync(ask: SyncRequest, account: Account): Conversation {
  const kind = kindOf[ask.verb]
  if (ask.reference === null) return yield* search(ask, kind, account)
  const request = get(account, `/payments/${encodeURIComponent(ask.reference)}`)
  const reply = parseReply(yield request, [credentialOf(account)], paymentReply)
  if (reply.is !== 'answer') return failedLookup(reply)
  return reply.answer.id === ask.reference ? outcomeOf(reply.answer, kind) : unknown('the response is for another payment')
}

/** So many are listed at once, and so often. More of them about one moment are not looked through. */
const PAGE = 1000
const PAGES = 3
const MINUTE_MS = 60_000
/**
 * About when it must have been made, by their clock: a request may be long on its way. And when at all: their clock
 * may be wrong, or go by another zone.
 */
const NEAR = [-5 * MINUTE_MS, 10 * MINUTE_MS] as const
const FAR = [-26 * 60 * MINUTE_MS, 26 * 60 * MINUTE_MS] as const

/**
 * Looks for our request id among all that was made about then. That it is not there is a no only where a day around
 * it was seen whole; without a time to look about, never.
 */
function* search({ request_id, began }: SyncRequest, kind: PayadmitPaymentType | undefined, account: Account): Conversation {
  if (began === undefined) return (yield* among('', request_id, kind, account)) ?? unknown('the payment is not among the latest')
  for (const [from, until] of [NEAR, FAR]) {
    const about = `&created.gte=${later(began, from)}&created.lt=${later(began, until)}`
    const outcome = yield* among(about, request_id, kind, account)
    if (outcome !== null) return outcome
  }
  return { is: 'not_found' }
}

const listReply = readerOf(readList, readRefused)

/** Looks through a list; null if all of it was seen, and nothing found. */
function* among(about: string, request_id: string, kind: PayadmitPaymentType | undefined, account: Account): Conversation<Outcome | null> {
  for (let page = 0; page < PAGES; page++) {
    const request = get(account, `/payments?limit=${PAGE}&offset=${page * PAGE}${about}`)
    const reply = parseReply(yield request, [credentialOf(account)], listReply)
    if (reply.is !== 'answer') return failedQuestion(reply)
    const found = reply.answer.find(item => isOf(item, request_id))
    if (found !== undefined) {
      const payment = readPayment(found)
      return payment ? outcomeOf(payment, kind) : unknown('the listed payment is not valid')
    }
    if (reply.answer.length < PAGE) return null
  }
  return unknown('too many payments were created around that time')
}
