import { type MoveOf, moves, type StateOf, welcome } from '../base/lifecycle.ts'

/**
 * A payment's lifecycle: `status → what happened → next status`. Statuses are the ecosystem's full set. What happened names the verb, not just the outcome.
 * While a capture or void is under way the payment is `processing`; a refused one gives it back: the hold still lives.
 */
export const lifecycle = moves({
  requires_payment_method: { sent: 'processing', cancelled: 'cancelled' },
  requires_confirmation: { sent: 'processing', cancelled: 'cancelled' },
  processing: {
    challenged: 'requires_customer_action',
    authorized: 'requires_capture',
    partially_authorized: 'partially_authorized_and_requires_capture',
    captured: 'succeeded',
    captured_in_part: 'partially_captured',
    captured_with_rest: 'partially_captured_and_capturable',
    captured_others_pending: 'partially_captured_and_processing',
    capture_sent: 'processing',
    capture_declined: 'requires_capture',
    partial_capture_declined: 'partially_authorized_and_requires_capture',
    declined: 'failed',
    not_sent: 'failed',
    not_received: 'failed',
    reversed: 'failed',
    void_declined: 'requires_capture',
    partial_void_declined: 'partially_authorized_and_requires_capture',
    voided: 'cancelled',
    lapsed: 'expired',
    contradicted: 'conflicted',
    unresolved: 'requires_merchant_action',
  },
  requires_customer_action: {
    authorized: 'requires_capture',
    partially_authorized: 'partially_authorized_and_requires_capture',
    captured: 'succeeded',
    captured_in_part: 'partially_captured',
    customer_returned: 'processing',
    cancel_sent: 'processing',
    declined: 'failed',
    not_received: 'failed',
    reversal_sent: 'processing',
    lapsed: 'expired',
    contradicted: 'conflicted',
    unresolved: 'requires_merchant_action',
  },
  // `captured…` from a hold: a capture that had been given up, and that the processor made after all.
  requires_capture: {
    capture_sent: 'processing',
    cancel_sent: 'processing',
    captured: 'succeeded',
    captured_in_part: 'partially_captured',
    captured_with_rest: 'partially_captured_and_capturable',
    lapsed: 'expired',
  },
  partially_authorized_and_requires_capture: {
    capture_sent: 'processing',
    cancel_sent: 'processing',
    captured_in_part: 'partially_captured',
    captured_with_rest: 'partially_captured_and_capturable',
    lapsed: 'expired',
  },
  partially_captured_and_capturable: {
    capture_sent: 'partially_captured_and_processing',
    captured: 'succeeded',
    captured_in_part: 'partially_captured',
    captured_with_rest: 'partially_captured_and_capturable',
    lapsed: 'partially_captured',
    capture_failed_later: 'review',
  },
  partially_captured_and_processing: {
    capture_sent: 'partially_captured_and_processing',
    captured: 'succeeded',
    captured_in_part: 'partially_captured',
    captured_with_rest: 'partially_captured_and_capturable',
    captured_others_pending: 'partially_captured_and_processing',
    capture_declined: 'partially_captured_and_capturable',
    capture_failed_later: 'review',
    contradicted: 'conflicted',
    unresolved: 'requires_merchant_action',
  },
  requires_merchant_action: {
    authorized: 'requires_capture',
    partially_authorized: 'partially_authorized_and_requires_capture',
    captured: 'succeeded',
    captured_in_part: 'partially_captured',
    captured_with_rest: 'partially_captured_and_capturable',
    capture_declined: 'requires_capture',
    partial_capture_declined: 'partially_authorized_and_requires_capture',
    void_declined: 'requires_capture',
    partial_void_declined: 'partially_authorized_and_requires_capture',
    declined: 'failed',
    not_received: 'failed',
    reversed: 'failed',
    voided: 'cancelled',
    lapsed: 'expired',
    contradicted: 'conflicted',
  },
  succeeded: { capture_failed_later: 'review', voided_at_processor: 'cancelled_post_capture' },
  partially_captured: { capture_failed_later: 'review', voided_at_processor: 'cancelled_post_capture' },
  // Tried again by hand: the payment waits for a new authorization, and whatever is still heard of the earlier one is about money that nobody waits for.
  failed: { retried: 'processing' },
  cancelled: {},
  cancelled_post_capture: {},
  conflicted: {},
  expired: {},
  review: {},
})

