import type { Call } from '../operations/verb.ts'
import { checkOperatorRefund, checkSecondPerson } from '../users/second-person.ts'
import type { Payment } from './payment.ts'

/**
 * Requires a second person's approval to return more than one person may; earlier refunds count, so parts do not avoid
 * the limit. Refuses (IR_22) an amount above an operator's own limit.
 */
export function needSecondPersonToReturn({ merchant, person }: Call, payment: Payment, amount: number): void {
  const { payment_id: subject_id, profile_id, currency, amount_refunded, amount_refunding } = payment
  const total = amount_refunded + amount_refunding + amount
  checkOperatorRefund(merchant, person?.role, { currency, total })
  checkSecondPerson({ merchant, person }, { subject_kind: 'payment', subject_id, profile_id, currency, amount, total })
}
