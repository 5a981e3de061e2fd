import type { AuthorizeRequest, ContestRequest, RequestOf } from '../connector.ts'
import type { EvidenceType } from '../dispute.ts'
import type { AgreedCard, Card } from '../instrument.ts'
import { isOneOf } from '../kit/read.ts'
import { looksLikeEmail, shortened } from '../kit/text.ts'
import type { Buyer, Purchase } from '../purchase.ts'
import { captureName, incrementName, inStripeUnits, noted, REQUEST_ID, releaseName, shared, suffixOf } from './common.ts'
import type { StripeFamily } from './offers.ts'
import { billingDetails, levels, ofIntent, orderNote } from './purchase.ts'

/** `stripe.test.ts` checks them against Stripe's own types. Amounts are in Stripe's units. */

/** Only this takes a card number, never the request that moves money (docs.stripe.com/api/payment_methods/create). */
export const method = (card: Card | AgreedCard, purchase?: Purchase) => ({
  type: 'card' as const,
  card: {
    number: card.number.reveal(),
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    ...(card.is === 'card' && card.cvc && { cvc: card.cvc.reveal() }),
  },
  ...billingDetails({ ...(card.holder !== null && { name: card.holder }) }, purchase),
})

export type StripeTakes = 'card' | 'stored_card' | 'network_transaction_id' | StripeFamily

/** Other networks are not sent (docs.stripe.com/api/payment_intents/create, payment_method_options.card.network). */
// biome-ignore format: a table reads better in rows
const networks = {
  Visa: 'visa', Mastercard: 'mastercard', AmericanExpress: 'amex', CartesBancaires: 'cartes_bancaires',
  DinersClub: 'diners', Discover: 'discover', Interac: 'interac', JCB: 'jcb', UnionPay: 'unionpay',
} as const

function networkOf({ instrument }: AuthorizeRequest<StripeTakes>) {
  const network = instrument.is === 'card' ? networks[instrument.network as keyof typeof networks] : undefined
  return network && { network }
}

/** Stripe saves cards only for customers. `ours`: our id of the customer. */
export const customer = (ours: string | null, { name, email, phone }: Buyer = {}) => ({
  ...(name && { name: shortened(name, 256) }),
  ...(looksLikeEmail(email) && email.length <= 512 && { email }),
  ...(phone && phone.length <= 20 && { phone }),
  ...(ours !== null && { metadata: { customer: ours } }),
})

export function payingCustomer(purchase: Purchase | undefined) {
  const { billing_details: { name, email, phone } = {} } = billingDetails({}, purchase)
  return customer(null, { ...(name && { name }), ...(email && { email }), ...(phone && { phone }), ...purchase?.buyer })
}

/** `customer`: to whom the card belongs if it is saved. */
export type Paying = { payment_method: string; customer: string | null }

/** Confirmed by a separate request, once its id is noted. */
export const setup = (ask: AuthorizeRequest<StripeTakes>, { payment_method, customer }: Paying) => ({
  payment_method,
  ...(customer !== null && { customer }),
  allowed_payment_method_types: ['card' as const],
  usage: usageOf(ask),
  payment_method_options: { card: authentication(ask) },
  metadata: { ...noted(ask.metadata), [REQUEST_ID]: ask.request_id },
})

export const confirmSetup = ({ return_url }: AuthorizeRequest<StripeTakes>) => ({ return_url })

/** A customer authenticated elsewhere is not again: docs.stripe.com/payments/payment-intents/three-d-secure-import. */
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

const agreed = (ask: AuthorizeRequest<StripeTakes>, { customer }: Paying) => ({
  ...(customer !== null && { customer }),
  ...(ask.stored_credential?.is === 'made' && customer !== null && { setup_future_usage: ask.stored_credential.usage }),
  ...(ask.stored_credential?.is === 'used' ? { off_session: true } : { return_url: ask.return_url }),
})

/** docs.stripe.com/payments/mx-installments. */
const installments = (count: number) => ({
  installments: { enabled: true, plan: { count, interval: 'month' as const, type: 'fixed_count' as const } },
})

