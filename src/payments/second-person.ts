import type { Call } from '../operations/verb.ts'
import { checkOperatorRefund, checkSecondPerson } from '../users/second-person.ts'
import type { Payment } from './payment.ts'

/**
 * Has a person ask a second one where they give back more of a payment than the merchant lets one alone. What was
 * refunded before counts, so parts are no way around it. Refuses (IR_22) what is above an operator's own limit.
 */
export function needSecondPersonToReturn({ merchant, person }: Call, payment: Payment, amount: number): void {
  const { payment_id: subject_id, profile_id, currency, amount_refunded, amount_refunding } = payment
  const total = amount_refunded + amount_refunding + amount
  checkOperatorRefund(merchant, person?.role, { currency, total })
  checkSecondPerson({ merchant, person }, { subject_kind: 'payment', subject_id, profile_id, currency, amount, total })
}