export type PaymentStatus = StateOf<typeof lifecycle>
export type PaymentMove = MoveOf<typeof lifecycle>

/**
 * Which statuses welcome what a merchant may do, and what a processor may still tell: read by the stories, by their refusals and by the documentation. What moves the payment is read off the grid;
 * a refund moves only amounts, so its statuses are said here.
 */
export const welcomes: Record<'confirm' | 'capture' | 'cancel' | 'refund' | 'lapse', readonly PaymentStatus[]> = {
  confirm: welcome(lifecycle, 'sent'),
  capture: welcome(lifecycle, 'capture_sent'),
  /** A cancel of what was never sent is a matter of our own row; of a challenge or a hold, of the processor. */
  cancel: [...welcome(lifecycle, 'cancelled'), ...welcome(lifecycle, 'cancel_sent')],
  refund: ['succeeded', 'partially_captured', 'partially_captured_and_capturable', 'partially_captured_and_processing'],
  /** A settled hold may lapse. */
  lapse: ['requires_capture', 'partially_authorized_and_requires_capture', 'partially_captured_and_capturable'],
}

/** A payment's amounts, as far as its status speaks of them. */
type Totals = {
  net_amount: number
  amount_authorized: number
  amount_capturable: number
  amount_capturing: number
  amount_received: number
}
const nothing = (p: Totals): boolean => p.amount_capturable === 0 && p.amount_capturing === 0 && p.amount_received === 0
const held = (p: Totals): boolean => p.amount_capturable > 0 && p.amount_capturing === 0 && p.amount_received === 0

/** What a status says of the amounts: a law that tests hold every payment to. Where nothing is said the payment is on its way, or a person must look. */
export const totalsOf: Partial<Record<PaymentStatus, (payment: Totals) => boolean>> = {
  requires_payment_method: nothing,
  requires_confirmation: nothing,
  requires_customer_action: nothing,
  requires_capture: held,
  partially_authorized_and_requires_capture: p => held(p) && p.amount_authorized < p.net_amount,
  partially_captured_and_capturable: p => p.amount_received > 0 && p.amount_capturable > 0 && p.amount_capturing === 0,
  partially_captured_and_processing: p => p.amount_received > 0 && p.amount_capturing > 0,
  partially_captured: p => p.amount_received > 0 && p.amount_received < p.net_amount && p.amount_capturable + p.amount_capturing === 0,
  succeeded: p => p.amount_received === p.net_amount && p.amount_capturable + p.amount_capturing === 0,
  failed: nothing,
  cancelled: nothing,
  expired: nothing,
}

/** Under which event type merchants hear that a payment reached a status; statuses that are not named are not announced. */
export const announcements: Partial<Record<PaymentStatus, string>> = {
  succeeded: 'payment_succeeded',
  failed: 'payment_failed',
  processing: 'payment_processing',
  partially_captured_and_processing: 'payment_processing',
  requires_customer_action: 'action_required',
  requires_merchant_action: 'action_required',
  conflicted: 'action_required',
  review: 'action_required',
  cancelled: 'payment_cancelled',
  cancelled_post_capture: 'payment_cancelled_post_capture',
  requires_capture: 'payment_authorized',
  partially_authorized_and_requires_capture: 'payment_partially_authorized',
  partially_captured: 'payment_captured',
  partially_captured_and_capturable: 'payment_captured',
  expired: 'payment_expired',
}
