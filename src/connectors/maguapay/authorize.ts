import type { Account, AuthorizeRequest, Conversation } from '../connector.ts'
import { failedOutcome, unknown, without } from '../kit/parse-reply.ts'
import { codesOf } from '../kit/secrets.ts'
import { accountMember, callbackMember, cardMembers, cardUrlOf, parseOrder, post } from './api.ts'
import { outcomeOf } from './outcomes.ts'
import { check } from './sync.ts'

export function* authorize(ask: AuthorizeRequest<'card' | 'card_redirect'>, account: Account): Conversation {
  const { request_id, money, return_url, instrument } = ask
  const card = instrument.is === 'card' ? instrument : null
  const request = post(card ? `${cardUrlOf(account)}/initPaymentHost2Host` : `${account.base_url}/initPayment`, account, {
    ...accountMember(account),
    order_id: request_id,
    amount: money.amount,
    currency: money.currency,
    recurrent: false,
    purpose: ask.statement_descriptor ?? ask.merchant_name,
    ...(card && cardMembers(card)),
    success_url: return_url,
    fail_url: return_url,
    ...callbackMember(account),
  })
  const reply = parseOrder(yield request, money.currency, account, card ? [card.number] : [])
  if (reply.is !== 'answer') return without(failedOutcome(reply), codesOf(ask.instrument))
  const result = reply.answer.order_id !== request_id ? unknown('the response is for another order') : outcomeOf(reply.answer)
  // The payment was decided, but the response has no amount: the order is retrieved.
  const outcome = result === null ? yield* check({ request_id, money }, account) : result
  return without(outcome, codesOf(ask.instrument))
}
