import type { Offer } from '../connector.ts'
import type { Other, OtherFamily } from '../instrument.ts'
import { familiesOf, rowIn } from '../offer.ts'

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

const held = ['automatic', 'manual'] as const
/** A wallet's card is a card. */
const card = { as: 'card', capture: ['automatic', 'manual', 'manual_multiple'], recurring: true, setUp: true, decided: 'at once' } as const
/** The customer can agree to later charges, with a payment or without one. */
const again = { recurring: true, setUp: true } as const
/** A payment at a bank leaves a mandate for debits (docs.stripe.com/payments/ideal/set-up-payment). */
const byDebit = { recurring: 'after days', setUp: true, leaves: 'sepa_debit' } as const
const byTheCustomer = 'by the customer'
const afterDays = 'after days'

const nameAndEmail = ['billing.name', 'billing.email'] as const

const konbini = {
  family: 'voucher',
  as: 'konbini',
  currencies: ['JPY'],
  countries: ['JP'],
  least: { JPY: 120 },
  most: { JPY: 300_000 },
  requires: nameAndEmail,
  decided: afterDays,
} as const

/** To an account of the customer's own at Stripe (docs.stripe.com/payments/bank-transfers). */
const transfer = {
  family: 'bank_transfer',
  as: 'customer_balance',
  needs: 'customer',
  requires: ['billing.email'],
  decided: afterDays,
} as const

const row = <F extends OtherFamily, As extends string, D extends Offer['decided'], const More extends Partial<StripeRow>>(
  family: F,
  as: As,
  way: string,
  decided: D,
  more: More,
) => ({ family, as, ways: [way], decided, ...more }) as const

