import type { Offer } from '../offer.ts'

/**
 * What can be paid with at Braintree besides cards, by the name for once (nonce) that Braintree's own script gives a
 * page: one row for each of our payment_method_types. `as`: as what it is charged there. A wallet's card is one.
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

/** As what a type is charged; null if it is not. */
export const braintreeKindOf = (type: string): BraintreeKind | null =>
  Object.hasOwn(braintreeOffers, type) ? braintreeOffers[type as keyof typeof braintreeOffers].as : null
