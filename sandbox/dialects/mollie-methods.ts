// The payment methods of Mollie, one row for each: the shopper's action and the result.

import type { CardName } from '../cards.ts'
import type { Course, Operation, Payment } from '../records.ts'

const minute = 60_000
const day = 24 * 60 * minute

/**
 * A payment method. `family`, `way`: its names in the sandbox's ledger. `manual`: the payment can be captured later.
 * `first`: the mandate's method after a first payment; absent if the method does not support first payments. `token`:
 * the member with a wallet's data, or with the token of a card entered in the shop's page. `card`: the payment is made
 * with a card.
 */
export type MollieMethod = {
  family: string
  way: string
  course: Course
  life_ms: number
  currencies: readonly string[] | null
  manual?: true
  first?: 'creditcard' | 'paypal' | 'directdebit'
  token?: 'applePayPaymentToken' | 'googlePayPaymentToken' | 'cardToken'
  card?: true
  wants?: readonly ('lines' | 'billingAddress')[]
}

const bank = (way: string, currencies: readonly string[], first?: 'directdebit'): MollieMethod => ({
  family: 'bank_redirect',
  way,
  course: 'redirect',
  life_ms: 15 * minute,
  currencies,
  ...(first && { first }),
})
const wallet = (way: string, currencies: readonly string[] | null, more: Partial<MollieMethod> = {}): MollieMethod => ({
  family: 'wallet',
  way,
  course: 'redirect',
  life_ms: 30 * minute,
  currencies,
  ...more,
})

const mollieMethods: Readonly<Record<string, MollieMethod>> = {
  creditcard: {
    family: 'card_redirect',
    way: 'card_redirect',
    course: 'redirect',
    life_ms: 30 * minute,
    currencies: null,
    manual: true,
    first: 'creditcard',
    token: 'cardToken',
    card: true,
  },
  applepay: wallet('apple_pay_redirect', null, { first: 'creditcard', token: 'applePayPaymentToken', card: true }),
  googlepay: wallet('google_pay_redirect', null, { token: 'googlePayPaymentToken', card: true }),
  paypal: wallet('paypal_redirect', null, { first: 'paypal', life_ms: 180 * minute }),
  twint: wallet('twint_redirect', ['CHF']),
  mobilepay: wallet('mobile_pay_redirect', ['DKK', 'EUR'], { manual: true }),
  vipps: wallet('vipps_redirect', ['NOK'], { manual: true }),
  swish: wallet('swish_qr', ['SEK']),
  mbway: wallet('mb_way_redirect', ['EUR']),
  klarna: {
    family: 'pay_later',
    way: 'klarna_redirect',
    course: 'redirect',
    life_ms: 2 * day,
    currencies: ['CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'HUF', 'NOK', 'PLN', 'RON', 'SEK'],
    manual: true,
    wants: ['lines', 'billingAddress'],
  },
  alma: {
    family: 'pay_later',
    way: 'alma_redirect',
    course: 'redirect',
    life_ms: 60 * minute,
    currencies: ['EUR'],
    wants: ['billingAddress'],
  },
  ideal: bank('ideal', ['EUR'], 'directdebit'),
  bancontact: bank('bancontact_card', ['EUR'], 'directdebit'),
  eps: bank('eps', ['EUR'], 'directdebit'),
  belfius: bank('local_bank_redirect', ['EUR'], 'directdebit'),
  kbc: bank('local_bank_redirect', ['EUR'], 'directdebit'),
  przelewy24: bank('przelewy24', ['EUR', 'PLN']),
  blik: { ...bank('blik', ['PLN']), course: 'redirect' },
  bizum: bank('bizum', ['EUR']),
  trustly: bank('trustly', ['EUR', 'GBP', 'SEK']),
  banktransfer: { family: 'bank_transfer', way: 'sepa_bank_transfer', course: 'transfer', life_ms: 14 * day, currencies: ['EUR'] },
  multibanco: { family: 'bank_transfer', way: 'multibanco_bank_transfer', course: 'transfer', life_ms: 7 * day, currencies: ['EUR'] },
  paysafecard: { family: 'gift_card', way: 'pay_safe_card', course: 'redirect', life_ms: 30 * minute, currencies: ['EUR'] },
  directdebit: { family: 'bank_debit', way: 'sepa_bank_debit', course: 'later', life_ms: 14 * day, currencies: ['EUR'] },
}

export const methodNamed = (name: string): MollieMethod | undefined =>
  Object.hasOwn(mollieMethods, name) ? mollieMethods[name] : undefined

/** The failures that amounts of card payments request, in currencies with two decimals (docs.mollie.com, testing). */
const failures: Readonly<Record<number, string>> = {
  100100: 'invalid_card_number',
  100200: 'invalid_cvv',
  100300: 'invalid_card_holder_name',
  100400: 'card_expired',
  100500: 'invalid_card_type',
  100600: 'refused_by_issuer',
  100700: 'insufficient_funds',
  100800: 'inactive_card',
  100900: 'possible_fraud',
  101000: 'authentication_failed',
  101100: 'card_declined',
}
/** Amounts of the sandbox's own, for any method: a refund fails later, or the payment is charged back. */
const fates: Readonly<Record<number, CardName>> = { 102100: 'refund_fails_later', 102200: 'disputed' }

/** Returns the test card that behaves as this amount requests. `alone`: the shopper is not redirected. */
export function fateOf(isCard: boolean, amount: number, alone: boolean): CardName {
  if (isCard && Object.hasOwn(failures, amount)) return alone ? 'declined' : 'challenge_then_declined'
  return fates[amount] ?? 'approved'
}

export const failureOf = ({ asked }: Payment, { decline }: Operation) => ({
  failureReason: failures[asked] ?? 'card_declined',
  failureMessage: decline?.message ?? 'The payment failed.',
})
