import type { Money } from '../../base/money.ts'
import type { Outcome } from '../connector.ts'
import { unknown } from '../kit/parse-reply.ts'
import { plainText } from '../kit/text.ts'
import type { AdyenPayment, AdyenRefusal } from './replies.ts'

/** Converts Adyen's payments and refusals to outcomes. Pure. */

/**
 * Returns the outcome of a payment. Amount and reference are as Adyen echoed them; the caller compares them. A full
 * approval without an amount means the requested amount.
 */
export function outcomeOf({ result, reference, request_id, amount, refusal, action, facts }: AdyenPayment, asked: Money): Outcome {
  switch (result) {
    case 'yes':
    case 'a part': {
      const approved = amount ?? (result === 'yes' ? asked : null)
      if (approved === null) return { ...unknown('partially approved, but the amount is missing'), reference: reference! }
      return { is: 'done', reference: reference!, request_id, amount: approved, captured: 'as asked', facts }
    }
    case 'no':
      return { ...declinedOf(refusal!), reference, facts }
    case 'later':
    case 'act':
      return { is: 'waiting', reference, ...(action && { next_action: action }) }
  }
}

export const declinedOf = ({ message, ...refusal }: AdyenRefusal) => ({ is: 'declined', ...refusal, message: plainText(message) }) as const
