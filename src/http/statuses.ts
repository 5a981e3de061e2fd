import type { PaymentStatus } from '../payments/lifecycle.ts'
import type { RefundStatus } from '../refunds/refund.ts'

type Words = { means: string; so: string }

/** What a payment's status means to the merchant, and what is to be done. */
export const paymentStatuses: Readonly<Record<PaymentStatus, Words>> = {
  requires_payment_method: { means: 'Created, without a card', so: 'Confirm it with one' },
  requires_confirmation: { means: 'Created, with a card; nothing was charged', so: 'Confirm it' },
  processing: {
    means: 'The processor has been asked and has not answered yet',
    so: 'Wait; never charge again for it. Retrieve it with `force_sync=true` to have the processor asked at once',
  },
  requires_customer_action: { means: 'The issuer wants a challenge', so: 'Send the customer to `next_action.redirect_to_url`' },
  requires_capture: { means: 'The amount is held', so: 'Capture or cancel it before `capture_before`' },
  partially_authorized_and_requires_capture: {
    means: 'Less than the amount is held, as `enable_partial_authorization` allows',
    so: 'Capture up to `amount_capturable`, or cancel',
  },
  succeeded: { means: 'The money is taken', so: 'Deliver' },
  partially_captured: {
    means: 'A part of the amount is taken; the rest of the hold is let go',
    so: 'Deliver what `amount_received` pays for',
  },
  partially_captured_and_capturable: { means: 'A part is taken, a part is still held', so: 'Capture more, up to `amount_capturable`' },
  partially_captured_and_processing: { means: 'A part is taken, and a further capture is under way', so: 'Wait' },
  requires_merchant_action: {
    means: 'The processor has not said within seven days what happened',
    so: "Look at the processor's own books; late news still counts",
  },
  failed: {
    means: 'No money was taken',
    so: '`error_code` and `unified_code` say why; create a new payment to try again, or confirm this one again while `manual_retry_allowed` is true',
  },
  cancelled: { means: 'Called off; a hold was let go', so: 'Nothing' },
  cancelled_post_capture: { means: 'The processor undid it after the capture', so: 'Do not deliver' },
  conflicted: { means: "The processor's answer contradicts what was asked", so: 'Do not deliver; a person must look at `error_message`' },
  expired: { means: 'The hold lapsed before it was captured', so: 'Create a new payment' },
  review: { means: 'A capture that had succeeded failed later', so: 'A person must look' },
}

/** The same of a refund. */
export const refundStatuses: Readonly<Record<RefundStatus, Words>> = {
  pending: { means: 'The processor has it, or has not answered yet; the amount is reserved', so: 'Wait; never send another for it' },
  succeeded: { means: 'The money is on its way back to the customer', so: 'Nothing' },
  failed: { means: 'Refused; the amount may be refunded again', so: '`error_code` says why; try again with a new refund_id' },
  review: { means: 'The answer contradicts what was asked, or never came', so: 'A person must look' },
}
