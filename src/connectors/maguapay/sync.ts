import type { Money } from '../../base/money.ts'
import type { Account, Conversation, SyncRequest } from '../connector.ts'
import { failedQuestion, unknown } from '../kit/parse-reply.ts'
import { parseOrder, post } from './api.ts'
import { asPaidOut, outcomeOf } from './outcomes.ts'

/** Looks up an order. A refund cannot be looked up, because it has no id. */
export function* sync({ verb, request_id, money, authorization }: SyncRequest, account: Account): Conversation {
  if (verb === 'authorize') return yield* check({ request_id, money }, account)
  if (verb === 'payout') return asPaidOut(yield* check({ request_id, money }, account))
  yield* check({ request_id: authorization?.request_id ?? request_id, money }, account)
  return unknown('the processor does not report the status of refunds')
}

export function* check({ request_id, money }: { request_id: string; money: Money }, account: Account): Conversation {
  const reply = parseOrder(yield post(`${account.base_url}/check`, account, { order_id: request_id }), money.currency, account)
  if (reply.is !== 'answer') return failedQuestion(reply)
  if (reply.answer.order_id !== request_id) return unknown('the response is for another order')
  return outcomeOf(reply.answer) ?? unknown('paid, but the amount is missing')
}
