import type { Offer } from '../offer.ts'

/**
 * The payment methods at Braintree besides cards. Each is paid with the single-use token (nonce) that Braintree's
 * script gives to a page. There is one row for each of our payment_method_types. `as`: the kind of payment method at
 * Braintree. A card in a wallet is a credit card.
 */

type BraintreeRow = Offer & { as: 'CreditCard' | 'PayPalAccount' | 'VenmoAccount' }

const nonce = { family: 'wallet', capture: ['automatic', 'manual'], recurring: true, setUp: true, decided: 'at once' } as const

export const braintreeOffers = {
  paypal: { ...nonce, ways: ['paypal_sdk'], as: 'PayPalAccount' },
  venmo: { ...nonce, ways: ['venmo_sdk'], countries: ['US'], currencies: ['USD'], as: 'VenmoAccount' },
  apple_pay: { ...nonce, ways: ['apple_pay_third_party_sdk'], as: 'CreditCard' },
  google_pay: { ...nonce, ways: ['google_pay_third_party_sdk'], as: 'CreditCard' },
} as const satisfies Record<string, BraintreeRow>

export type BraintreeKind = BraintreeRow['as']

/** Returns Braintree's kind of a payment_method_type; null if Braintree does not support it. */
export const braintreeKindOf = (type: string): BraintreeKind | null =>
  Object.hasOwn(braintreeOffers, type) ? braintreeOffers[type as keyof typeof braintreeOffers].as : null
