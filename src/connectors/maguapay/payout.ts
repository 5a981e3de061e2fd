import type { Account, Conversation, PayoutRequest } from '../connector.ts'
import { declinedWith, failedOutcome, unknown } from '../kit/parse-reply.ts'
import { accountMember, callbackMember, cardMembers, cardUrlOf, parseOrder, post } from './api.ts'
import { asPaidOut, outcomeOf } from './outcomes.ts'
import { check } from './sync.ts'

/** Sends a payout. It is an order, found by our request id like others. */
export function* payout(ask: PayoutRequest, account: Account): Conversation {
  const { request_id, money, recipient } = ask
  if (recipient.is !== 'card') return declinedWith('not_supported', '', 'This connector supports payouts to cards only.')
  const request = post(`${cardUrlOf(account)}/withdrawal/init`, account, {
    ...accountMember(account),
    order_id: request_id,
    amount: money.amount,
    currency: money.currency,
    purpose: ask.description ?? ask.merchant_name,
    ...cardMembers({ ...recipient, cvc: null }),
    ...callbackMember(account),
  })
  const reply = parseOrder(yield request, money.currency, account, [recipient.number])
  if (reply.is !== 'answer') return failedOutcome(reply)
  if (reply.answer.order_id !== request_id) return unknown('the response is for another order')
  return asPaidOut(outcomeOf(reply.answer) ?? (yield* check({ request_id, money }, account)))
}
