import { later, MINUTE_MS } from '../../base/time.ts'
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

/**
 * The number of payments in one list, and the number of lists for one time range. Payments beyond them are not
 * searched.
 */
const PAGE = 1000
const PAGES = 3
/**
 * Two time ranges in which a payment was created by PayAdmit's clock: the near one allows for a request that was long
 * on its way, the far one also for a clock that is wrong or in another time zone.
 */
const NEAR = [-5 * MINUTE_MS, 10 * MINUTE_MS] as const
const FAR = [-26 * 60 * MINUTE_MS, 26 * 60 * MINUTE_MS] as const

/**
 * Searches for our request id in the lists of payments from about that time. A payment that is missing is "not found"
 * only if the lists of a whole day around it were complete; without a time to search around, never.
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

/** Searches a list; null if the whole list was searched and the payment is not in it. */
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
