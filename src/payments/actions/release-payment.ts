import { refuse } from '../../base/refusal.ts'
import { operationRow } from '../../operations/open.ts'
import { perform } from '../../operations/perform.ts'
import type { Call } from '../../operations/verb.ts'
import { needVerb, openOn } from '../authorization/open-authorization.ts'
import { begin, moved } from '../begin-on-payment.ts'
import { checkAmountNames, refuseStatus } from '../check.ts'
import { allowedStatuses } from '../lifecycle.ts'
import type { Payment } from '../payment.ts'
import { type ReleaseAsk, releaseShape } from '../request-shapes.ts'

/**
 * Releases the rest of a partly captured hold: a void at the processor, which returns no captured money. Until the
 * processor confirms, the status stays (`state_metadata.release` shows the progress), and nothing more can be captured;
 * a decline leaves the rest held.
 */
export async function releasePayment(call: Call, payment_id: string, ask: ReleaseAsk): Promise<Payment> {
  const { context } = call
  checkAmountNames(ask, releaseShape.properties, 'a release always releases the full uncaptured amount; capture what you need first')
  const { payment, plan } = await begin(call, payment_id, before => {
    checkRelease(before)
    const { amount_capturable: amount, adjustments } = before
    const operation = openOn(context, before, { verb: 'void', amount })
    const { n, began } = operation
    const release = { n, amount, status: 'pending', connector_reference_id: null, description: null, updated_at: began } as const
    const after: Payment = {
      ...before,
      alone: n,
      adjustments: { ...adjustments, releases: [...(adjustments?.releases ?? []), release] },
      operation_count: n,
      last_error: null,
      modified_at: began,
    }
    return { operation, change: moved(context, before, after, 'release_sent', { rows: [operationRow(operation)] }) }
  })
  return perform(call, payment, plan.operation)
}

/** Refuses (IR_16, IR_20, HE_00) a payment that has no rest to release. */
export function checkRelease(payment: Payment): void {
  if (payment.amount_capturing > 0) refuse('busy')
  if (!allowedStatuses.release.includes(payment.status)) refuseStatus(payment, 'release the rest of', allowedStatuses.release)
  needVerb(payment, 'void')
  if (payment.alone !== null) refuse('busy')
}
