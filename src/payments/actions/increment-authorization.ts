import { randomAlphanumeric } from '../../base/id.ts'
import { refuse } from '../../base/refusal.ts'
import type { Operation } from '../../operations/operation.ts'
import type { Call } from '../../operations/verb.ts'
import type { Increment } from '../authorization/adjustments.ts'
import { incrementAllowed } from '../authorization/holds.ts'
import { needAmount, needVerb, performAlone } from '../authorization/open-authorization.ts'
import { needStatus } from '../check.ts'
import { netAmount } from '../net-amount.ts'
import type { Payment } from '../payment.ts'
import type { IncrementBody } from '../request-shapes.ts'

/**
 * Raises the held amount of a payment with `request_incremental_authorization`; `amount` is the new total. Until the
 * processor answers, the payment can be neither captured nor cancelled; a decline leaves the hold as it was.
 */
export const incrementAuthorization = (call: Call, payment_id: string, ask: IncrementBody): Promise<Payment> =>
  performAlone(call, payment_id, 'increment', 'increment_sent', before => {
    const increments = before.adjustments?.increments ?? []
    const incrementOf = ({ n }: Operation): Increment => ({
      authorization_id: `auth_${randomAlphanumeric(call.context, 20)}_${increments.length + 1}`,
      n,
      amount: ask.amount,
      previously_authorized_amount: before.amount,
      status: 'processing',
      error_code: null,
      error_message: null,
    })
    return {
      amount: checkIncrement(before, ask),
      columns: operation => ({ adjustments: { ...before.adjustments, increments: [...increments, incrementOf(operation)] } }),
    }
  })

/** Returns the total amount to hold. */
function checkIncrement(payment: Payment, { amount }: IncrementBody): number {
  checkAdjustable(payment)
  if (amount <= payment.amount)
    refuse('precondition', {
      problem: `amount is the new total amount: it must be greater than the current amount, ${payment.amount}`,
    })
  if (payment.alone !== null) refuse('busy')
  const total = payment.amount_authorized + netAmount(payment.request, amount) - payment.net_amount
  needAmount(payment, 'amount', total)
  return total
}

/** Refuses (IR_16, IR_20, HE_00) a payment whose authorization cannot be incremented by any amount. */
export function checkIncrementable(payment: Payment): void {
  checkAdjustable(payment)
  if (payment.alone !== null) refuse('busy')
}

function checkAdjustable(payment: Payment): void {
  needStatus(payment, 'incremental_authorization', 'increment the authorization of')
  needVerb(payment, 'increment')
  if (incrementAllowed(payment) !== true)
    refuse('precondition', { problem: 'This payment cannot be incremented: incremental_authorization_allowed is not true' })
}
