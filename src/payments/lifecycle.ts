import type { EventType } from '../base/event-types.ts'
import { type MoveOf, moves, type StateOf, statesAllowing, statesThat } from '../base/lifecycle.ts'

/**
 * The transitions of a payment: `status → move → next status`, with the ecosystem's full set of statuses. A move names
 * the verb, not just the outcome. During a capture or void the payment is `processing`; after a decline it returns to
 * its earlier status, because the hold still exists.
 */
export const lifecycle = moves({
  requires_payment_method: {
    updated: 'requires_payment_method',
    method_given: 'requires_confirmation',
    sent: 'processing',
    blocked: 'failed',
    cancelled: 'cancelled',
  },
  requires_confirmation: {
    updated: 'requires_payment_method',
    method_given: 'requires_confirmation',
    sent: 'processing',
    blocked: 'failed',
    cancelled: 'cancelled',
  },
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
    called_off: 'cancelled',
    cancel_sent: 'processing',
    declined: 'failed',
    not_received: 'failed',
    reversal_sent: 'processing',
    lapsed: 'expired',
    contradicted: 'conflicted',
    unresolved: 'requires_merchant_action',
  },
  // The moves `captured…` and `voided` of a hold: a capture that was given up, but that the processor made after all,
  // and changes made at the processor.
  requires_capture: {
    capture_sent: 'processing',
    cancel_sent: 'processing',
    captured: 'succeeded',
    captured_in_part: 'partially_captured',
    captured_with_rest: 'partially_captured_and_capturable',
    voided: 'cancelled',
    lapsed: 'expired',
    contradicted: 'conflicted',
  },
  partially_authorized_and_requires_capture: {
    capture_sent: 'processing',
    cancel_sent: 'processing',
    captured_in_part: 'partially_captured',
    captured_with_rest: 'partially_captured_and_capturable',
    voided: 'cancelled',
    lapsed: 'expired',
    contradicted: 'conflicted',
  },
  partially_captured_and_capturable: {
    capture_sent: 'partially_captured_and_processing',
    captured: 'succeeded',
    captured_in_part: 'partially_captured',
    captured_with_rest: 'partially_captured_and_capturable',
    lapsed: 'partially_captured',
    released: 'partially_captured',
    capture_failed_later: 'review',
    post_capture_voided: 'cancelled_post_capture',
    contradicted: 'conflicted',
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
  succeeded: {
    capture_failed_later: 'review',
    voided_at_processor: 'cancelled_post_capture',
    post_capture_voided: 'cancelled_post_capture',
    contradicted: 'conflicted',
  },
  // The moves `captured…` of payments without a hold: a capture made at the processor before the hold ended.
  partially_captured: {
    captured: 'succeeded',
    captured_in_part: 'partially_captured',
    capture_failed_later: 'review',
    voided_at_processor: 'cancelled_post_capture',
    post_capture_voided: 'cancelled_post_capture',
    contradicted: 'conflicted',
  },
  // `retried`: confirmed again. Late updates of the earlier authorization then concern money that is not expected.
  failed: { retried: 'processing', blocked: 'failed' },
  cancelled: { captured: 'succeeded', captured_in_part: 'partially_captured', contradicted: 'conflicted' },
  cancelled_post_capture: {},
  conflicted: {},
  expired: { captured: 'succeeded', captured_in_part: 'partially_captured', contradicted: 'conflicted' },
  review: {},
})

export type PaymentStatus = StateOf<typeof lifecycle>
export type PaymentMove = MoveOf<typeof lifecycle>

/** The amounts of a payment that its status constrains. */
type Totals = {
  net_amount: number
  amount_authorized: number
  amount_capturable: number
  amount_capturing: number
  amount_received: number
}
type Law = (payment: Totals) => boolean
const nothing: Law = p => p.amount_capturable === 0 && p.amount_capturing === 0 && p.amount_received === 0
const held: Law = p => p.amount_capturable > 0 && p.amount_capturing === 0 && p.amount_received === 0
const atRest: Law = p => p.amount_capturable + p.amount_capturing === 0

