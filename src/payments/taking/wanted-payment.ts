import { chooseProfile } from '../../accounts/choose-profile.ts'
import type { Merchant } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { checkBrowsersChoice } from '../authorization/installments.ts'
import { netAmount, sessionEnds } from '../check.ts'
import { taxAnew } from '../checkout/calculate-tax.ts'
import type { Payment } from '../payment.ts'
import { needsNoCredential } from '../stored-credentials/stored-credential.ts'
import type { PaymentCaller, PaymentTerms } from '../terms.ts'

/** What a payment that is there is to be, once an update or a confirm has said more of it. Pure. */

/** The payment as a confirm wants it. Refuses what a browser may not choose. */
export function wantedByConfirm(merchant: Merchant, before: Payment, terms: PaymentTerms, asker: PaymentCaller): Payment {
  if (asker.is === 'server') return onTerms(merchant, before, terms)
  checkBrowser(before, terms)
  return savingWanted(onTerms(merchant, before, terms), terms)
}

/** The payment as an update wants it. Refuses what a browser may not choose. */
export function wantedByUpdate(merchant: Merchant, before: Payment, terms: PaymentTerms, asker: PaymentCaller): Payment {
  if (asker.is === 'client') checkBrowser(before, terms)
  return onTerms(merchant, before, terms)
}

/**
 * A browser may say who pays only as the payment has it already, and choose from the installments that its merchant
 * offers.
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
 * A checkout's "save my card" says no more than that its customer accepts: with a customer and a card that means for
 * payments at which they are there again.
 */
function savingWanted(payment: Payment, { request: { customer_acceptance } }: PaymentTerms): Payment {
  const { request, customer_id } = payment
  if (customer_acceptance === undefined || customer_id === null || !needsNoCredential(request)) return payment
  if ((request.payment_method ?? 'card') !== 'card') return payment
  return { ...payment, request: { ...request, setup_future_usage: 'on_session' } }
}

/** The payment with what an update or a confirm says anew. */
function onTerms(merchant: Merchant, payment: Payment, { columns, request: more }: PaymentTerms): Payment {
  // Where nothing is added it stays the same object, and is not written again.
  let request = Object.keys(more).length === 0 ? payment.request : { ...payment.request, ...more }
  // Captured in another way than before: at no time of its own any more.
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
