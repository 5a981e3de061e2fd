import type { Merchant } from '../../accounts/merchant.ts'
import { profileSetting } from '../../accounts/profile-settings.ts'
import { after } from '../../base/lifecycle.ts'
import type { PaymentInstrument } from '../../connectors/instrument.ts'
import type { Context } from '../../context.ts'
import { type BlockedBy, blockedByKind } from '../../guard/blocking.ts'
import { isBlocked } from '../../guard/blocklist.ts'
import { failure } from '../../operations/failure.ts'
import type { Operation } from '../../operations/operation.ts'
import { lifecycle } from '../lifecycle.ts'
import { cardOf, type Payment } from '../payment.ts'

/** The reason why an instrument must not pay: it is on the merchant's blocklist, or of a kind that a profile blocks. */
export type WhyNot = 'listed' | BlockedBy

/** The ecosystem's sentences for blocked kinds (compatibility row 58); merchants show them to the customer. */
export const sentenceFor: Readonly<Record<BlockedBy, string>> = {
  region: "Cards issued in your region aren't supported for this transaction, please try a different card",
  debit: 'Debit cards are not accepted for this transaction, please try a different card',
  credit: 'Credit cards are not accepted for this transaction, please try a different card',
  kind: 'This card is not accepted for this transaction, please try a different card',
  bank: "We can't process payments from this bank, please try another card or a different payment method",
  unknown: "We're unable to accept this card, please try another card or a different payment method",
}

/** Returns why the instrument must not pay; null if it may. Reads nothing unless blocking is turned on. */
export function blockReason(
  context: Pick<Context, 'query' | 'bins'>,
  merchant: Merchant,
  payment: Payment,
  instrument: PaymentInstrument,
): WhyNot | null | Promise<WhyNot | null> {
  const card = cardOf(payment)
  const blocking = profileSetting(merchant, payment.profile_id, 'payment_method_blocking')
  const byKind = () => (blocking === undefined ? null : blockedByKind(context, blocking, instrument, card))
  if (!merchant.blocklist_guard) return byKind()
  return isBlocked(context, merchant.merchant_id, instrument, card?.fingerprint).then(listed => (listed ? 'listed' : byKind()))
}

type Begun = { payment: Payment; operation: Operation }

/** Ends an authorization as it begins: nothing is sent, and the attempt shows why. `before`: the earlier payment. */
export function blocked(before: Payment, { payment, operation }: Begun, why: WhyNot): Begun {
  const last_error = why === 'listed' ? failure.blocked : { ...failure.blocked, error_message: sentenceFor[why] }
  const { error_code: code, error_message: words } = last_error
  return {
    payment: { ...payment, status: after(lifecycle, before.status, 'blocked'), alone: null, last_error },
    operation: { ...operation, state: 'not_sent', response: { code, words }, poll_at: null },
  }
}

/** Whether the payment was blocked, rather than sent to a processor. */
export const wasBlocked = ({ status, last_error }: Pick<Payment, 'status' | 'last_error'>): boolean =>
  status === 'failed' && last_error?.error_code === failure.blocked.error_code

/** Returns the ecosystem's sentence for a payment that was blocked by its kind; undefined for one on the blocklist. */
export const blockedSentence = ({ last_error }: Pick<Payment, 'last_error'>): string | undefined =>
  last_error?.error_message === failure.blocked.error_message ? undefined : last_error?.error_message
