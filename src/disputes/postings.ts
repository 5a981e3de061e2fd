import type { Posting } from '../context.ts'
import type { Dispute } from './dispute.ts'

/** For withdrawn or returned money. No request moved it: `request_id` is the processor's id of the dispute. */
export function postingOf(dispute: Dispute, withdrawn: number, currency: string): Posting | undefined {
  if (withdrawn === 0) return undefined
  const { profile_id, merchant_connector_id, connector_dispute_id: request_id } = dispute
  return { request_id, profile_id, merchant_connector_id, currency, entries: { processor: -withdrawn, disputes: withdrawn } }
}
