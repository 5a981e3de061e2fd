import type { Posting } from '../context.ts'
import type { Dispute } from './dispute.ts'

/**
 * The posting for withdrawn or returned money. Its `request_id` is the processor's id of the dispute: no request moved
 * it.
 */
export function postingOf(dispute: Dispute, withdrawn: number, currency: string): Posting | undefined {
  if (withdrawn === 0) return undefined
  const { profile_id, merchant_connector_id, connector_dispute_id: request_id } = dispute
  return { request_id, profile_id, merchant_connector_id, currency, entries: { processor: -withdrawn, disputes: withdrawn } }
}
