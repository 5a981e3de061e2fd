/** The families of statuses, by their meaning for a merchant who waits for money. Each has one icon and one color. */
export type Family = 'done' | 'held' | 'way' | 'unknown' | 'waits' | 'person' | 'no' | 'ended'

export const families: Readonly<Record<Family, string>> = {
  done: 'active succeeded partially_captured success dispute_won delivered charged partial_charged closed done captured authorized_and_captured',
  held: 'requires_capture partially_authorized_and_requires_capture partially_captured_and_capturable requires_fulfillment authorized partial_charged_and_chargeable',
  way: 'processing partially_captured_and_processing pending initiated dispute_challenged void_initiated open_operation half_open started',
  unknown: 'unknown',
  waits:
    'requires_payment_method requires_confirmation requires_customer_action requires_payout_method_data authentication_pending waiting payment_method_awaited confirmation_awaited device_data_collection_pending',
  person: 'requires_merchant_action conflicted review dispute_opened failing unresolved integrity_failure',
  no: 'failed failure ineligible dispute_lost dead declined not_sent not_received open authorization_failed authentication_failed capture_failed router_declined',
  ended:
    'inactive revoked cancelled cancelled_post_capture expired reversed dispute_accepted dispute_cancelled dispute_expired disabled voided auto_refunded lapsed unresponsive',
}
const familyOfStatus = new Map(
  Object.entries(families).flatMap(([family, statuses]) => statuses.split(' ').map(status => [status, family as Family])),
)

/** Returns the family of a status of any object. One that is unknown here is shown as under way. */
export const familyOf = (status: string): Family => familyOfStatus.get(status) ?? 'way'