/** A property that several places depend on, or that a list is derived from. */
type Attribute =
  /** No amount is authorized yet: existing clients expect the whole amount as capturable. */
  | 'not authorized'
  /** An approval that arrives belongs to the payment: the result of the authorization is not known yet. */
  | 'awaits approval'
  /** An amount is held: it may be captured, and may lapse. */
  | 'holds'
  /** The held amount may be raised, and held for longer (contract 3.5, 3.9). */
  | 'adjustable'
  /** An amount was captured that may be refunded. */
  | 'refundable'
  /** The captured amount is undone as a whole: the payment is no sale, though `amount_received` stays as it was. */
  | 'undone'
  /** The challenge and the wallet session may still have a result (contract 3.5). */
  | 'open'
  /** The merchant may update the metadata, which moves no money (contract 3.5). */
  | 'annotatable'
  /** A report of the processor contradicts what was known: the payment changes only after manual review. */
  | 'unclear'
  /** Existing clients of the ecosystem do not know the status: it is beyond their seventeen. */
  | 'ours'

/**
 * `description`: for merchants. `customerState`: in the words of `pages/outcome.ts`. `eventType`: null if merchants
 * caused the status themselves. `amountLaw`: tests check it for every payment; without one it is under way, or requires
 * manual review.
 */
type Definition = {
  description: string
  nextStep: string
  customerState: CustomerState
  eventType: EventType | null
  traits: readonly Attribute[]
  amountLaw?: Law
}

/** The state of a payment that is shown to a customer who follows its link. */
export type CustomerState = 'not begun' | 'under way' | 'waiting' | 'approved' | 'made' | 'failed' | 'cancelled' | 'expired' | 'looked into'

export const statuses: Readonly<Record<PaymentStatus, Definition>> = {
  requires_payment_method: {
    description: 'Created without a payment method',
    nextStep: 'Confirm the payment with a payment method',
    customerState: 'not begun',
    eventType: null,
    traits: ['not authorized', 'open'],
    amountLaw: nothing,
  },
  requires_confirmation: {
    description: 'Created with a payment method; nothing was charged',
    nextStep: 'Confirm it',
    customerState: 'not begun',
    eventType: null,
    traits: ['not authorized', 'open'],
    amountLaw: nothing,
  },
  processing: {
    description: 'The processor has not reported the result yet',
    nextStep: 'Wait, and never charge the customer again. Retrieve the payment with `force_sync=true` to sync it immediately',
    customerState: 'under way',
    eventType: 'payment_processing',
    traits: ['awaits approval', 'open'],
  },
  requires_customer_action: {
    description: 'The issuer requires a challenge',
    nextStep: 'Redirect the customer to `next_action.redirect_to_url`',
    customerState: 'waiting',
    eventType: 'action_required',
    traits: ['not authorized', 'awaits approval', 'open', 'annotatable'],
    amountLaw: nothing,
  },
  requires_capture: {
    description: 'The amount is authorized',
    nextStep: 'Capture or cancel the payment before `capture_before`',
    customerState: 'approved',
    eventType: 'payment_authorized',
    traits: ['holds', 'adjustable', 'open', 'annotatable'],
    amountLaw: held,
  },
  partially_authorized_and_requires_capture: {
    description: 'Less than the amount is authorized, as `enable_partial_authorization` allows',
    nextStep: 'Capture up to `amount_capturable`, or cancel',
    customerState: 'approved',
    eventType: 'payment_partially_authorized',
    traits: ['holds', 'open'],
    amountLaw: p => held(p) && p.amount_authorized < p.net_amount,
  },
  succeeded: {
    description: 'The amount is captured',
    nextStep: 'Deliver',
    customerState: 'made',
    eventType: 'payment_succeeded',
    traits: ['refundable', 'annotatable'],
    amountLaw: p => p.amount_received >= p.net_amount && atRest(p),
  },
  partially_captured: {
    description: 'A part of the amount is captured; the rest is released',
    nextStep: 'Deliver what `amount_received` pays for',
    customerState: 'made',
    eventType: 'payment_captured',
    traits: ['refundable', 'open', 'annotatable'],
    amountLaw: p => p.amount_received > 0 && p.amount_received < p.net_amount && atRest(p),
  },
  partially_captured_and_capturable: {
    description: 'A part of the amount is captured; the rest is still authorized',
    nextStep: 'Capture more, up to `amount_capturable`, or release the rest (release, or `final_capture` with the last capture)',
    customerState: 'made',
    eventType: 'payment_captured',
    traits: ['holds', 'refundable', 'open', 'annotatable'],
    amountLaw: p => p.amount_received > 0 && p.amount_capturable > 0 && p.amount_capturing === 0,
  },
  partially_captured_and_processing: {
    description: 'A part of the amount is captured, and another capture is in progress',
    nextStep: 'Wait',
    customerState: 'under way',
    eventType: 'payment_processing',
    traits: ['refundable', 'open'],
    amountLaw: p => p.amount_received > 0 && p.amount_capturing > 0,
  },
  requires_merchant_action: {
    description: 'The processor has not reported the result within seven days',
    nextStep: 'Check the payment at the processor; a late result is still applied',
    customerState: 'looked into',
    eventType: 'action_required',
    traits: ['awaits approval', 'open'],
  },
  failed: {
    description: 'No money was captured',
    nextStep:
      '`error_code` and `unified_code` say why; create a new payment to try again, or confirm this one again while `manual_retry_allowed` is true. Its customer may try again in a payment link or an element until `expires_on`, or until you expire the session',
    customerState: 'failed',
    eventType: 'payment_failed',
    traits: ['annotatable'],
    amountLaw: nothing,
  },
  cancelled: {
    description: 'Cancelled; an authorized amount was released',
    nextStep: 'Nothing',
    customerState: 'cancelled',
    eventType: 'payment_cancelled',
    traits: ['open'],
    amountLaw: nothing,
  },
  cancelled_post_capture: {
    description: 'Cancelled after capture, on your request or by the processor',
    nextStep: 'Do not deliver',
    customerState: 'cancelled',
    eventType: 'payment_cancelled_post_capture',
    traits: ['undone', 'annotatable'],
  },
  conflicted: {
    description: "The processor's response contradicts the request",
    nextStep: 'Do not deliver; check `error_message`',
    customerState: 'looked into',
    eventType: 'action_required',
    traits: ['unclear', 'annotatable'],
  },
  expired: {
    description: 'The authorization expired before capture',
    nextStep: 'Create a new payment',
    customerState: 'expired',
    eventType: 'payment_expired',
    traits: [],
    amountLaw: nothing,
  },
  review: {
    description: 'A successful capture failed later',
    nextStep: 'Check the payment at the processor',
    customerState: 'looked into',
    eventType: 'action_required',
    traits: ['unclear'],
  },
}

