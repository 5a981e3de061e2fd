import { isRecord, readJson } from '../kit/read.ts'
import { familiesOf, type Offer } from '../offer.ts'

/**
 * The payment methods at Mollie (docs.mollie.com, payment methods; the methods of its Payments API): one row for each
 * of our payment_method_types. Customers are redirected to Mollie's page, or through it to their bank or wallet,
 * except for a wallet's encrypted data and for debits. `ways`: a function for each of our ways to pay that Mollie
 * supports, which returns the members of the payment; null if the data does not fit. `debits`: the account is charged
 * by a mandate that is created beforehand.
 */
export type MollieRow = Omit<Offer, 'ways'> & { ways: Readonly<Record<string, (details: MollieDetails) => Paying | null>>; debits?: true }

export type MollieDetails = Readonly<Record<string, string | undefined>>
type Paying = { method: string | readonly string[]; applePayPaymentToken?: string; googlePayPaymentToken?: string; cardToken?: string }

const by =
  <Method extends string>(method: Method) =>
  () =>
    ({ method }) as { method: Method }

/** Captured later, in several parts if needed (docs.mollie.com, place a hold for a payment). */
const held = ['automatic', 'manual', 'manual_multiple'] as const
const redirected = { decided: 'by the customer' } as const
/** The first payment at a bank creates a mandate for debits (docs.mollie.com, recurring payments). */
const byDebit = { recurring: 'after days' } as const

/** In the form that Apple's script gives. */
function appleToken(details: MollieDetails) {
  const paymentData = readJson(Buffer.from(details.payment_data ?? '', 'base64').toString()) ?? readJson(details.payment_data ?? '')
  if (!isRecord(paymentData)) return null
  const applePayPaymentToken = JSON.stringify({
    paymentData,
    paymentMethod: {
      displayName: details['payment_method.display_name'],
      network: details['payment_method.network'],
      type: details['payment_method.type'],
    },
    transactionIdentifier: details.transaction_identifier,
  })
  return { method: 'applepay', applePayPaymentToken } as const
}

const googleToken = (details: MollieDetails) =>
  ({ method: 'googlepay', googlePayPaymentToken: details['tokenization_data.token'] ?? '' }) as const

/** The token of Mollie Components. The customer may still be redirected to their bank. */
const cardToken = (details: MollieDetails) => ({ method: 'creditcard', cardToken: details.token ?? '' }) as const

/** docs.mollie.com, multicurrency. All have the decimals of ISO 4217. */
// biome-ignore format: a table reads better in columns
export const mollieCurrencies = [
  'AED', 'AUD', 'BGN', 'BRL', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD', 'HUF', 'ILS', 'ISK', 'JPY', 'MXN', 'MYR', 'NOK', 'NZD',
  'PHP', 'PLN', 'RON', 'SEK', 'SGD', 'THB', 'TWD', 'USD', 'ZAR',
] as const

