import Type from 'typebox'
import { passesLuhn } from '../base/card-number.ts'
import { refuse } from '../base/refusal.ts'

export const networkTransactionId = Type.String({
  maxLength: 64,
  pattern: '^[A-Za-z0-9]{8,64}$',
  description: "The network's id of the payment in which the cardholder agreed",
})

/**
 * The id is stored in clear, so one that can only be a card number is refused. Visa's ids have 15 digits, and so have
 * only card numbers of American Express (34, 37).
 */
export function checkTransactionId(field: string, id: string): void {
  if (/^(?:\d{8,14}|\d{16,19}|3[47]\d{13})$/.test(id) && passesLuhn(id))
    refuse('unreadable', { field, problem: 'looks like a card number' })
}
