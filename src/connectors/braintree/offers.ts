import type { Offer } from '../offer.ts'

/** Each is paid with the nonce of Braintree's script. `as`: Braintree's kind; a card in a wallet is a credit card. */

type BraintreeRow = Offer & { as: 'CreditCard' | 'PayPalAccount' | 'VenmoAccount' }

const nonce = { family: 'wallet', capture: ['automatic', 'manual'], recurring: true, setUp: true, decided: 'at once' } as const

export const braintreeOffers = {
  paypal: { ...nonce, ways: ['paypal_sdk'], as: 'PayPalAccount' },
  venmo: { ...nonce, ways: ['venmo_sdk'], countries: ['US'], currencies: ['USD'], as: 'VenmoAccount' },
  apple_pay: { ...nonce, ways: ['apple_pay_third_party_sdk'], as: 'CreditCard' },
  google_pay: { ...nonce, ways: ['google_pay_third_party_sdk'], as: 'CreditCard' },
} as const satisfies Record<string, BraintreeRow>

export type BraintreeKind = BraintreeRow['as']

export const braintreeKindOf = (type: string): BraintreeKind | null =>
  Object.hasOwn(braintreeOffers, type) ? braintreeOffers[type as keyof typeof braintreeOffers].as : null
