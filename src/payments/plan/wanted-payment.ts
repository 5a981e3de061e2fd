import { chooseProfile } from '../../accounts/choose-profile.ts'
import type { Merchant } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { checkBrowsersChoice } from '../authorization/installments.ts'
import { mergedAddress } from '../billing.ts'
import { taxAnew } from '../checkout/calculate-tax.ts'
import { netAmount } from '../net-amount.ts'
import type { Payment, PaymentParams } from '../payment.ts'
import { sessionExpiry } from '../session.ts'
import { needsNoCredential } from '../stored-credentials/stored-credential.ts'
import type { PaymentCaller, PaymentTerms } from '../terms.ts'

/** The existing payment as an update or a confirm wants to change it. Pure. */

/** Returns the payment as a confirm wants it. Refuses changes that a browser may not make. */
export function wantedByConfirm(merchant: Merchant, before: Payment, terms: PaymentTerms, caller: PaymentCaller): Payment {
  if (caller.is === 'server') return onTerms(merchant, before, terms, caller)
  checkBrowser(before, terms)
  const anew = withoutEarlierChoice(before)
  return notingChoice(anew, withAddress(savingWanted(onTerms(merchant, anew, terms, caller), terms), caller.address))
}

/** Returns the payment as an update wants it. Refuses changes that a browser may not make. */
export function wantedByUpdate(merchant: Merchant, before: Payment, terms: PaymentTerms, caller: PaymentCaller): Payment {
  if (caller.is === 'server') return onTerms(merchant, before, terms, caller)
  checkBrowser(before, terms)
  return notingChoice(before, onTerms(merchant, before, terms, caller))
}

/** Refuses another `customer_id` than the payment's, and installments that are not offered. */
function checkBrowser(payment: Payment, { columns: { customer_id }, request }: PaymentTerms): void {
  if (customer_id !== undefined && customer_id !== payment.customer_id)
    refuse('unauthorized', {
      sentence: 'Unauthorised access to update customer',
      problem: 'customer_id cannot be changed with a publishable key',
    })
  checkBrowsersChoice(payment, request)
}

/** A checkout's "save my card" sends only an acceptance: the card is saved for payments with the customer present. */
function savingWanted(payment: Payment, { request: { customer_acceptance } }: PaymentTerms): Payment {
  const { request, customer_id } = payment
  if (customer_acceptance === undefined || customer_id === null || !needsNoCredential(request)) return payment
  if ((request.payment_method ?? 'card') !== 'card') return payment
  return { ...payment, request: { ...request, setup_future_usage: 'on_session' } }
}

type Accepted = NonNullable<PaymentParams['customer_acceptance']>

/** Adds the address from which a customer agreed to a debit: processors demand it, browsers do not know it. */
function withAddress(payment: Payment, ip_address: string): Payment {
  const { request } = payment
  const { customer_acceptance: own, mandate_data } = request
  const lacks = (one: Accepted | undefined): one is Accepted => one?.acceptance_type === 'online' && !one.online?.ip_address
  const ofMandate = mandate_data?.customer_acceptance
  if (request.payment_method !== 'bank_debit' || !(lacks(own) || lacks(ofMandate))) return payment
  const withIp = (one: Accepted): Accepted => ({ ...one, online: { ...one.online, ip_address } })
  return {
    ...payment,
    request: {
      ...request,
      ...(lacks(own) && { customer_acceptance: withIp(own) }),
      ...(mandate_data && lacks(ofMandate) && { mandate_data: { ...mandate_data, customer_acceptance: withIp(ofMandate) } }),
    },
  }
}

/** Returns the payment with the changes of an update or a confirm. */
function onTerms(merchant: Merchant, payment: Payment, { columns, request: more }: PaymentTerms, caller: PaymentCaller): Payment {
  // Without changes the request stays the same object, and is not written again.
  let request = Object.keys(more).length === 0 ? payment.request : mergedRequest(payment.request, more, caller)
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
    expires_on: more.session_expiry === undefined ? payment.expires_on : sessionExpiry(merchant, profile_id, more, payment.created),
    net_amount: netAmount(request, amount),
  }
}

/** Merges addresses and agreements member by member: checkouts send only what their customer has typed. */
function mergedRequest(earlier: PaymentParams, more: PaymentParams, { is }: PaymentCaller): PaymentParams {
  const before = ofAnotherMethod(earlier, more) ? withoutMethod(earlier) : earlier
  return {
    ...before,
    ...more,
    ...(more.billing && { billing: mergedAddress(before.billing, more.billing) }),
    ...(more.shipping && { shipping: mergedAddress(before.shipping, more.shipping) }),
    ...(more.mandate_data && { mandate_data: mergedMandate(before.mandate_data, more.mandate_data, is) }),
  }
}

const ofAnotherMethod = ({ payment_method: before }: PaymentParams, { payment_method: now }: PaymentParams): boolean =>
  before !== undefined && now !== undefined && now !== before

/** Returns a request without what describes its payment method: a card is no Klarna, and has its own billing. */
function withoutMethod(request: PaymentParams): PaymentParams {
  const { payment_method_type: _type, payment_experience: _experience, payment_method_billing: _billing, ...rest } = request
  return rest
}

type MandateData = NonNullable<PaymentParams['mandate_data']>

/** Returns the data of a mandate. Terms that the merchant has set are not replaced by a browser. */
function mergedMandate(before: MandateData | undefined, more: MandateData, caller: PaymentCaller['is']): MandateData {
  const [first, second] = caller === 'client' ? [before, more] : [more, before]
  const mandate_type = first?.mandate_type ?? second?.mandate_type
  return { ...before, ...more, ...(mandate_type && { mandate_type }) }
}

/** A customer who tries another card agreed to save, and to pay by installments, only the earlier one. */

const CHOICES = ['customer_acceptance', 'mandate_data', 'setup_future_usage', 'installment_data'] as const

const choicesOf = (request: PaymentParams): Partial<PaymentParams> =>
  Object.fromEntries(CHOICES.filter(name => request[name] !== undefined).map(name => [name, request[name]]))

/** Returns a payment whose attempt has failed as it was before its customer chose; any other as it is. */
function withoutEarlierChoice(payment: Payment): Payment {
  const { before_choice, ...request } = payment.request
  if (payment.status !== 'failed' || before_choice === undefined) return payment
  // The card was to be saved under this id.
  if (request.saves === 'card') delete request.payment_method_id
  delete request.saves
  delete request.new_mandate_id
  for (const name of CHOICES) delete request[name]
  return { ...payment, request: { ...request, ...before_choice } }
}

/** Returns a payment as a browser's request has changed it, with what stood there before, if its customer chose. */
function notingChoice(before: Payment, after: Payment): Payment {
  const { request } = after
  if (request.before_choice !== undefined || CHOICES.every(name => request[name] === before.request[name])) return after
  return { ...after, request: { ...request, before_choice: choicesOf(before.request) } }
}
