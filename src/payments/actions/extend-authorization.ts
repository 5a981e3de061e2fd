import { refuse } from '../../base/refusal.ts'
import { operationRow } from '../../operations/open.ts'
import { perform } from '../../operations/perform.ts'
import type { Call } from '../../operations/verb.ts'
import { needVerb, openOn } from '../authorization/open-authorization.ts'
import { begin, moved } from '../begin-on-payment.ts'
import { refuseStatus } from '../check.ts'
import { allowedStatuses } from '../lifecycle.ts'
import type { Payment } from '../payment.ts'

/**
 * Extends a hold; `capture_before` shows until when, if the processor reports it. The processor decides: the extension
 * need not have been announced (`request_extended_authorization`).
 */
export async function extendAuthorization(call: Call, payment_id: string): Promise<Payment> {
  const { context } = call
  const { payment, plan } = await begin(call, payment_id, before => {
    checkExtend(before)
    const operation = openOn(context, before, { verb: 'extend', amount: before.amount_capturable })
    const after: Payment = {
      ...before,
      alone: operation.n,
      operation_count: operation.n,
      last_error: null,
      modified_at: operation.began,
    }
    return { operation, change: moved(context, before, after, 'extend_sent', { rows: [operationRow(operation)] }) }
  })
  return perform(call, payment, plan.operation)
}

/** Refuses (IR_16, IR_20, HE_00) a payment whose hold cannot be extended. */
export function checkExtend(payment: Payment): void {
  if (!allowedStatuses.extend_authorization.includes(payment.status))
    refuseStatus(payment, 'extend the authorization of', allowedStatuses.extend_authorization)
  needVerb(payment, 'extend')
  if (payment.alone !== null) refuse('busy')
}
