import type { Account, Conversation, RefundRequest } from '../connector.ts'
import { declinedWith, failedOutcome, unknown } from '../kit/parse-reply.ts'
import { callbackMember, parseOrder, post } from './api.ts'

export function* refund({ authorization, money, reason }: RefundRequest, account: Account): Conversation {
  const { request_id: order_id } = authorization
  const request = post(`${account.base_url}/refund`, account, {
    order_id,
    amount: money.amount,
    ...(reason !== null && { reason }),
    ...callbackMember(account),
  })
  const reply = parseOrder(yield request, money.currency, account)
  if (reply.is !== 'answer') return failedOutcome(reply)
  const { answer } = reply
  if (answer.order_id !== order_id) return unknown('the response is for another order')
  if (answer.state === 'paid' && answer.money)
    return { is: 'done', reference: order_id, request_id: null, amount: answer.money, captured: null, facts: {} }
  if (answer.state === 'refused') return declinedWith('operation_declined', 'refused', answer.message)
  return unknown('the response does not confirm the refund')
}
