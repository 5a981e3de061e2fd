import type { Offer } from '../connector.ts'
import type { Other } from '../instrument.ts'
import { rowIn } from '../offer.ts'

/**
 * The payment methods that Stripe takes besides cards typed in: one row for each payment_method_type
 * (docs.stripe.com/payments/payment-methods). `as`: Stripe's type of payment method; `card` for a wallet that gives
 * the token of a card. `ways`: the ways (members of the request) in which Stripe takes the type; any other is refused
 * by name. `store`: the convenience store with whose code the payment is made. `sends`: Stripe passes the lines of the
 * order on. `leaves`: the type under which later payments are charged. `needs`: Stripe requires a customer object for
 * the payer. Countries are listed only if Stripe itself refuses payers from others.
 */
export type StripeRow = Omit<Offer, 'ways'> & {
  as: string
  ways: readonly string[]
  store?: string
  sends?: 'lines'
  leaves?: 'sepa_debit'
  needs?: 'customer'
}

/** Stripe holds the amount, and captures all or a part of it, once. */
const held = ['automatic', 'manual'] as const
/** A wallet's card is a card. */
const card = { as: 'card', capture: ['automatic', 'manual', 'manual_multiple'], recurring: true, setUp: true, decided: 'at once' } as const
/** The customer can agree to later charges, with a payment or without one. */
const again = { recurring: true, setUp: true } as const
/** A payment at a bank leaves a mandate for debits (docs.stripe.com/payments/ideal/set-up-payment). */
const byDebit = { recurring: 'after days', setUp: true, leaves: 'sepa_debit' } as const
const byTheCustomer = 'by the customer'
const afterDays = 'after days'

const konbini = {
  family: 'voucher',
  as: 'konbini',
  currencies: ['JPY'],
  countries: ['JP'],
  least: { JPY: 120 },
  most: { JPY: 300_000 },
  requires: ['billing.name', 'billing.email'],
  decided: afterDays,
} as const

/** The customer transfers the money to an account of their own at Stripe (docs.stripe.com/payments/bank-transfers). */
const transfer = {
  family: 'bank_transfer',
  as: 'customer_balance',
  needs: 'customer',
  requires: ['billing.email'],
  decided: afterDays,
} as const

