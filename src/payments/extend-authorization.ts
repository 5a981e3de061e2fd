import { refuse } from '../base/refusal.ts'
import { begun } from '../operations/open.ts'
import { perform } from '../operations/perform.ts'
import type { Call } from '../operations/verb.ts'
import { needVerb, openOn } from './authorize.ts'
import { refuseStatus } from './check.ts'
import { welcomes } from './lifecycle.ts'
import type { Payment } from './payment.ts'
import { begin } from './plan.ts'

/**
 * Has a hold last longer, as was foreseen when the payment was made (`request_extended_authorization`); `capture_before` says until when. Refuses (IR_16) another status, and a payment of which this was not asked; (IR_20) a
 * processor that does not do it.
 */
export async function extendAuthorization(call: Call, payment_id: string): Promise<Payment> {
  const { world } = call
  const { payment, plan } = await begin(call, payment_id, before => {
    if (!welcomes.extend_authorization.includes(before.status))
      refuseStatus(before, 'extend the authorization of', welcomes.extend_authorization)
    needVerb(before, 'extend')
    if (before.asked.request_extended_authorization !== true)
      refuse('precondition', { words: 'This payment cannot be extended: it was made without request_extended_authorization' })
    if (before.alone !== null) refuse('busy')
    const operation = openOn(world, before, { verb: 'extend', amount: before.amount_capturable })
    const after: Payment = {
      ...before,
      alone: operation.n,
      operation_count: operation.n,
      last_error: null,
      modified_at: operation.began,
    }
    const event = { type: 'extend_sent', announces: null }
    return { operation, change: { head: 'payments', before, after, rows: [begun(operation)], event, by: world.by } }
  })
  return perform(call, payment, plan.operation)
}
