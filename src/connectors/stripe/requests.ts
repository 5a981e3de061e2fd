import type { AuthorizeRequest, CaptureRequest, ContestRequest, IncrementRequest, RefundRequest, VoidRequest } from '../connector.ts'
import type { Counting } from '../counting.ts'
import type { EvidenceType } from '../dispute.ts'
import type { Card } from '../instrument.ts'
import { looksLikeEmail, shortened } from '../kit/purchase-text.ts'
import { isOneOf } from '../kit/read.ts'
import type { Buyer, Purchase } from '../purchase.ts'
import { billingDetails, ofIntent, orderNote } from './purchase.ts'

/**
 * What is asked of Stripe, each request as one literal; `stripe.test.ts` holds them to the vendor's own types.
 * Amounts are counted as Stripe counts them.
 */

/**
 * How Stripe counts (docs.stripe.com/currencies): MGA without decimals; ISK and UGX with two that must be 00;
 * three-decimal currencies in tens. What it does not take is not in the list.
 */
// biome-ignore format: a table reads better in columns
export const counting: Counting = {
  decimals: { MGA: 0, ISK: 2, UGX: 2 },
  steps: { ISK: 100, UGX: 100, BHD: 10, JOD: 10, KWD: 10, OMR: 10, TND: 10 },
  currencies: [
    'AED', 'AFN', 'ALL', 'AMD', 'ANG', 'AOA', 'ARS', 'AUD', 'AWG', 'AZN', 'BAM', 'BBD', 'BDT', 'BGN', 'BHD', 'BIF', 'BMD', 'BND', 'BOB', 'BRL',
    'BSD', 'BWP', 'BYN', 'BZD', 'CAD', 'CDF', 'CHF', 'CLP', 'CNY', 'COP', 'CRC', 'CVE', 'CZK', 'DJF', 'DKK', 'DOP', 'DZD', 'EGP', 'ETB', 'EUR',
    'FJD', 'FKP', 'GBP', 'GEL', 'GIP', 'GMD', 'GNF', 'GTQ', 'GYD', 'HKD', 'HNL', 'HTG', 'HUF', 'IDR', 'ILS', 'INR', 'ISK', 'JMD', 'JOD', 'JPY',
    'KES', 'KGS', 'KHR', 'KMF', 'KRW', 'KWD', 'KYD', 'KZT', 'LAK', 'LBP', 'LKR', 'LRD', 'LSL', 'MAD', 'MDL', 'MGA', 'MKD', 'MMK', 'MNT', 'MOP',
    'MUR', 'MVR', 'MWK', 'MXN', 'MYR', 'MZN', 'NAD', 'NGN', 'NIO', 'NOK', 'NPR', 'NZD', 'OMR', 'PAB', 'PEN', 'PGK', 'PHP', 'PKR', 'PLN', 'PYG',
    'QAR', 'RON', 'RSD', 'RUB', 'RWF', 'SAR', 'SBD', 'SCR', 'SEK', 'SGD', 'SHP', 'SLE', 'SOS', 'SRD', 'STD', 'SZL', 'THB', 'TJS', 'TND', 'TOP',
    'TRY', 'TTD', 'TWD', 'TZS', 'UAH', 'UGX', 'USD', 'UYU', 'UZS', 'VND', 'VUV', 'WST', 'XAF', 'XCD', 'XOF', 'XPF', 'YER', 'ZAR', 'ZMW',
  ],
}

/** Where our request id stands in the metadata of intents and refunds. */
export const REQUEST_ID = 'request_id'

/**
 * A capture has no object of its own: it leaves its amount under its name in the metadata of its intent, in the
 * request that makes it.
 */
const CAPTURE = 'capture_'
export const captureName = (request_id: string): string => CAPTURE + request_id
/** Nor has an increment. */
const INCREMENT = 'increment_'
export const incrementName = (request_id: string): string => INCREMENT + request_id
/** Nor what was let go beside captures. */
const RELEASE = 'release_'
export const releaseName = (request_id: string): string => RELEASE + request_id
export const isCaptureName = (name: string): boolean => name.startsWith(CAPTURE)
/** The requests of which the metadata of an intent speaks. */
export const requestsIn = (metadata: Record<string, string>): string[] =>
  Object.keys(metadata).flatMap(name =>
    [CAPTURE, INCREMENT, RELEASE].flatMap(kind => (name.startsWith(kind) ? [name.slice(kind.length)] : [])),
  )

/**
 * What the merchant notes, as Stripe keeps it: names of 40 characters, without brackets, values of 500. What would be
 * taken for one of our own names is left out: captures are counted by them.
 */
const noted = (metadata: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata)
      .filter(([name]) => /^[^[\]]{1,40}$/.test(name) && !RESERVED.test(name))
      .slice(0, 20)
      .map(([name, value]) => [name, shortened(value, 500)] as const)
      .filter(([, value]) => value !== ''),
  )