export const stripeOffers = {
  // Stripe takes the token that its own library made of the wallet's data, and not the wallet's own encrypted data.
  apple_pay: { family: 'wallet', ways: ['apple_pay_third_party_sdk'], ...card },
  google_pay: { family: 'wallet', ways: ['google_pay', 'google_pay_third_party_sdk'], ...card },
  ali_pay: {
    family: 'wallet',
    as: 'alipay',
    ways: ['ali_pay_redirect'],
    currencies: ['AUD', 'CAD', 'CNY', 'EUR', 'GBP', 'HKD', 'JPY', 'MYR', 'NZD', 'SGD', 'USD'],
    decided: byTheCustomer,
  },
  amazon_pay: {
    family: 'wallet',
    as: 'amazon_pay',
    ways: ['amazon_pay_redirect'],
    currencies: ['AUD', 'CHF', 'DKK', 'EUR', 'GBP', 'HKD', 'JPY', 'NOK', 'NZD', 'SEK', 'USD', 'ZAR'],
    capture: held,
    ...again,
    decided: byTheCustomer,
  },
  cashapp: {
    family: 'wallet',
    as: 'cashapp',
    ways: ['cashapp_qr'],
    currencies: ['USD'],
    countries: ['US'],
    capture: held,
    ...again,
    decided: byTheCustomer,
  },
  kakao_pay: {
    family: 'wallet',
    as: 'kakao_pay',
    ways: ['kakao_pay_redirect'],
    currencies: ['KRW'],
    capture: held,
    ...again,
    decided: byTheCustomer,
  },
  mb_way: {
    family: 'wallet',
    as: 'mb_way',
    ways: ['mb_way_redirect'],
    currencies: ['EUR'],
    requires: ['billing.phone'],
    decided: byTheCustomer,
  },
  mobile_pay: {
    family: 'wallet',
    as: 'mobilepay',
    ways: ['mobile_pay_redirect'],
    currencies: ['DKK', 'EUR', 'NOK', 'SEK'],
    capture: held,
    decided: byTheCustomer,
  },
  paypal: {
    family: 'wallet',
    as: 'paypal',
    ways: ['paypal_redirect'],
    currencies: ['AUD', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD', 'NOK', 'NZD', 'PLN', 'SEK', 'SGD', 'USD'],
    capture: held,
    ...again,
    decided: byTheCustomer,
  },
  revolut_pay: {
    family: 'wallet',
    as: 'revolut_pay',
    ways: ['revolut_pay'],
    currencies: ['DKK', 'EUR', 'GBP', 'HUF', 'PLN', 'RON'],
    capture: held,
    ...again,
    decided: byTheCustomer,
  },
  swish: { family: 'wallet', as: 'swish', ways: ['swish_qr'], currencies: ['SEK'], decided: byTheCustomer },
  twint: {
    family: 'wallet',
    as: 'twint',
    ways: ['twint_redirect'],
    currencies: ['CHF'],
    most: { CHF: 500_000 },
    decided: byTheCustomer,
  },
  we_chat_pay: {
    family: 'wallet',
    as: 'wechat_pay',
    ways: ['we_chat_pay_qr'],
    currencies: ['AUD', 'CAD', 'CHF', 'CNY', 'DKK', 'EUR', 'GBP', 'HKD', 'JPY', 'NOK', 'SEK', 'SGD', 'USD'],
    decided: byTheCustomer,
  },
  affirm: {
    family: 'pay_later',
    as: 'affirm',
    ways: ['affirm_redirect'],
    currencies: ['CAD', 'USD'],
    countries: ['CA', 'US'],
    least: { CAD: 5000, USD: 3500 },
    most: { CAD: 3_000_000, USD: 3_000_000 },
    capture: held,
    decided: byTheCustomer,
  },
  afterpay_clearpay: {
    family: 'pay_later',
    as: 'afterpay_clearpay',
    ways: ['afterpay_clearpay_redirect'],
    currencies: ['AUD', 'CAD', 'GBP', 'NZD', 'USD'],
    countries: ['AU', 'CA', 'GB', 'NZ', 'US'],
    least: { AUD: 100, CAD: 100, GBP: 100, NZD: 100, USD: 100 },
    most: { AUD: 200_000, CAD: 200_000, GBP: 120_000, NZD: 200_000, USD: 400_000 },
    capture: held,
    requires: ['billing.name', 'billing.email', 'billing.address'],
    decided: byTheCustomer,
  },
  alma: {
    family: 'pay_later',
    as: 'alma',
    ways: ['alma_redirect'],
    currencies: ['EUR'],
    least: { EUR: 5000 },
    most: { EUR: 200_000 },
    capture: held,
    decided: byTheCustomer,
  },
  klarna: {
    family: 'pay_later',
    as: 'klarna',
    ways: ['klarna_redirect'],
    currencies: ['AUD', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'NOK', 'NZD', 'PLN', 'RON', 'SEK', 'USD'],
    // biome-ignore format: a table reads better in columns
    countries: [
      'AT', 'AU', 'BE', 'CA', 'CH', 'CZ', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'GR', 'IE', 'IT', 'NL', 'NO', 'NZ', 'PL', 'PT', 'RO', 'SE', 'US',
    ],
    capture: held,
    requires: ['billing.email', 'billing.country'],
    sends: 'lines',
    ...again,
    decided: byTheCustomer,
  },
  bancontact_card: {
    family: 'bank_redirect',
    as: 'bancontact',
    ways: ['bancontact_card'],
    currencies: ['EUR'],
    requires: ['billing.name'],
    ...byDebit,
    decided: byTheCustomer,
  },
  bizum: { family: 'bank_redirect', as: 'bizum', ways: ['bizum'], currencies: ['EUR'], decided: byTheCustomer },
  blik: { family: 'bank_redirect', as: 'blik', ways: ['blik'], currencies: ['PLN'], decided: byTheCustomer },
  eps: {
    family: 'bank_redirect',
    as: 'eps',
    ways: ['eps'],
    currencies: ['EUR'],
    requires: ['billing.name'],
    decided: byTheCustomer,
  },
  ideal: { family: 'bank_redirect', as: 'ideal', ways: ['ideal'], currencies: ['EUR'], ...byDebit, decided: byTheCustomer },
  online_banking_fpx: {
    family: 'bank_redirect',
    as: 'fpx',
    ways: ['online_banking_fpx'],
    currencies: ['MYR'],
    decided: byTheCustomer,
  },
  przelewy24: {
    family: 'bank_redirect',
    as: 'p24',
    ways: ['przelewy24'],
    currencies: ['EUR', 'PLN'],
    requires: ['billing.email'],
    decided: byTheCustomer,
  },
  ach: {
    family: 'bank_debit',
    as: 'us_bank_account',
    ways: ['ach_bank_debit'],
    currencies: ['USD'],
    requires: ['billing.name', 'acceptance'],
    ...again,
    decided: afterDays,
  },
  bacs: {
    family: 'bank_debit',
    as: 'bacs_debit',
    ways: ['bacs_bank_debit'],
    currencies: ['GBP'],
    requires: ['billing.name', 'billing.email', 'billing.address', 'acceptance'],
    ...again,
    decided: afterDays,
  },
  becs: {
    family: 'bank_debit',
    as: 'au_becs_debit',
    ways: ['becs_bank_debit'],
    currencies: ['AUD'],
    requires: ['billing.name', 'billing.email', 'acceptance'],
    ...again,
    decided: afterDays,
  },
  sepa: {
    family: 'bank_debit',
    as: 'sepa_debit',
    ways: ['sepa_bank_debit'],
    currencies: ['EUR'],
    requires: ['billing.name', 'billing.email', 'acceptance'],
    ...again,
    decided: afterDays,
  },
  multibanco: {
    family: 'bank_transfer',
    as: 'multibanco',
    ways: ['multibanco_bank_transfer'],
    currencies: ['EUR'],
    requires: ['billing.email'],
    decided: afterDays,
  },
  pix: { family: 'bank_transfer', as: 'pix', ways: ['pix'], currencies: ['BRL'], countries: ['BR'], decided: byTheCustomer },
  sepa_bank_transfer: { ways: ['sepa_bank_transfer'], currencies: ['EUR'], ...transfer },
  'bank_transfer.ach': { ways: ['ach_bank_transfer'], currencies: ['USD'], ...transfer },
  'bank_transfer.bacs': { ways: ['bacs_bank_transfer'], currencies: ['GBP'], ...transfer },
  boleto: {
    family: 'voucher',
    as: 'boleto',
    ways: ['boleto'],
    currencies: ['BRL'],
    countries: ['BR'],
    least: { BRL: 500 },
    most: { BRL: 4_999_999 },
    requires: ['billing.name', 'billing.email', 'billing.address'],
    refunds: false,
    decided: afterDays,
  },
  oxxo: {
    family: 'voucher',
    as: 'oxxo',
    ways: ['oxxo'],
    currencies: ['MXN'],
    countries: ['MX'],
    least: { MXN: 1000 },
    most: { MXN: 1_000_000 },
    requires: ['billing.name', 'billing.email'],
    refunds: false,
    decided: afterDays,
  },
  family_mart: { ways: ['family_mart'], store: 'familymart', ...konbini },
  lawson: { ways: ['lawson'], store: 'lawson', ...konbini },
  mini_stop: { ways: ['mini_stop'], store: 'ministop', ...konbini },
  seicomart: { ways: ['seicomart'], store: 'seicomart', ...konbini },
  upi_qr: { family: 'upi', as: 'upi', ways: ['upi_qr'], currencies: ['INR'], countries: ['IN'], decided: byTheCustomer },
  prompt_pay: {
    family: 'real_time_payment',
    as: 'promptpay',
    ways: ['prompt_pay'],
    currencies: ['THB'],
    requires: ['billing.email'],
    decided: byTheCustomer,
  },
} as const satisfies Readonly<Record<string, StripeRow>>

type Offered = (typeof stripeOffers)[keyof typeof stripeOffers]
/** The families of which Stripe takes at least one type. */
export type StripeFamily = Offered['family']
/** Stripe's types of payment methods that have requests of their own; a wallet's card is none of them. */
export type StripeType = Exclude<Offered['as'], 'card'>

export const stripeFamilies: readonly StripeFamily[] = [...new Set(Object.values(stripeOffers).map(({ family }) => family))]

/** Returns the row of a payment method; null if Stripe does not take it. */
export const offerFor = ({ is, type }: Pick<Other, 'is' | 'type'>): StripeRow | null => rowIn<StripeRow>(stripeOffers, is, type) ?? null
