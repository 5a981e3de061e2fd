/**
 * Every type of event that merchants hear of: its name as existing clients know it (contract 7.1), its dotted name,
 * its class, and what of it is sent. Webhooks, filters and the documentation are read off this table; a test holds it
 * against what the lifecycles announce.
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
  payment_succeeded: { dotted: 'payment.succeeded', of: 'payments', means: 'All of it was captured' },
  payment_failed: { dotted: 'payment.failed', of: 'payments', means: 'It was refused, or never reached a processor' },
  payment_processing: { dotted: 'payment.processing', of: 'payments', means: 'The processor has not answered for good' },
  payment_cancelled: { dotted: 'payment.cancelled', of: 'payments', means: 'It was cancelled before any capture' },
  payment_cancelled_post_capture: { dotted: 'payment.cancelled_post_capture', of: 'payments', means: 'It was voided after its capture' },
  payment_authorized: { dotted: 'payment.authorized', of: 'payments', means: 'The money is held' },
  payment_partially_authorized: { dotted: 'payment.partially_authorized', of: 'payments', means: 'A part of the money is held' },
  payment_captured: { dotted: 'payment.captured', of: 'payments', means: 'A part of it was captured' },
  payment_expired: { dotted: 'payment.expired', of: 'payments', means: 'The hold is over' },
  action_required: {
    dotted: 'payment.action_required',
    of: 'payments',
    means:
      'The customer, or a person at the merchant, must act. Or, with a status that has not changed, must know: what became of an attempt that the payment does not stand on is in `attempts` (its money was given back: `auto_refunded`, `voided`)',
  },
  refund_succeeded: { dotted: 'refund.succeeded', of: 'refunds', means: 'The money is on its way back' },
  refund_failed: { dotted: 'refund.failed', of: 'refunds', means: 'The refund was refused' },
  payout_initiated: { dotted: 'payout.initiated', of: 'payouts', means: 'The processor has it: the money is on its way' },
  payout_success: { dotted: 'payout.success', of: 'payouts', means: 'The money has left' },
  payout_failed: {
    dotted: 'payout.failed',
    of: 'payouts',
    means:
      'It was refused, or never reached a processor: no money has left. With `error_code` not_received its request may still turn up there: then payout_success follows',
  },
  payout_cancelled: { dotted: 'payout.cancelled', of: 'payouts', means: 'It was called off before it was paid' },
  payout_expired: { dotted: 'payout.expired', of: 'payouts', means: 'Nobody confirmed it in time, or claimed it' },
  payout_reversed: { dotted: 'payout.reversed', of: 'payouts', means: 'The money had left, and came back' },
  payout_processing: {
    dotted: 'payout.processing',
    of: 'payouts',
    means:
      'With a status that has not changed: a person must look. The processor contradicts itself, or has not said within seven days what became of it (`error_code`)',
  },
  dispute_opened: {
    dotted: 'dispute.opened',
    of: 'disputes',
    means: 'A customer has gone to the bank, or the dispute has come to its next stage',
  },
  dispute_challenged: { dotted: 'dispute.challenged', of: 'disputes', means: 'The evidence was handed in' },
  dispute_challenge_due: {
    dotted: 'dispute.challenge_due',
    of: 'disputes',
    means: 'It is not answered, and the time for that runs out: three days before `challenge_required_by`, and one',
  },
  dispute_won: { dotted: 'dispute.won', of: 'disputes', means: 'The bank decided for the merchant' },
  dispute_lost: { dotted: 'dispute.lost', of: 'disputes', means: 'The bank decided for the customer' },
  dispute_accepted: { dotted: 'dispute.accepted', of: 'disputes', means: 'The merchant gave in' },
  dispute_cancelled: { dotted: 'dispute.cancelled', of: 'disputes', means: 'The customer, or the bank, took it back' },
  dispute_expired: { dotted: 'dispute.expired', of: 'disputes', means: 'Nobody answered it in time' },
  mandate_active: { dotted: 'mandate.active', of: 'mandates', means: 'A customer may be charged without being there' },
  mandate_revoked: { dotted: 'mandate.revoked', of: 'mandates', means: 'It was revoked, or was for one charge that is made' },
  webhook_endpoint_failing: {
    dotted: 'webhook_endpoint.failing',
    of: 'webhooks',
    means: 'Nothing has arrived at an endpoint for three days; after five it is disabled',
  },
  webhook_endpoint_disabled: {
    dotted: 'webhook_endpoint.disabled',
    of: 'webhooks',
    means: 'An endpoint is called no more until it is enabled again',
  },
  webhook_test: { dotted: 'webhook.test', of: 'webhooks', means: 'A test event, sent on request' },
} as const satisfies Record<string, { dotted: string; of: EventClass; means: string }>
export type EventType = keyof typeof eventCatalogue

const byName = new Map<string, EventType>(
  Object.entries(eventCatalogue).flatMap(([name, { dotted }]) => [
    [name, name as EventType],
    [dotted, name as EventType],
  ]),
)

/** The type of this name, of either kind; undefined if there is none. */
export const typeNamed = (name: string): EventType | undefined => byName.get(name)
export const isEventType = (name: string): boolean => byName.has(name)
