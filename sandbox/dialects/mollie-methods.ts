// Payment methods at Mollie: what its shopper must do, and how it ends; one row for each of Mollie's methods.

import type { CardName } from '../cards.ts'
import type { Course, Operation, Payment } from '../records.ts'

const minute = 60_000
const day = 24 * 60 * minute

/**
 * `family`, `way`: as the sandbox's ledger calls it. `manual`: it can be captured later. `first`: what a first payment
 * leaves; absent: it cannot be one. `token`: the member that brings a wallet's own data, or a card's that was
 * entered in the shop's page. `card`: a card is behind it.
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

export const mollieMethods: Readonly<Record<string, MollieMethod>> = {
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

/** Amounts of cards that choose a failure, in currencies of two decimals (docs.mollie.com, testing). */
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
/** And of any method, amounts of the sandbox's own: its refunds fail later; its money is taken back. */
const fates: Readonly<Record<number, CardName>> = { 102100: 'refund_fails_later', 102200: 'disputed' }

/** The card that does what this amount is to do. `alone`: its shopper is not sent anywhere. */
export function fateOf(isCard: boolean, amount: number, alone: boolean): CardName {
  if (isCard && Object.hasOwn(failures, amount)) return alone ? 'declined' : 'challenge_then_declined'
  return fates[amount] ?? 'approved'
}

export const failureOf = ({ asked }: Payment, { decline }: Operation) => ({
  failureReason: failures[asked] ?? 'card_declined',
  failureMessage: decline?.message ?? 'The payment failed.',
})