export const stripeOffers = {
  // Stripe takes the token that its own library made of the wallet's data, and not the wallet's own encrypted data.
  apple_pay: { family: 'wallet', ways: ['apple_pay_third_party_sdk'], ...card },
  google_pay: { family: 'wallet', ways: ['google_pay', 'google_pay_third_party_sdk'], ...card },
  ali_pay: row('wallet', 'alipay', 'ali_pay_redirect', byTheCustomer, {
    currencies: ['AUD', 'CAD', 'CNY', 'EUR', 'GBP', 'HKD', 'JPY', 'MYR', 'NZD', 'SGD', 'USD'],
  }),
  amazon_pay: row('wallet', 'amazon_pay', 'amazon_pay_redirect', byTheCustomer, {
    currencies: ['AUD', 'CHF', 'DKK', 'EUR', 'GBP', 'HKD', 'JPY', 'NOK', 'NZD', 'SEK', 'USD', 'ZAR'],
    capture: held,
    ...again,
  }),
  cashapp: row('wallet', 'cashapp', 'cashapp_qr', byTheCustomer, { currencies: ['USD'], countries: ['US'], capture: held, ...again }),
  kakao_pay: row('wallet', 'kakao_pay', 'kakao_pay_redirect', byTheCustomer, { currencies: ['KRW'], capture: held, ...again }),
  mb_way: row('wallet', 'mb_way', 'mb_way_redirect', byTheCustomer, { currencies: ['EUR'], requires: ['billing.phone'] }),
  mobile_pay: row('wallet', 'mobilepay', 'mobile_pay_redirect', byTheCustomer, { currencies: ['DKK', 'EUR', 'NOK', 'SEK'], capture: held }),
  paypal: row('wallet', 'paypal', 'paypal_redirect', byTheCustomer, {
    currencies: ['AUD', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD', 'NOK', 'NZD', 'PLN', 'SEK', 'SGD', 'USD'],
    capture: held,
    ...again,
  }),
  revolut_pay: row('wallet', 'revolut_pay', 'revolut_pay', byTheCustomer, {
    currencies: ['DKK', 'EUR', 'GBP', 'HUF', 'PLN', 'RON'],
    capture: held,
    ...again,
  }),
  swish: row('wallet', 'swish', 'swish_qr', byTheCustomer, { currencies: ['SEK'] }),
  twint: row('wallet', 'twint', 'twint_redirect', byTheCustomer, { currencies: ['CHF'], most: { CHF: 500_000 } }),
  we_chat_pay: row('wallet', 'wechat_pay', 'we_chat_pay_qr', byTheCustomer, {
    currencies: ['AUD', 'CAD', 'CHF', 'CNY', 'DKK', 'EUR', 'GBP', 'HKD', 'JPY', 'NOK', 'SEK', 'SGD', 'USD'],
  }),
  affirm: row('pay_later', 'affirm', 'affirm_redirect', byTheCustomer, {
    currencies: ['CAD', 'USD'],
    countries: ['CA', 'US'],
    least: { CAD: 5000, USD: 3500 },
    most: { CAD: 3_000_000, USD: 3_000_000 },
    capture: held,
  }),
  afterpay_clearpay: row('pay_later', 'afterpay_clearpay', 'afterpay_clearpay_redirect', byTheCustomer, {
    currencies: ['AUD', 'CAD', 'GBP', 'NZD', 'USD'],
    countries: ['AU', 'CA', 'GB', 'NZ', 'US'],
    least: { AUD: 100, CAD: 100, GBP: 100, NZD: 100, USD: 100 },
    most: { AUD: 200_000, CAD: 200_000, GBP: 120_000, NZD: 200_000, USD: 400_000 },
    capture: held,
    requires: ['billing.name', 'billing.email', 'billing.address'],
  }),
  alma: row('pay_later', 'alma', 'alma_redirect', byTheCustomer, {
    currencies: ['EUR'],
    least: { EUR: 5000 },
    most: { EUR: 200_000 },
    capture: held,
  }),
  klarna: row('pay_later', 'klarna', 'klarna_redirect', byTheCustomer, {
    currencies: ['AUD', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'NOK', 'NZD', 'PLN', 'RON', 'SEK', 'USD'],
    // biome-ignore format: a list reads better in rows
    countries: [
      'AT', 'AU', 'BE', 'CA', 'CH', 'CZ', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'GR', 'IE', 'IT', 'NL', 'NO', 'NZ', 'PL',
      'PT', 'RO', 'SE', 'US',
    ],
    capture: held,
    requires: ['billing.email', 'billing.country'],
    sends: 'lines',
    ...again,
  }),
  bancontact_card: row('bank_redirect', 'bancontact', 'bancontact_card', byTheCustomer, {
    currencies: ['EUR'],
    requires: ['billing.name'],
    ...byDebit,
  }),
  bizum: row('bank_redirect', 'bizum', 'bizum', byTheCustomer, { currencies: ['EUR'] }),
  blik: row('bank_redirect', 'blik', 'blik', byTheCustomer, { currencies: ['PLN'] }),
  eps: row('bank_redirect', 'eps', 'eps', byTheCustomer, { currencies: ['EUR'], requires: ['billing.name'] }),
  ideal: row('bank_redirect', 'ideal', 'ideal', byTheCustomer, { currencies: ['EUR'], ...byDebit }),
  online_banking_fpx: row('bank_redirect', 'fpx', 'online_banking_fpx', byTheCustomer, { currencies: ['MYR'] }),
  przelewy24: row('bank_redirect', 'p24', 'przelewy24', byTheCustomer, { currencies: ['EUR', 'PLN'], requires: ['billing.email'] }),
  ach: row('bank_debit', 'us_bank_account', 'ach_bank_debit', afterDays, {
    currencies: ['USD'],
    requires: ['billing.name', 'acceptance'],
    ...again,
  }),
  bacs: row('bank_debit', 'bacs_debit', 'bacs_bank_debit', afterDays, {
    currencies: ['GBP'],
    requires: ['billing.name', 'billing.email', 'billing.address', 'acceptance'],
    ...again,
  }),
  becs: row('bank_debit', 'au_becs_debit', 'becs_bank_debit', afterDays, {
    currencies: ['AUD'],
    requires: ['billing.name', 'billing.email', 'acceptance'],
    ...again,
  }),
  sepa: row('bank_debit', 'sepa_debit', 'sepa_bank_debit', afterDays, {
    currencies: ['EUR'],
    requires: ['billing.name', 'billing.email', 'acceptance'],
    ...again,
  }),
  multibanco: row('bank_transfer', 'multibanco', 'multibanco_bank_transfer', afterDays, {
    currencies: ['EUR'],
    requires: ['billing.email'],
  }),
  pix: row('bank_transfer', 'pix', 'pix', byTheCustomer, { currencies: ['BRL'], countries: ['BR'] }),
  sepa_bank_transfer: { ways: ['sepa_bank_transfer'], currencies: ['EUR'], ...transfer },
  'bank_transfer.ach': { ways: ['ach_bank_transfer'], currencies: ['USD'], ...transfer },
  'bank_transfer.bacs': { ways: ['bacs_bank_transfer'], currencies: ['GBP'], ...transfer },
  boleto: row('voucher', 'boleto', 'boleto', afterDays, {
    ...{ currencies: ['BRL'], countries: ['BR'], least: { BRL: 500 }, most: { BRL: 4_999_999 } },
    ...{ requires: [...nameAndEmail, 'billing.address'], refunds: false },
  }),
  oxxo: row('voucher', 'oxxo', 'oxxo', afterDays, {
    ...{ currencies: ['MXN'], countries: ['MX'], least: { MXN: 1000 }, most: { MXN: 1_000_000 } },
    ...{ requires: nameAndEmail, refunds: false },
  }),
  family_mart: { ways: ['family_mart'], store: 'familymart', ...konbini },
  lawson: { ways: ['lawson'], store: 'lawson', ...konbini },
  mini_stop: { ways: ['mini_stop'], store: 'ministop', ...konbini },
  seicomart: { ways: ['seicomart'], store: 'seicomart', ...konbini },
  upi_qr: row('upi', 'upi', 'upi_qr', byTheCustomer, { currencies: ['INR'], countries: ['IN'] }),
  prompt_pay: row('real_time_payment', 'promptpay', 'prompt_pay', byTheCustomer, { currencies: ['THB'], requires: ['billing.email'] }),
} as const satisfies Readonly<Record<string, StripeRow>>

type Offered = (typeof stripeOffers)[keyof typeof stripeOffers]
export type StripeFamily = Offered['family']
export type StripeType = Exclude<Offered['as'], 'card'>

export const stripeFamilies = familiesOf(stripeOffers)

export const offerFor = ({ is, type }: Pick<Other, 'is' | 'type'>): StripeRow | null => rowIn<StripeRow>(stripeOffers, is, type) ?? null
