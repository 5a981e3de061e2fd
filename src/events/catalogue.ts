import type { EventType } from '../base/event-types.ts'

/**
 * The event types that merchants can receive: each with its name for existing clients (contract 7.1), its dotted name,
 * its class, and the object that its payload contains. Webhooks, filters and the documentation are derived from this
 * table; a test compares it with the events that the lifecycles announce.
 */
export const classes = {
  payments: 'payment_details',
  refunds: 'refund_details',
  payouts: 'payout_details',
  disputes: 'dispute_details',
  mandates: 'mandate_details',
  webhooks: 'webhook_endpoint_details',
} as const
export type EventClass = keyof typeof classes

export const eventCatalogue = {
  payment_succeeded: { dotted: 'payment.succeeded', of: 'payments', means: 'The full amount was captured' },
  payment_failed: { dotted: 'payment.failed', of: 'payments', means: 'The payment was declined, or never reached a processor' },
  payment_processing: { dotted: 'payment.processing', of: 'payments', means: 'The processor has not reported a final result' },
  payment_cancelled: { dotted: 'payment.cancelled', of: 'payments', means: 'The payment was cancelled before capture' },
  payment_cancelled_post_capture: {
    dotted: 'payment.cancelled_post_capture',
    of: 'payments',
    means: 'The payment was cancelled after capture',
  },
  payment_authorized: { dotted: 'payment.authorized', of: 'payments', means: 'The amount is authorized' },
  payment_partially_authorized: { dotted: 'payment.partially_authorized', of: 'payments', means: 'A part of the amount is authorized' },
  payment_captured: { dotted: 'payment.captured', of: 'payments', means: 'A part of the amount was captured' },
  payment_expired: { dotted: 'payment.expired', of: 'payments', means: 'The authorization has expired' },
  action_required: {
    dotted: 'payment.action_required',
    of: 'payments',
    means:
      'The customer or the merchant must act. With an unchanged status: an earlier attempt was approved after all, and its money was returned; see `attempts` (`auto_refunded`, `voided`)',
  },
  refund_succeeded: {
    dotted: 'refund.succeeded',
    of: 'refunds',
    means: 'The refund was accepted; the money is on its way to the customer',
  },
  refund_failed: { dotted: 'refund.failed', of: 'refunds', means: 'The refund was declined' },
  payout_initiated: { dotted: 'payout.initiated', of: 'payouts', means: 'The processor has accepted the payout; the money is on its way' },
  payout_success: { dotted: 'payout.success', of: 'payouts', means: 'The payout was paid' },
  payout_failed: {
    dotted: 'payout.failed',
    of: 'payouts',
    means:
      'The payout was declined, or never reached a processor; no money was sent. With `error_code` not_received, the request can still arrive there late: payout_success then follows',
  },
  payout_cancelled: { dotted: 'payout.cancelled', of: 'payouts', means: 'The payout was cancelled before it was paid' },
  payout_expired: { dotted: 'payout.expired', of: 'payouts', means: 'The payout was not confirmed or not claimed in time' },
  payout_reversed: { dotted: 'payout.reversed', of: 'payouts', means: 'The payout was paid, and the money was returned' },
  payout_processing: {
    dotted: 'payout.processing',
    of: 'payouts',
    means:
      'With an unchanged status: requires manual review. The processor’s responses are contradictory, or it has not reported the result within seven days (`error_code`)',
  },
  dispute_opened: {
    dotted: 'dispute.opened',
    of: 'disputes',
    means: 'A customer disputed a payment at their bank, or the dispute reached its next stage',
  },
  dispute_challenged: { dotted: 'dispute.challenged', of: 'disputes', means: 'Evidence was submitted' },
  dispute_challenge_due: {
    dotted: 'dispute.challenge_due',
    of: 'disputes',
    means: 'The dispute awaits a response and `challenge_required_by` is near: sent three days and one day before',
  },
  dispute_won: { dotted: 'dispute.won', of: 'disputes', means: 'The bank decided for the merchant' },
  dispute_lost: { dotted: 'dispute.lost', of: 'disputes', means: 'The bank decided for the customer' },
  dispute_accepted: { dotted: 'dispute.accepted', of: 'disputes', means: 'The merchant accepted the dispute' },
  dispute_cancelled: { dotted: 'dispute.cancelled', of: 'disputes', means: 'The customer or the bank withdrew the dispute' },
  dispute_expired: { dotted: 'dispute.expired', of: 'disputes', means: 'The dispute was not answered in time' },
  mandate_active: { dotted: 'mandate.active', of: 'mandates', means: 'The customer can be charged off-session' },
  mandate_revoked: { dotted: 'mandate.revoked', of: 'mandates', means: 'The mandate was revoked, or its single charge was made' },
  webhook_endpoint_failing: {
    dotted: 'webhook_endpoint.failing',
    of: 'webhooks',
    means: 'Deliveries to an endpoint have failed for three days; after five, it is disabled',
  },
  webhook_endpoint_disabled: {
    dotted: 'webhook_endpoint.disabled',
    of: 'webhooks',
    means: 'An endpoint receives no events until it is enabled again',
  },
  webhook_test: { dotted: 'webhook.test', of: 'webhooks', means: 'A test event, sent on request' },
} as const satisfies Record<EventType, { dotted: string; of: EventClass; means: string }>
export type { EventType }

const byName = new Map<string, EventType>(
  Object.entries(eventCatalogue).flatMap(([name, { dotted }]) => [
    [name, name as EventType],
    [dotted, name as EventType],
  ]),
)

export const typeNamed = (name: string): EventType | undefined => byName.get(name)
export const isEventType = (name: string): boolean => byName.has(name)
