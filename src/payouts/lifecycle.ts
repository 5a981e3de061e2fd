import { type MoveOf, moves, type StateOf, statesThat, welcome } from '../base/lifecycle.ts'

/**
 * A payout's lifecycle: `status → what happened → next status`. Money left with `paid` and `paid_after_all`; it came
 * back with `returned`; with `paid_and_returned` both are heard at once. No other move moves money.
 *
 * `pending`: a processor was asked and has not said that it has it; `initiated`: it has, and is at it.
 */
export const lifecycle = moves({
  requires_payout_method_data: {
    updated: 'requires_payout_method_data',
    method_given: 'requires_confirmation',
    confirmed: 'requires_fulfillment',
    sent: 'pending',
    cancelled: 'cancelled',
    session_ended: 'expired',
  },
  requires_confirmation: {
    updated: 'requires_confirmation',
    method_given: 'requires_confirmation',
    confirmed: 'requires_fulfillment',
    sent: 'pending',
    cancelled: 'cancelled',
    session_ended: 'expired',
  },
  requires_fulfillment: { sent: 'pending', cancelled: 'cancelled' },
  pending: {
    accepted: 'initiated',
    paid: 'success',
    declined: 'failed',
    not_sent: 'failed',
    not_received: 'failed',
    refused: 'ineligible',
    called_off: 'cancelled',
    unclaimed: 'expired',
    paid_and_returned: 'reversed',
  },
  initiated: {
    noted: 'initiated',
    cancel_sent: 'initiated',
    paid: 'success',
    declined: 'failed',
    not_received: 'failed',
    refused: 'ineligible',
    called_off: 'cancelled',
    unclaimed: 'expired',
    paid_and_returned: 'reversed',
  },
  success: { returned: 'reversed' },
  // The processor said no, or never had it, and paid it out after all: what it did counts.
  failed: { paid_after_all: 'success', paid_and_returned: 'reversed' },
  cancelled: { paid_after_all: 'success', paid_and_returned: 'reversed' },
  expired: { paid_after_all: 'success', paid_and_returned: 'reversed' },
  ineligible: { paid_after_all: 'success', paid_and_returned: 'reversed' },
  reversed: {},
})

export type PayoutStatus = StateOf<typeof lifecycle>
export type PayoutMove = MoveOf<typeof lifecycle>

/**
 * Statuses of the ecosystem that no processor here brings about: it would have to be told of a recipient, or of a
 * payout, before it pays.
 */
export const neverHere = ['requires_creation', 'requires_vendor_account_creation'] as const

/** What a recipient hears who follows the payout's link. */
export type RecipientHears = 'not begun' | 'confirmed' | 'on its way' | 'paid' | 'failed' | 'returned' | 'cancelled' | 'expired'

/**
 * What is true of a payout in a status. `paid`: the money has left, and has not come back. `awaits fulfillment`:
 * nothing is missing but the word to send it.
 */
type Attribute = 'paid' | 'awaits fulfillment'

type Says = { means: string; so: string; recipient: RecipientHears; announced: string | null; is: readonly Attribute[] }

/**
 * What a status says to merchants (`means`, and what is to be done: `so`), to the recipient (in the words of
 * `pages/payout-words.ts`), under which type of event merchants hear of it (null: they brought it about themselves, or
 * it says nothing yet, contract 7.1), and what else is true in it (`is`).
 */
export const statuses: Readonly<Record<PayoutStatus, Says>> = {
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

/** Which statuses welcome what a merchant may do: read by the stories, by their refusals and by the documentation. */
export const welcomes = {
  /** Of one that is on its way only what is noted for the merchant themselves (contract 5.3). */
  update: [...welcome(lifecycle, 'updated'), ...welcome(lifecycle, 'noted')],
  confirm: welcome(lifecycle, 'confirmed'),
  fulfill: statesThat(statuses, 'awaits fulfillment'),
  /** Before it is sent that is a matter of our own row; after it, of the processor, once that has it. */
  cancel: [...welcome(lifecycle, 'cancelled'), ...welcome(lifecycle, 'cancel_sent')],
} satisfies Record<string, readonly PayoutStatus[]>