const RESERVED = new RegExp(`^(?:${REQUEST_ID}|order_reference|(?:${CAPTURE}|${INCREMENT}|${RELEASE}).*)$`)

/**
 * A card number is only taken here (docs.stripe.com/api/payment_methods/create): never in the request that moves
 * money.
 */
export const method = (card: Card, purchase?: Purchase) => ({
  type: 'card' as const,
  card: {
    number: card.number.reveal(),
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    ...(card.cvc && { cvc: card.cvc.reveal() }),
  },
  ...billingDetails(card, purchase),
})

/**
 * What can be paid with at Stripe: a card, also one that it keeps. The network's id of a payment elsewhere is not in
 * its public contract.
 */
export type StripeTakes = 'card' | 'stored_card'

/**
 * Stripe's words for the networks of which a card may have several; of others it is told nothing
 * (docs.stripe.com/api/payment_intents/create, payment_method_options.card.network).
 */
const networks = {
  Visa: 'visa',
  Mastercard: 'mastercard',
  AmericanExpress: 'amex',
  CartesBancaires: 'cartes_bancaires',
  DinersClub: 'diners',
  Discover: 'discover',
  Interac: 'interac',
  JCB: 'jcb',
  UnionPay: 'unionpay',
} as const

/** On which of its networks the card is to be used, if its holder chose. */
function networkOf({ instrument }: AuthorizeRequest<StripeTakes>) {
  const network = instrument.is === 'card' ? networks[instrument.network as keyof typeof networks] : undefined
  return network && { network }
}

/** Whose card it will be: Stripe keeps cards of customers only. `ours`: our name for them. */
export const customer = (ours: string, { name, email, phone }: Buyer = {}) => ({
  ...(name && { name: shortened(name, 256) }),
  ...(looksLikeEmail(email) && email.length <= 512 && { email }),
  ...(phone && phone.length <= 20 && { phone }),
  metadata: { customer: ours },
})

/** A card that is paid with: under which name, and whose it is if it is kept. */
export type Paying = { payment_method: string; customer: string | null }

/**
 * A card is verified and kept without an amount. It is confirmed by a request of its own, once its name is written
 * down.
 */
export const setup = (ask: AuthorizeRequest<StripeTakes>, { payment_method, customer }: Paying) => ({
  payment_method,
  ...(customer !== null && { customer }),
  allowed_payment_method_types: ['card' as const],
  usage: usageOf(ask),
  payment_method_options: { card: authentication(ask) },
  metadata: { ...noted(ask.metadata), [REQUEST_ID]: ask.request_id },
})

export const confirmSetup = ({ return_url }: AuthorizeRequest<StripeTakes>) => ({ return_url })

/**
 * Who was authenticated elsewhere is not asked again: Stripe takes the result
 * (docs.stripe.com/payments/payment-intents/three-d-secure-import). Otherwise it is asked as far as it was asked for.
 */
function authentication(ask: AuthorizeRequest<StripeTakes>) {
  const { three_ds, three_ds_result, channel } = ask
  const asks = { request: 'any', challenge: 'challenge', skip: 'automatic' } as const
  const more = { ...networkOf(ask), ...(channel && { moto: true }) }
  if (!three_ds_result) return { request_three_d_secure: asks[three_ds], ...more }
  return {
    three_d_secure: {
      version: three_ds_result.version,
      cryptogram: three_ds_result.cavv.reveal(),
      transaction_id: three_ds_result.ds_transaction_id,
      electronic_commerce_indicator: three_ds_result.eci,
      ares_trans_status: three_ds_result.status,
    },
    ...more,
  }
}

const usageOf = ({ stored_credential }: AuthorizeRequest<StripeTakes>): 'on_session' | 'off_session' =>
  stored_credential?.is === 'made' ? stored_credential.usage : 'off_session'

/** Whose card it is, whether it is to be kept, and whether the customer is present. */
const agreed = (ask: AuthorizeRequest<StripeTakes>, { customer }: Paying) => ({
  ...(customer !== null && { customer }),
  ...(ask.stored_credential?.is === 'made' && customer !== null && { setup_future_usage: ask.stored_credential.usage }),
  ...(ask.stored_credential?.is === 'used' ? { off_session: true } : { return_url: ask.return_url }),
})

/** A destination charge: the money goes on to an account of the platform's, but for its fee. */
const shared = (split: AuthorizeRequest['split'], fee: number) =>
  split?.is === 'stripe' && {
    transfer_data: { destination: split.destination },
    ...(fee > 0 && { application_fee_amount: fee }),
    ...(split.on_behalf_of !== null && { on_behalf_of: split.on_behalf_of }),
  }

/** The issuer divides it (docs.stripe.com/payments/mx-installments). */
const installments = (count: number) => ({
  installments: { enabled: true, plan: { count, interval: 'month' as const, type: 'fixed_count' as const } },
})

