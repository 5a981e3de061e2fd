import { randomAlphanumeric } from '../../base/id.ts'
import { refuse } from '../../base/refusal.ts'
import { operationRow } from '../../operations/open.ts'
import { perform } from '../../operations/perform.ts'
import type { Call } from '../../operations/verb.ts'
import type { Increment } from '../authorization/adjustments.ts'
import { incrementAllowed } from '../authorization/holds.ts'
import { needAmount, needVerb, openOn } from '../authorization/open-authorization.ts'
import { begin, moved } from '../begin-on-payment.ts'
import { refuseStatus } from '../check.ts'
import { allowedStatuses } from '../lifecycle.ts'
import { netAmount } from '../net-amount.ts'
import type { Payment } from '../payment.ts'
import type { IncrementBody } from '../request-shapes.ts'

/**
 * Raises the held amount of a payment with `request_incremental_authorization`; `amount` is the new total. Until the
 * processor answers, the payment can be neither captured nor cancelled; a decline leaves the hold as it was.
 */
export async function incrementAuthorization(call: Call, payment_id: string, ask: IncrementBody): Promise<Payment> {
  const { context } = call
  const { payment, plan } = await begin(call, payment_id, before => {
    const total = checkIncrement(before, ask)
    const operation = openOn(context, before, { verb: 'increment', amount: total })
    const increments = before.adjustments?.increments ?? []
    const asked: Increment = {
      authorization_id: `auth_${randomAlphanumeric(context, 20)}_${increments.length + 1}`,
      n: operation.n,
      amount: ask.amount,
      previously_authorized_amount: before.amount,
      status: 'processing',
      error_code: null,
      error_message: null,
    }
    const after: Payment = {
      ...before,
      alone: operation.n,
      adjustments: { ...before.adjustments, increments: [...increments, asked] },
      operation_count: operation.n,
      last_error: null,
      modified_at: operation.began,
    }
    return { operation, change: moved(context, before, after, 'increment_sent', { rows: [operationRow(operation)] }) }
  })
  return perform(call, payment, plan.operation)
}

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
  if (!allowedStatuses.incremental_authorization.includes(payment.status))
    refuseStatus(payment, 'increment the authorization of', allowedStatuses.incremental_authorization)
  needVerb(payment, 'increment')
  if (incrementAllowed(payment) !== true)
    refuse('precondition', { problem: 'This payment cannot be incremented: incremental_authorization_allowed is not true' })
}
