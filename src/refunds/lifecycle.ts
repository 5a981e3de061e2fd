import { moves, type StateOf } from '../base/lifecycle.ts'

/**
 * A refund's lifecycle. `failed_later`: a processor's yes to a refund is not its last word, the card's bank may send
 * the money back days after it. `review`: the processor's answer contradicts what was asked, or never came: a person
 * must look.
 */
export const refundLifecycle = moves({
  pending: { refunded: 'succeeded', refund_declined: 'failed', contradicted: 'review', unresolved: 'review' },
  succeeded: { failed_later: 'failed' },
  failed: { refunded_late: 'succeeded', contradicted: 'review' },
  review: { refunded: 'succeeded', refund_declined: 'failed' },
})
export type RefundStatus = StateOf<typeof refundLifecycle>

/**
 * What a refund's status says to merchants, and under which type of event they hear of it; null: it is not announced.
 * `called`: what existing clients call it where they name it.
 */
type Says = { means: string; so: string; announced: string | null; called?: string }
export const refundStatuses: Readonly<Record<RefundStatus, Says>> = {
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
