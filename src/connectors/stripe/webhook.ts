import type { WebhookUpdate } from '../connector.ts'
import { signedIn } from '../kit/signature.ts'
import { REQUEST_ID, requestsIn } from './common.ts'
import { readDisputeEvent } from './disputes.ts'
import { refundedOutcome } from './outcomes.ts'
import { readEvent } from './replies.ts'

export const verifyWebhook = signedIn('stripe-signature')

/**
 * Reads an event. Events come in any order and may be out of date when they are read, so they only cause a query. A
 * failed refund has failed for good.
 */
export function readWebhook(raw: Buffer): WebhookUpdate[] {
  const dispute = readDisputeEvent(raw)
  if (dispute !== null) return [{ is: 'dispute', dispute: 'ask', reference: dispute }]
  const object = readEvent(raw)
  const request_id = object?.metadata[REQUEST_ID]
  if (!object || request_id === undefined) return []
  if ('failure_reason' in object) {
    const outcome = refundedOutcome(object)
    return [{ is: 'outcome', of: [{ request_id }], outcome: outcome.is === 'declined' ? outcome : 'ask' }]
  }
  return [request_id, ...requestsIn(object.metadata)].map(request_id => ({ is: 'outcome', of: [{ request_id }], outcome: 'ask' }))
}
