import type { Outcome } from '../connector.ts'
import { declinedWith, unknown } from '../kit/parse-reply.ts'
import type { Collection } from './replies.ts'

/** The outcomes of 54Pay's collections. Pure. */

export function outcomeOf({ transactionReference, reference, means, code, message, money, url }: Collection, request_id: string): Outcome {
  if (transactionReference !== request_id) return unknown('the response is for another collection')
  if (means === 'waiting')
    return { is: 'waiting', reference: reference ?? request_id, ...(url !== null && { next_action: { type: 'redirect_to_url', url } }) }
  if (means !== 'done') return declinedWith(means, code, message, reference ?? request_id)
  if (money === null) return unknown('collected, but the amount is missing')
  return { is: 'done', reference: reference ?? request_id, request_id, amount: money, captured: money, facts: {} }
}
