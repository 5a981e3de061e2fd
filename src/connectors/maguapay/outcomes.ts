import type { Outcome } from '../connector.ts'
import { declinedWith, unknown } from '../kit/parse-reply.ts'
import type { Order } from './replies.ts'

/** The outcomes of Magua Pay's orders. Pure. */

/** Returns the outcome of an order. Null: the order is paid, and the response has no amount. */
export function outcomeOf({ order_id, state, money, form_url, challenge, message }: Order): Outcome | null {
  switch (state) {
    case 'paid':
      return money && { is: 'done', reference: order_id, request_id: order_id, amount: money, captured: money, facts: {} }
    case 'refused':
      return declinedWith('card_declined', 'refused', message, order_id)
    case 'waiting':
      if (challenge) return { is: 'waiting', reference: order_id, next_action: { type: 'redirect_to_url', ...challenge } }
      return form_url === null
        ? unknown('the customer must act, but the URL is missing')
        : { is: 'waiting', reference: order_id, next_action: { type: 'redirect_to_url', url: form_url } }
    case 'processing':
      return { is: 'waiting', reference: order_id }
  }
}

/** Adapts the outcome of an order to a payout: the recipient is not redirected, and nothing is captured. */
export function asPaidOut(outcome: Outcome): Outcome {
  if (outcome.is === 'done') return { ...outcome, captured: null }
  if (outcome.is === 'declined') return { ...outcome, code: 'operation_declined' }
  return outcome.is === 'waiting' ? { is: 'waiting', reference: outcome.reference } : outcome
}
