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

/** `announced`: the event type for merchants, if any. `called`: the name that existing clients use for the status. */
type Definition = { means: string; so: string; announced: EventType | null; called?: string }
export const refundStatuses: Readonly<Record<RefundStatus, Definition>> = {
  pending: {
    means: 'The processor has not reported the result yet; the amount is reserved',
    so: 'Wait, and never refund again',
    announced: null,
  },
  succeeded: { means: 'The money is on its way to the customer', so: 'Nothing', announced: 'refund_succeeded', called: 'success' },
  failed: {
    means: 'Declined; the amount can be refunded again',
    so: '`error_code` says why; try again with a new refund_id',
    announced: 'refund_failed',
    called: 'failure',
  },
  review: {
    means: 'The processor’s response contradicts the request, or never arrived',
    so: 'Check the refund at the processor',
    announced: 'action_required',
  },
}
