import type { EventType } from '../base/event-types.ts'
import { type MoveOf, moves, type StateOf, statesAllowing, statesThat } from '../base/lifecycle.ts'

const untilConfirmed = {
  method_given: 'requires_confirmation',
  confirmed: 'requires_fulfillment',
  sent: 'pending',
  cancelled: 'cancelled',
  session_ended: 'expired',
} as const
const untilDecided = {
  paid: 'success',
  declined: 'failed',
  not_received: 'failed',
  refused: 'ineligible',
  called_off: 'cancelled',
  unclaimed: 'expired',
  paid_and_returned: 'reversed',
} as const
/** The processor declined the payout, or did not know it, and paid it out after all: the money that left counts. */
const afterANo = { paid_after_all: 'success', paid_and_returned: 'reversed' } as const

/**
 * A payout's lifecycle: `status → what happened → next status`. Money left with `paid` and `paid_after_all`; it came
 * back with `returned`; `paid_and_returned` stands for both, reported at once. No other move moves money.
 *
 * `pending`: the payout was sent, and the processor has not confirmed that it has it; `initiated`: the processor has
 * it, and is processing it.
 */
export const lifecycle = moves({
  requires_payout_method_data: { updated: 'requires_payout_method_data', ...untilConfirmed },
  requires_confirmation: { updated: 'requires_confirmation', ...untilConfirmed },
  requires_fulfillment: { sent: 'pending', cancelled: 'cancelled' },
  pending: { accepted: 'initiated', not_sent: 'failed', ...untilDecided },
  initiated: { noted: 'initiated', cancel_sent: 'initiated', ...untilDecided },
  success: { returned: 'reversed' },
  failed: afterANo,
  cancelled: afterANo,
  expired: afterANo,
  ineligible: afterANo,
  reversed: {},
})

export type PayoutStatus = StateOf<typeof lifecycle>
export type PayoutMove = MoveOf<typeof lifecycle>

/** In the API, but no connector here registers a recipient, or creates a payout, before it pays. */
export const neverHere = ['requires_creation', 'requires_vendor_account_creation'] as const

/** The states of a payout as shown to a recipient who opens the payout's link. */
export type RecipientState = 'not begun' | 'confirmed' | 'on its way' | 'paid' | 'failed' | 'returned' | 'cancelled' | 'expired'

/** `paid`: the money has left, and has not come back. `awaits fulfillment`: only the request to fulfill is missing. */
type Attribute = 'paid' | 'awaits fulfillment'

type Definition = {
  description: string
  nextStep: string
  recipient: RecipientState
  eventType: EventType | null
  traits: readonly Attribute[]
}

/**
 * `description` and `nextStep` are for merchants, `recipient` (in the words of `pages/texts/`) for the recipient.
 * `eventType`: null if the merchant caused the status, or it is not final news (contract 7.1).
 */
export const statuses: Readonly<Record<PayoutStatus, Definition>> = {
  requires_payout_method_data: {
    description: 'Created without a payout method',
    nextStep: 'Update or confirm the payout with a payout method',
    recipient: 'not begun',
    eventType: null,
    traits: [],
  },
  requires_confirmation: {
    description: 'Created with a payout method; nothing was sent',
    nextStep: 'Confirm it',
    recipient: 'not begun',
    eventType: null,
    traits: [],
  },
  requires_fulfillment: {
    description: 'Confirmed; nothing was sent',
    nextStep: 'Review the payout, then fulfill or cancel it',
    recipient: 'confirmed',
    eventType: null,
    traits: ['awaits fulfillment'],
  },
  pending: {
    description: 'The processor has not reported the result yet',
    nextStep: 'Wait, and never pay out again. Retrieve the payout with `force_sync=true` to sync it immediately',
    recipient: 'on its way',
    eventType: null,
    traits: [],
  },
  initiated: {
    description: 'The processor has accepted the payout; the money is on its way',
    nextStep: 'Wait, or cancel the payout',
    recipient: 'on its way',
    eventType: 'payout_initiated',
    traits: [],
  },
  success: { description: 'The payout was paid', nextStep: 'Nothing', recipient: 'paid', eventType: 'payout_success', traits: ['paid'] },
  failed: {
    description: 'No money was sent',
    nextStep: '`error_code` and `unified_code` say why; create a new payout to try again',
    recipient: 'failed',
    eventType: 'payout_failed',
    traits: [],
  },
  cancelled: {
    description: 'Cancelled before it was paid',
    nextStep: 'Nothing',
    recipient: 'cancelled',
    eventType: 'payout_cancelled',
    traits: [],
  },
  expired: {
    description: 'The payout’s session expired before confirmation, or the payout was not claimed at the processor',
    nextStep: 'Create a new payout',
    recipient: 'expired',
    eventType: 'payout_expired',
    traits: [],
  },
  reversed: {
    description: 'The payout was paid, and the money was returned',
    nextStep: 'Ask the recipient for another payout method, and create a new payout',
    recipient: 'returned',
    eventType: 'payout_reversed',
    traits: [],
  },
  ineligible: {
    description: 'The processor does not support this recipient',
    nextStep: 'Use another recipient or another processor',
    recipient: 'failed',
    eventType: 'payout_failed',
    traits: [],
  },
}

/** The statuses that allow each call of a merchant. Use cases, their refusals and the documentation read this table. */
export const allowedStatuses = {
  /** For a payout on its way, an update changes only the merchant's own notes (contract 5.3). */
  update: [...statesAllowing(lifecycle, 'updated'), ...statesAllowing(lifecycle, 'noted')],
  confirm: statesAllowing(lifecycle, 'confirmed'),
  fulfill: statesThat(statuses, 'awaits fulfillment'),
  /** Before the payout is sent, only in our own row; afterwards by the processor, once it has the payout. */
  cancel: [...statesAllowing(lifecycle, 'cancelled'), ...statesAllowing(lifecycle, 'cancel_sent')],
} satisfies Record<string, readonly PayoutStatus[]>
