import Type from 'typebox'
import { passesLuhn } from '../base/card-number.ts'
import { refuse } from '../base/refusal.ts'

export const networkTransactionId = Type.String({
  maxLength: 64,
  pattern: '^[A-Za-z0-9]{8,64}$',
  description: "The network's id of the payment in which the cardholder agreed",
})

/** Stored in clear, so no card number may pass. Of 15 digits, as Visa's ids, are only Amex's cards (34, 37). */
export function checkTransactionId(field: string, id: string): void {
  if (/^(?:\d{8,14}|\d{16,19}|3[47]\d{13})$/.test(id) && passesLuhn(id))
    refuse('unreadable', { field, problem: 'looks like a card number' })
}