/**
 * The statuses that accept each action of a merchant and each late report of a processor, for use cases, refusals and
 * docs. Actions that move the payment are derived from the grid, the others from the traits.
 */
export const allowedStatuses = {
  update: statesAllowing(lifecycle, 'updated'),
  update_metadata: statesThat(statuses, 'annotatable'),
  confirm: statesAllowing(lifecycle, 'sent'),
  capture: statesAllowing(lifecycle, 'capture_sent'),
  /** A payment that was never sent is cancelled in its row only, a challenge or a hold at the processor. */
  cancel: [...statesAllowing(lifecycle, 'cancelled'), ...statesAllowing(lifecycle, 'cancel_sent')],
  cancel_post_capture: statesAllowing(lifecycle, 'post_capture_voided'),
  release: statesAllowing(lifecycle, 'released'),
  incremental_authorization: statesThat(statuses, 'adjustable'),
  extend_authorization: statesThat(statuses, 'adjustable'),
  complete_authorize: statesThat(statuses, 'open'),
  /** Eligibility can also be checked for a payment that may be confirmed again. */
  eligibility: [...statesAllowing(lifecycle, 'sent'), ...statesAllowing(lifecycle, 'retried')],
  /** Taxes can be calculated only before anything is sent to a processor. */
  calculate_tax: statesAllowing(lifecycle, 'updated'),
  /** A failed payment that must not be confirmed again; a payment that was never sent is cancelled. */
  expire_session: statesAllowing(lifecycle, 'retried'),
  /** A failed payment that may be confirmed again can be paid with a new order. */
  post_session_tokens: [...statesAllowing(lifecycle, 'updated'), ...statesAllowing(lifecycle, 'retried')],
  session_tokens: [...new Set([...statesThat(statuses, 'open'), ...statesAllowing(lifecycle, 'retried')])],
  refund: statesThat(statuses, 'refundable'),
  /** An authorized hold may lapse. */
  lapse: statesThat(statuses, 'holds'),
} satisfies Record<string, readonly PaymentStatus[]>

/** Returns the error code with which a status refuses an operation that it does not accept (contract 3.5). */
export const refusedAs = (asked: Exclude<keyof typeof allowedStatuses, 'lapse'>): 'IR_14' | 'IR_16' =>
  asked === 'capture' || asked === 'refund' ? 'IR_14' : 'IR_16'

/** Whether the amounts satisfy the law of the status; true for a status without a law. */
export const obeysItsStatus = (status: PaymentStatus, totals: Totals): boolean => statuses[status].amountLaw?.(totals) ?? true
