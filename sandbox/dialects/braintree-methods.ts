// The payment methods at Braintree: single-use ids (nonces), among them the test nonces of Braintree's public
// reference, which can be reused; stored payment methods, and their customers.

import type { Account } from '../books.ts'
import { cardOf, mask } from '../cards.ts'
import { cardKept } from '../processor.ts'
import type { Document, Method, Payment } from '../records.ts'
import type { AuthorizeRequest } from '../requests.ts'
import type { Owner } from './braintree-kept.ts'
import { type Input, invalid, isCode, newToken, type Token, unknownId, type Work } from './braintree-work.ts'

type Kind = 'CreditCard' | 'PayPalAccount' | 'VenmoAccount'

/**
 * A payment method. `kept`: stored. `once`: cannot be stored. `proof`: the cardholder was authenticated by Braintree's
 * script.
 */
type Paid = {
  kind: Kind
  card: AuthorizeRequest['card']
  method?: Method
  kept?: true
  once?: true
  proof?: NonNullable<AuthorizeRequest['authentication']>
}

const byNumber = (number: string): Paid => ({
  kind: 'CreditCard',
  card: { name: cardOf(number), masked: mask(number), cvc: 'missing', expires: '2090-12' },
})
const account = (kind: Kind, way: string): Paid => ({
  kind,
  method: { family: 'wallet', way, course: 'at once' },
  card: { name: 'approved', masked: way, cvc: 'missing', expires: '9999-12' },
})
const numbers = { visa: '4111111111111111', mastercard: '5555555555554444', amex: '378282246310005', discover: '6011111111111117' }
const proof = { status: 'Y', eci: '05', cavv: 'cGhvbnktc2FuZGJveC1jYXZ2IQ==', version: '2.2.0', ds_transaction_id: 'sandbox' } as const

const testNonces: Readonly<Record<string, Paid>> = {
  'fake-paypal-one-time-nonce': { ...account('PayPalAccount', 'paypal_sdk'), once: true },
  'fake-paypal-billing-agreement-nonce': account('PayPalAccount', 'paypal_sdk'),
  'fake-venmo-account-nonce': account('VenmoAccount', 'venmo_sdk'),
  'fake-valid-nonce': byNumber(numbers.visa),
  'fake-android-pay-nonce': byNumber(numbers.visa),
  ...Object.fromEntries(
    Object.entries(numbers).flatMap(([network, number]) =>
      ['fake-valid', 'fake-apple-pay', 'fake-android-pay'].map(prefix => [`${prefix}-${network}-nonce`, byNumber(number)]),
    ),
  ),
  'fake-three-d-secure-visa-full-authentication-nonce': { ...byNumber('4000000000003220'), proof },
  'fake-processor-declined-visa-nonce': byNumber('4000000000000002'),
}
const nonceNamed = (id: string): Paid | null => (Object.hasOwn(testNonces, id) ? testNonces[id]! : null)

/** Returns the payment method of this id, single-use or stored; null if the id is unknown. */
export function paidBy({ payments, documents }: Account, id: unknown, cvc: 'sent' | 'missing'): Paid | null {
  const name = String(id)
  const token = documents.get(name) as Token | undefined
  if (token?.object === 'braintree_token') return { kind: 'CreditCard', card: token.card }
  const nonce = nonceNamed(name)
  if (nonce) return nonce
  const card = cardKept(payments, name.replace('paymentmethod_', 'mdt_'), cvc)
  if (card === null) return null
  const { method } = payments.get(name.replace('paymentmethod_', 'auth_'))!
  return { kind: kindOf(method), card, ...(method && { method }), kept: true }
}

const kindOf = (method: Method | undefined): Kind =>
  method === undefined ? 'CreditCard' : method.way === 'venmo_sdk' ? 'VenmoAccount' : 'PayPalAccount'

/**
 * Returns the payment method of this id. Refuses ids that are used or unknown, and kinds that the mutation (`field`)
 * does not accept.
 */
export function needPaid(work: Work, field: string, id: string, code: unknown, currency: string): Paid {
  const token = work.account.documents.get(id) as Token | undefined
  if (id === 'fake-consumed-nonce' || (token?.object === 'braintree_token' && token.used))
    throw invalid('91564', 'Cannot use a paymentMethodNonce more than once.', 'paymentMethodId')
  const paid = paidBy(work.account, id, isCode(work, code) ? 'sent' : 'missing')
  if (paid === null) throw invalid('91565', 'Unknown or expired single-use payment method.', 'paymentMethodId')
  const [, kind] = /(CreditCard|PayPalAccount|VenmoAccount)$/.exec(field) ?? []
  if (kind !== undefined && kind !== paid.kind) throw invalid('915101', 'Payment instrument type is not accepted.', 'paymentMethodId')
  if (paid.kind === 'VenmoAccount' && currency !== 'USD')
    throw invalid('91577', 'Merchant account does not support payment instrument.', 'paymentMethodId')
  if (token?.object === 'braintree_token') work.keep({ documents: [{ ...token, used: true } as Token] })
  return paid
}

export type Customer = Document & { object: 'braintree_customer'; said: Readonly<Record<string, string>>; gone?: true }

export function customerCalled({ account: { documents } }: Work, id: unknown): Customer {
  const customer = documents.get(String(id)) as Customer | undefined
  if (customer?.object !== 'braintree_customer' || customer.gone) throw unknownId()
  return customer
}

/** Creates a customer, or updates an existing one. */
export function saveCustomer(work: Work, { customerId, customer = {} }: Input): Customer {
  const before = customerId === undefined ? null : customerCalled(work, customerId)
  const id = before?.id ?? newToken(work, 'customer')
  const after: Customer = { id, object: 'braintree_customer', said: { ...before?.said, ...customer } }
  work.keep({ documents: [after] })
  return after
}

/** Assigns a stored payment method to the named customer, or to a new customer if none is named. */
export function ownIt(work: Work, payment: Payment, named: unknown, details: Input): void {
  const customer = named === undefined || named === null ? saveCustomer(work, { customer: details }).id : customerCalled(work, named).id
  work.keep({ documents: [{ id: `owner_${payment.id}`, object: 'braintree_owner', customer } as Owner] })
}