/** Confirmed as it is created. `fee`: the part of a split payment that the platform keeps. */
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
    ...levels(ask.purchase, inStripeUnits(ask.money.currency)),
    ...shared(ask.split, fee),
    metadata: { ...noted(ask.metadata), [REQUEST_ID]: ask.request_id, ...orderNote(ask.purchase) },
    ...(statement_descriptor_suffix !== null && { statement_descriptor_suffix }),
    expand: ['latest_charge'],
  }
}

/** Stripe opens this parameter on request; it is not in Stripe's public contract. */
export const exempted = (made: ReturnType<typeof intent>, network_transaction_id: string) => ({
  ...made,
  payment_method_options: { card: { ...made.payment_method_options.card, mit_exemption: { network_transaction_id } } },
})

export function capture({ request_id, rest, statement_descriptor }: RequestOf<'capture'>, amount_to_capture: number) {
  const statement_descriptor_suffix = suffixOf(statement_descriptor ?? null)
  return {
    amount_to_capture,
    // Only if more captures follow: Stripe refuses this parameter unless multicapture was requested.
    ...(rest === 'keep' && { final_capture: false }),
    ...(statement_descriptor_suffix !== null && { statement_descriptor_suffix }),
    metadata: { [captureName(request_id)]: String(amount_to_capture) },
    expand: ['latest_charge'],
  }
}

/** Nothing more is captured (docs.stripe.com/payments/multicapture, "release uncaptured funds"). */
export const releaseRest = ({ request_id }: RequestOf<'void'>) => ({
  amount_to_capture: 0,
  final_capture: true,
  metadata: { [releaseName(request_id)]: '0' },
  expand: ['latest_charge'],
})

/** For a setup intent Stripe takes all but `fraudulent`. */
const cancelReasons = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'] as const
export const cancellation = ({ reason }: RequestOf<'void'>) => ({ ...(isOneOf(cancelReasons, reason) && { cancellation_reason: reason }) })
export const setupCancellation = ({ reason }: RequestOf<'void'>) => ({
  ...(isOneOf(cancelReasons, reason) && reason !== 'fraudulent' && { cancellation_reason: reason }),
})

/** `amount`: the total amount to hold. */
export const increment = ({ request_id }: RequestOf<'increment'>, amount: number) => ({
  amount,
  metadata: { [incrementName(request_id)]: String(amount) },
  expand: ['latest_charge'],
})

export const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const

export const refund = ({ request_id, reason, split, metadata }: RequestOf<'refund'>, amount: number, payment_intent: string) => ({
  payment_intent,
  amount,
  ...(isOneOf(reasons, reason) && { reason }),
  ...(split?.is === 'stripe' && { reverse_transfer: split.reverse_transfer, refund_application_fee: split.refund_application_fee }),
  metadata: { ...noted(metadata), [REQUEST_ID]: request_id },
  expand: ['balance_transaction'],
})

export const transferTo = ({ request_id, money, description }: RequestOf<'payout'>, amount: number, destination: string) => ({
  amount,
  currency: money.currency.toLowerCase(),
  destination,
  ...(description && { description: shortened(description, 500) }),
  // The group by which the transfer is found again.
  transfer_group: request_id,
  metadata: { [REQUEST_ID]: request_id },
})

/** If they differ from the API's. */
const evidenceNames: Partial<Record<EvidenceType, 'duplicate_charge_documentation'>> = {
  invoice_showing_distinct_transactions: 'duplicate_charge_documentation',
}
type EvidenceName = Exclude<EvidenceType, 'invoice_showing_distinct_transactions' | 'recurring_transaction_agreement'>

/** It cannot be changed after the submission. */
export function contest({ evidence: { texts, uploaded } }: ContestRequest) {
  const files: { [Name in EvidenceName | 'duplicate_charge_documentation']?: string } = {}
  for (const [type, id] of Object.entries(uploaded)) files[evidenceNames[type as EvidenceType] ?? (type as EvidenceName)] = id
  return { evidence: { ...texts, ...files }, submit: true }
}