/** `fee`: what the platform keeps of a payment that is shared. */
export function intent(ask: AuthorizeRequest<StripeTakes>, amount: number, paying: Paying, fee = 0) {
  const statement_descriptor_suffix = suffixOf(ask.statement_descriptor)
  return {
    amount,
    currency: ask.money.currency.toLowerCase(),
    confirm: true,
    payment_method: paying.payment_method,
    allowed_payment_method_types: ['card' as const],
    capture_method: ask.capture === 'automatic' ? ('automatic' as const) : ('manual' as const),
    ...agreed(ask, paying),
    payment_method_options: {
      card: {
        ...authentication(ask),
        ...(ask.installments !== undefined && installments(ask.installments)),
        ...(ask.capture === 'manual_multiple' && { request_multicapture: 'if_available' as const }),
        ...(ask.later?.includes('increment') && { request_incremental_authorization: 'if_available' as const }),
        ...(ask.later?.includes('overcapture') && { request_overcapture: 'if_available' as const }),
        ...(ask.later?.includes('extend') && { request_extended_authorization: 'if_available' as const }),
      },
    },
    ...ofIntent(ask.purchase),
    ...shared(ask.split, fee),
    metadata: { ...noted(ask.metadata), [REQUEST_ID]: ask.request_id, ...orderNote(ask.purchase) },
    ...(statement_descriptor_suffix !== null && { statement_descriptor_suffix }),
    expand: ['latest_charge'],
  }
}

export function capture({ request_id, rest, statement_descriptor }: CaptureRequest, amount_to_capture: number) {
  const statement_descriptor_suffix = suffixOf(statement_descriptor ?? null)
  return {
    amount_to_capture,
    // Only where more is to come: the vendor refuses the word where it was not asked for.
    ...(rest === 'keep' && { final_capture: false }),
    ...(statement_descriptor_suffix !== null && { statement_descriptor_suffix }),
    metadata: { [captureName(request_id)]: String(amount_to_capture) },
    expand: ['latest_charge'],
  }
}

/**
 * Nothing more is captured, and the rest is let go (docs.stripe.com/payments/multicapture, "release uncaptured
 * funds").
 */
export const releaseRest = ({ request_id }: VoidRequest) => ({
  amount_to_capture: 0,
  final_capture: true,
  metadata: { [releaseName(request_id)]: '0' },
  expand: ['latest_charge'],
})

/** All that it takes as the reason of a cancel; of a card that was set up it takes them but for fraud. */
const cancelReasons = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'] as const
export const cancellation = ({ reason }: VoidRequest) => ({ ...(isOneOf(cancelReasons, reason) && { cancellation_reason: reason }) })
export const setupCancellation = ({ reason }: VoidRequest) => ({
  ...(isOneOf(cancelReasons, reason) && reason !== 'fraudulent' && { cancellation_reason: reason }),
})

/** `amount`: what is to be held in all. */
export const increment = ({ request_id }: IncrementRequest, amount: number) => ({
  amount,
  metadata: { [incrementName(request_id)]: String(amount) },
  expand: ['latest_charge'],
})

/** All that it takes as the reason of a refund. */
export const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const

/** Giving money back. */
export const refund = ({ request_id, reason, split, metadata }: RefundRequest, amount: number, payment_intent: string) => ({
  payment_intent,
  amount,
  ...(isOneOf(reasons, reason) && { reason }),
  ...(split?.is === 'stripe' && { reverse_transfer: split.reverse_transfer, refund_application_fee: split.refund_application_fee }),
  metadata: { ...noted(metadata), [REQUEST_ID]: request_id },
  expand: ['balance_transaction'],
})

/** What Stripe calls a file of evidence, where its name differs from the interface's. */
const evidenceNames: Partial<Record<EvidenceType, 'duplicate_charge_documentation'>> = {
  invoice_showing_distinct_transactions: 'duplicate_charge_documentation',
}
type EvidenceName = Exclude<EvidenceType, 'invoice_showing_distinct_transactions' | 'recurring_transaction_agreement'>

/** Evidence is handed in for good. */
export function contest({ evidence: { texts, uploaded } }: ContestRequest) {
  const files: { [Name in EvidenceName | 'duplicate_charge_documentation']?: string } = {}
  for (const [type, id] of Object.entries(uploaded)) files[evidenceNames[type as EvidenceType] ?? (type as EvidenceName)] = id
  return { evidence: { ...texts, ...files }, submit: true }
}

/** What card statements take: at most 22 characters, a letter among them, none of `<>\'"*`. */
function suffixOf(descriptor: string | null): string | null {
  const plain = (descriptor ?? '')
    .replace(/[^\x20-\x7e]|[<>\\'"*]/g, '')
    .trim()
    .slice(0, 22)
  return /[A-Za-z]/.test(plain) ? plain : null
}
