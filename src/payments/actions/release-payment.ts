import { refuse } from '../../base/refusal.ts'
import type { Operation } from '../../operations/operation.ts'
import type { Call } from '../../operations/verb.ts'
import { needVerb, performAlone } from '../authorization/open-authorization.ts'
import { checkAmountNames, needStatus } from '../check.ts'
import type { Payment } from '../payment.ts'
import { type ReleaseAsk, releaseShape } from '../request-shapes.ts'

/**
 * Releases the rest of a partly captured hold: a void at the processor, which returns no captured money. Until the
 * processor confirms, the status stays (`state_metadata.release` shows the progress), and nothing more can be captured;
 * a decline leaves the rest held.
 */
export async function releasePayment(call: Call, payment_id: string, ask: ReleaseAsk): Promise<Payment> {
  checkAmountNames(ask, releaseShape.properties, 'a release always releases the full uncaptured amount; capture what you need first')
  return performAlone(call, payment_id, 'void', 'release_sent', before => {
    checkRelease(before)
    const { amount_capturable: amount, adjustments } = before
    const columns = ({ n, began }: Operation): Partial<Payment> => {
      const release = { n, amount, status: 'pending', connector_reference_id: null, description: null, updated_at: began } as const
      return { adjustments: { ...adjustments, releases: [...(adjustments?.releases ?? []), release] } }
    }
    return { amount, columns }
  })
}

/** Refuses (IR_16, IR_20, HE_00) a payment that has no rest to release. */
export function checkRelease(payment: Payment): void {
  if (payment.amount_capturing > 0) refuse('busy')
  needStatus(payment, 'release', 'release the rest of')
  needVerb(payment, 'void')
  if (payment.alone !== null) refuse('busy')
}
