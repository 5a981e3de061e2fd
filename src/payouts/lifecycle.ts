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

/**
 * Statuses in the API that no connector here produces: registering a recipient, or creating a payout before it pays.
 */
export const neverHere = ['requires_creation', 'requires_vendor_account_creation'] as const

/** The states of a payout as shown to a recipient who opens the payout's link. */
export type RecipientState = 'not begun' | 'confirmed' | 'on its way' | 'paid' | 'failed' | 'returned' | 'cancelled' | 'expired'

/** `paid`: the money has left, and has not come back. `awaits fulfillment`: only the request to fulfill is missing. */
type Attribute = 'paid' | 'awaits fulfillment'

type Definition = { means: string; so: string; recipient: RecipientState; announced: EventType | null; is: readonly Attribute[] }

/**
 * `means` and `so` (the next step) are for merchants, `recipient` (in the words of `pages/texts/`) for the recipient.
 * `announced`: null if the merchant caused the status, or it is not final news (contract 7.1).
 */
export const statuses: Readonly<Record<PayoutStatus, Definition>> = {
  requires_payout_method_data: {
    means: 'Created without a payout method',
    so: 'Update or confirm the payout with a payout method',
    recipient: 'not begun',
    announced: null,
    is: [],
  },
  requires_confirmation: {
    means: 'Created with a payout method; nothing was sent',
    so: 'Confirm it',
    recipient: 'not begun',
    announced: null,
    is: [],
  },
  requires_fulfillment: {
    means: 'Confirmed; nothing was sent',
    so: 'Review the payout, then fulfill or cancel it',
    recipient: 'confirmed',
    announced: null,
    is: ['awaits fulfillment'],
  },
  pending: {
    means: 'The processor has not reported the result yet',
    so: 'Wait, and never pay out again. Retrieve the payout with `force_sync=true` to sync it immediately',
    recipient: 'on its way',
    announced: null,
    is: [],
  },
  initiated: {
    means: 'The processor has accepted the payout; the money is on its way',
    so: 'Wait, or cancel the payout',
    recipient: 'on its way',
    announced: 'payout_initiated',
    is: [],
  },
  success: { means: 'The payout was paid', so: 'Nothing', recipient: 'paid', announced: 'payout_success', is: ['paid'] },
  failed: {
    means: 'No money was sent',
    so: '`error_code` and `unified_code` say why; create a new payout to try again',
    recipient: 'failed',
    announced: 'payout_failed',
    is: [],
  },
  cancelled: { means: 'Cancelled before it was paid', so: 'Nothing', recipient: 'cancelled', announced: 'payout_cancelled', is: [] },
  expired: {
    means: 'The payout’s session expired before confirmation, or the payout was not claimed at the processor',
    so: 'Create a new payout',
    recipient: 'expired',
    announced: 'payout_expired',
    is: [],
  },
  reversed: {
    means: 'The payout was paid, and the money was returned',
    so: 'Ask the recipient for another payout method, and create a new payout',
    recipient: 'returned',
    announced: 'payout_reversed',
    is: [],
  },
  ineligible: {
    means: 'The processor does not support this recipient',
    so: 'Use another recipient or another processor',
    recipient: 'failed',
    announced: 'payout_failed',
    is: [],
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
