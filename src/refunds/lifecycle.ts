import type { EventType } from '../base/event-types.ts'
import { moves, type StateOf } from '../base/lifecycle.ts'

/**
 * `failed_later`: a confirmation is not final, as the card's bank may return the money days later. `review`: the
 * processor's answer contradicts the request, or never arrived.
 */
export const refundLifecycle = moves({
  pending: { refunded: 'succeeded', refund_declined: 'failed', contradicted: 'review', unresolved: 'review' },
  succeeded: { failed_later: 'failed' },
  failed: { refunded_late: 'succeeded', contradicted: 'review' },
  review: { refunded: 'succeeded', refund_declined: 'failed' },
})
export type RefundStatus = StateOf<typeof refundLifecycle>

/** `eventType`: the event type for merchants, if any. `called`: the name that existing clients use for the status. */
type Definition = { description: string; nextStep: string; eventType: EventType | null; called?: string }
export const refundStatuses: Readonly<Record<RefundStatus, Definition>> = {
  pending: {
    description: 'The processor has not reported the result yet; the amount is reserved',
    nextStep: 'Wait, and never refund again',
    eventType: null,
  },
  succeeded: {
    description: 'The money is on its way to the customer',
    nextStep: 'Nothing',
    eventType: 'refund_succeeded',
    called: 'success',
  },
  failed: {
    description: 'Declined; the amount can be refunded again',
    nextStep: '`error_code` says why; try again with a new refund_id',
    eventType: 'refund_failed',
    called: 'failure',
  },
  review: {
    description: 'The processor’s response contradicts the request, or never arrived',
    nextStep: 'Check the refund at the processor',
    eventType: 'action_required',
  },
}
