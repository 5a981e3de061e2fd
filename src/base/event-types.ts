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

const classOf = {
  payment: 'payments',
  refund: 'refunds',
  payout: 'payouts',
  dispute: 'disputes',
  mandate: 'mandates',
  webhook: 'webhooks',
  webhook_endpoint: 'webhooks',
} as const

/** Returns an entry of the catalogue; the object before the dot gives its class. */
const event = <O extends keyof typeof classOf, N extends string>(dotted: `${O}.${N}`, means: string) => ({
  dotted,
  of: classOf[dotted.split('.')[0] as O],
  means,
})

export const eventCatalogue = {
  payment_succeeded: event('payment.succeeded', 'The full amount was captured'),
  payment_failed: event('payment.failed', 'The payment was declined, or never reached a processor'),
  payment_processing: event('payment.processing', 'The processor has not reported a final result'),
  payment_cancelled: event('payment.cancelled', 'The payment was cancelled before capture'),
  payment_cancelled_post_capture: event('payment.cancelled_post_capture', 'The payment was cancelled after capture'),
  payment_authorized: event('payment.authorized', 'The amount is authorized'),
  payment_partially_authorized: event('payment.partially_authorized', 'A part of the amount is authorized'),
  payment_captured: event('payment.captured', 'A part of the amount was captured'),
  payment_expired: event('payment.expired', 'The authorization has expired'),
  action_required: event(
    'payment.action_required',
    'The customer or the merchant must act. With an unchanged status: an earlier attempt was approved after all, and its money was returned; see `attempts` (`auto_refunded`, `voided`)',
  ),
  refund_succeeded: event('refund.succeeded', 'The refund was accepted; the money is on its way to the customer'),
  refund_failed: event('refund.failed', 'The refund was declined'),
  payout_initiated: event('payout.initiated', 'The processor has accepted the payout; the money is on its way'),
  payout_success: event('payout.success', 'The payout was paid'),
  payout_failed: event(
    'payout.failed',
    'The payout was declined, or never reached a processor; no money was sent. With `error_code` not_received, the request can still arrive there late: payout_success then follows',
  ),
  payout_cancelled: event('payout.cancelled', 'The payout was cancelled before it was paid'),
  payout_expired: event('payout.expired', 'The payout was not confirmed or not claimed in time'),
  payout_reversed: event('payout.reversed', 'The payout was paid, and the money was returned'),
  payout_processing: event(
    'payout.processing',
    'With an unchanged status: requires manual review. The processor’s responses are contradictory, or it has not reported the result within seven days (`error_code`)',
  ),
  dispute_opened: event('dispute.opened', 'A customer disputed a payment at their bank, or the dispute reached its next stage'),
  dispute_challenged: event('dispute.challenged', 'Evidence was submitted'),
  dispute_challenge_due: event(
    'dispute.challenge_due',
    'The dispute awaits a response and `challenge_required_by` is near: sent three days and one day before',
  ),
  dispute_won: event('dispute.won', 'The bank decided for the merchant'),
  dispute_lost: event('dispute.lost', 'The bank decided for the customer'),
  dispute_accepted: event('dispute.accepted', 'The merchant accepted the dispute'),
  dispute_cancelled: event('dispute.cancelled', 'The customer or the bank withdrew the dispute'),
  dispute_expired: event('dispute.expired', 'The dispute was not answered in time'),
  mandate_active: event('mandate.active', 'The customer can be charged off-session'),
  mandate_revoked: event('mandate.revoked', 'The mandate was revoked, or its single charge was made'),
  webhook_endpoint_failing: event(
    'webhook_endpoint.failing',
    'Deliveries to an endpoint have failed for three days; after five, it is disabled',
  ),
  webhook_endpoint_disabled: event('webhook_endpoint.disabled', 'An endpoint receives no events until it is enabled again'),
  webhook_test: event('webhook.test', 'A test event, sent on request'),
}
export type EventType = keyof typeof eventCatalogue

const byName = new Map<string, EventType>(
  Object.entries(eventCatalogue).flatMap(([name, { dotted }]) => [
    [name, name as EventType],
    [dotted, name as EventType],
  ]),
)

export const typeNamed = (name: string): EventType | undefined => byName.get(name)
export const isEventType = (name: string): boolean => byName.has(name)
