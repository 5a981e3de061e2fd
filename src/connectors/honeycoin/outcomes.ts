import type { Outcome } from '../connector.ts'
import { declinedWith } from '../kit/parse-reply.ts'
import type { HoneycoinTransaction } from './replies.ts'

/** The outcomes of HoneyCoin's transactions. Pure. */

export function outcomeOf(
  { transactionId, externalReference, state, status, money, url, message }: HoneycoinTransaction,
  verb: 'authorize' | 'payout',
): Outcome {
  switch (state) {
    case 'done':
      return {
        is: 'done',
        reference: transactionId,
        request_id: externalReference,
        amount: money,
        captured: verb === 'authorize' ? money : null,
        facts: {},
      }
    case 'waiting':
      return { is: 'waiting', reference: transactionId, ...(url !== null && { next_action: { type: 'redirect_to_url', url } }) }
    case 'failed':
      return declinedWith(verb === 'authorize' ? 'card_declined' : 'operation_declined', status, message, transactionId)
  }
}
