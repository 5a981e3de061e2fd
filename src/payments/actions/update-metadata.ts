import { checkMetadata } from '../../base/metadata.ts'
import { refuse } from '../../base/refusal.ts'
import type { Call } from '../../operations/verb.ts'
import { needStatus } from '../check.ts'
import type { Payment } from '../payment.ts'
import type { UpdateMetadataAsk } from '../request-shapes.ts'
import { changePayment, moved } from '../rows.ts'

/** Adds to a payment's metadata; other keys stay (contract 3.17). Refuses (IR_06) metadata beyond the limits. */
export async function updateMetadata(call: Call, payment_id: string, ask: UpdateMetadataAsk): Promise<Payment> {
  if (Object.keys(ask.metadata).length === 0) refuse('unacceptable', { field: 'metadata', problem: 'must not be empty' })
  const { context } = call
  const { payment } = await changePayment(call, payment_id, before => {
    checkAnnotatable(before)
    const metadata = { ...before.request.metadata, ...ask.metadata }
    checkMetadata('metadata', metadata)
    const request = { ...before.request, metadata, ...(ask.feature_metadata && { feature_metadata: ask.feature_metadata }) }
    const after: Payment = { ...before, request, modified_at: context.now() }
    return { change: moved(context, before, after, 'metadata_updated') }
  })
  return payment
}

/** Refuses (IR_16) a status that allows no change of metadata. */
export function checkAnnotatable(payment: Payment): void {
  needStatus(payment, 'update_metadata', 'update the metadata of')
}
