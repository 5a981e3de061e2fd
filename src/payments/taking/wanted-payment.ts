import { chooseProfile } from '../../accounts/choose-profile.ts'
import type { Merchant } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { checkBrowsersChoice } from '../authorization/installments.ts'
import { netAmount, sessionEnds } from '../check.ts'
import { taxAnew } from '../checkout/calculate-tax.ts'
import type { Payment } from '../payment.ts'
import { needsNoCredential } from '../stored-credentials/stored-credential.ts'
import type { PaymentCaller, PaymentTerms } from '../terms.ts'

/** The existing payment as an update or a confirm wants to change it. Pure. */

/** Returns the payment as a confirm wants it. Refuses changes that a browser may not make. */
export function wantedByConfirm(merchant: Merchant, before: Payment, terms: PaymentTerms, asker: PaymentCaller): Payment {
  if (asker.is === 'server') return onTerms(merchant, before, terms)
  checkBrowser(before, terms)
  return savingWanted(onTerms(merchant, before, terms), terms)
}

/** Returns the payment as an update wants it. Refuses changes that a browser may not make. */
export function wantedByUpdate(merchant: Merchant, before: Payment, terms: PaymentTerms, asker: PaymentCaller): Payment {
  if (asker.is === 'client') checkBrowser(before, terms)
  return onTerms(merchant, before, terms)
}

/**
 * Refuses a browser's `customer_id` that differs from the payment's, and installments that the merchant does not
 * offer.
 */
function checkBrowser(payment: Payment, { columns: { customer_id }, request }: PaymentTerms): void {
  if (customer_id !== undefined && customer_id !== payment.customer_id)
    refuse('unauthorized', {
      says: 'Unauthorised access to update customer',
      words: 'customer_id cannot be changed with a publishable key',
    })
  checkBrowsersChoice(payment, request)
}

/**
 * Returns the payment with the browser's wish to save the card. A checkout's "save my card" only sends the customer's
 * acceptance: with a customer and a card, the card is saved for payments with the customer present.
 */
function savingWanted(payment: Payment, { request: { customer_acceptance } }: PaymentTerms): Payment {
  const { request, customer_id } = payment
  if (customer_acceptance === undefined || customer_id === null || !needsNoCredential(request)) return payment
  if ((request.payment_method ?? 'card') !== 'card') return payment
  return { ...payment, request: { ...request, setup_future_usage: 'on_session' } }
}

/** Returns the payment with the changes of an update or a confirm. */
function onTerms(merchant: Merchant, payment: Payment, { columns, request: more }: PaymentTerms): Payment {
  // Without changes the request stays the same object, and is not written again.
  let request = Object.keys(more).length === 0 ? payment.request : { ...payment.request, ...more }
  // With another capture method than before, the payment is no longer captured at a scheduled time.
  if (
    payment.request.capture_on !== undefined &&
    more.capture_on === undefined &&
    columns.capture_method !== undefined &&
    columns.capture_method !== 'scheduled'
  ) {
    const { capture_on: _before, ...other } = request
    request = other
  }
  const amount = columns.amount ?? payment.amount
  const profile_id = columns.profile_id === undefined ? payment.profile_id : chooseProfile(merchant, columns).profile_id
  request = taxAnew(merchant, { profile_id, amount }, request, more)
  return {
    ...payment,
    ...columns,
    request,
    profile_id,
    expires_on: more.session_expiry === undefined ? payment.expires_on : sessionEnds(merchant, profile_id, more, payment.created),
    net_amount: netAmount(request, amount),
  }
}
