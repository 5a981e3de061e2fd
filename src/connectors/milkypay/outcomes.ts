import type { Outcome } from '../connector.ts'
import { declinedWith } from '../kit/parse-reply.ts'
import type { Invoice } from './replies.ts'

/** The outcomes of MilkyPay's invoices. Pure. */

export function outcomeOf({ id, reference_id, status, money, url, message }: Invoice): Outcome {
  switch (status) {
    case 'created':
      return { is: 'not_found', reference: id }
    case 'process_pending':
      return { is: 'waiting', reference: id, ...(url !== null && { next_action: { type: 'redirect_to_url', url } }) }
    case 'processed':
      return { is: 'done', reference: id, request_id: reference_id, amount: money, captured: money, facts: {} }
    case 'process_failed':
      return declinedWith('card_declined', status, message, id)
  }
}

/** Returns the outcome of a payout. An invoice that is created and not yet processed is on its way. */
export function paidOutOf(invoice: Invoice): Outcome {
  const outcome = outcomeOf(invoice)
  if (outcome.is === 'done') return { ...outcome, captured: null }
  if (outcome.is === 'declined') return { ...outcome, code: 'operation_declined' }
  return { is: 'waiting', reference: invoice.id }
}