export const mollieOffers = {
  // --- cards, whose numbers are entered on Mollie's page, or in Mollie's fields on the shop's page
  card_redirect: {
    family: 'card_redirect',
    ways: { card_redirect: by('creditcard'), card_component: cardToken },
    currencies: mollieCurrencies,
    capture: held,
    recurring: true,
    setUp: true,
    ...redirected,
  },

  // --- wallets
  apple_pay: {
    family: 'wallet',
    ways: { apple_pay: appleToken, apple_pay_redirect: by('applepay') },
    currencies: mollieCurrencies,
    recurring: true,
    decided: 'at once',
  },
  google_pay: {
    family: 'wallet',
    ways: { google_pay: googleToken, google_pay_redirect: by('googlepay') },
    currencies: mollieCurrencies,
    decided: 'at once',
  },
  paypal: {
    family: 'wallet',
    ways: { paypal_redirect: by('paypal') },
    currencies: [
      ...['AUD', 'BRL', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD', 'HUF', 'ILS', 'JPY', 'MXN', 'MYR', 'NOK', 'NZD', 'PHP'],
      ...['PLN', 'SEK', 'SGD', 'THB', 'TWD', 'USD'],
    ] as const,
    recurring: true,
    setUp: true,
    ...redirected,
  },
  twint: { family: 'wallet', ways: { twint_redirect: by('twint') }, currencies: ['CHF'], ...redirected },
  mobile_pay: {
    family: 'wallet',
    ways: { mobile_pay_redirect: by('mobilepay') },
    countries: ['DK', 'FI'],
    currencies: ['DKK', 'EUR'],
    capture: held,
    ...redirected,
  },
  vipps: { family: 'wallet', ways: { vipps_redirect: by('vipps') }, countries: ['NO'], currencies: ['NOK'], capture: held, ...redirected },
  swish: { family: 'wallet', ways: { swish_qr: by('swish') }, currencies: ['SEK'], ...redirected },
  mb_way: { family: 'wallet', ways: { mb_way_redirect: by('mbway') }, currencies: ['EUR'], ...redirected },

  // --- paid later
  klarna: {
    family: 'pay_later',
    ways: { klarna_redirect: by('klarna') },
    // biome-ignore format: a table reads better in columns
    countries: ['AT', 'BE', 'CH', 'CZ', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'GR', 'HU', 'IE', 'IT', 'NL', 'NO', 'PL', 'PT', 'RO', 'SE', 'SK'],
    currencies: ['CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'HUF', 'NOK', 'PLN', 'RON', 'SEK'],
    capture: held,
    requires: ['lines', 'billing.name', 'billing.email', 'billing.address'],
    ...redirected,
  },
  alma: {
    family: 'pay_later',
    ways: { alma_redirect: by('alma') },
    currencies: ['EUR'],
    requires: ['billing.name', 'billing.email', 'billing.address'],
    ...redirected,
  },

  // --- at the customer's bank
  ideal: { family: 'bank_redirect', ways: { ideal: by('ideal') }, currencies: ['EUR'], ...byDebit, ...redirected },
  bancontact_card: { family: 'bank_redirect', ways: { bancontact_card: by('bancontact') }, currencies: ['EUR'], ...byDebit, ...redirected },
  eps: { family: 'bank_redirect', ways: { eps: by('eps') }, currencies: ['EUR'], ...byDebit, ...redirected },
  przelewy24: {
    family: 'bank_redirect',
    ways: { przelewy24: by('przelewy24') },
    currencies: ['EUR', 'PLN'],
    requires: ['billing.email'],
    ...redirected,
  },
  blik: { family: 'bank_redirect', ways: { blik: by('blik') }, currencies: ['PLN'], ...redirected },
  bizum: { family: 'bank_redirect', ways: { bizum: by('bizum') }, currencies: ['EUR'], ...redirected },
  trustly: { family: 'bank_redirect', ways: { trustly: by('trustly') }, currencies: ['EUR', 'GBP', 'SEK'], ...redirected },
  // Mollie's page lets the customer choose one of the two.
  local_bank_redirect: {
    family: 'bank_redirect',
    ways: { local_bank_redirect: () => ({ method: ['belfius', 'kbc'] }) as const },
    countries: ['BE'],
    currencies: ['EUR'],
    ...byDebit,
    ...redirected,
  },

  // --- debits of bank accounts, and transfers or cash payments by the customer
  sepa: {
    family: 'bank_debit',
    ways: { sepa_bank_debit: by('directdebit') },
    debits: true,
    currencies: ['EUR'],
    requires: ['billing.name', 'acceptance'],
    recurring: true,
    setUp: true,
    decided: 'after days',
  },
  sepa_bank_transfer: {
    family: 'bank_transfer',
    ways: { sepa_bank_transfer: by('banktransfer') },
    currencies: ['EUR'],
    decided: 'after days',
  },
  multibanco: { family: 'bank_transfer', ways: { multibanco_bank_transfer: by('multibanco') }, currencies: ['EUR'], ...redirected },
  pay_safe_card: { family: 'gift_card', ways: { pay_safe_card: by('paysafecard') }, currencies: ['EUR'], ...redirected },
} as const satisfies Readonly<Record<string, MollieRow>>

export type MollieFamily = (typeof mollieOffers)[keyof typeof mollieOffers]['family']
export const mollieFamilies = familiesOf(mollieOffers)

export const rowNamed = (type: string): MollieRow | null =>
  Object.hasOwn(mollieOffers, type) ? mollieOffers[type as keyof typeof mollieOffers] : null
