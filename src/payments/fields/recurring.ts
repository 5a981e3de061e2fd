import Type from 'typebox'
import { checkMetadata } from '../../base/metadata.ts'
import { refuse } from '../../base/refusal.ts'
import { amount, anyText, boundedText, closed, dateTime, kept, orNull, strictObject, withDescription } from '../../base/shapes.ts'
import { readTime } from '../../base/time.ts'
import { mitCategories } from '../../connectors/verbs.ts'
import { checkTransactionId, networkTransactionId } from '../../instruments/network-transaction-id.ts'
import { cardShape } from '../../instruments/read-card.ts'
import { keptOnly } from '../../resources/field.ts'
import { checkAcceptance } from './checks.ts'
import { fromBrowser, type PaymentField, returned } from './field.ts'
import { currency } from './order.ts'
import { acceptance } from './payer.ts'

const option = Type.Optional

const limits = strictObject({
  amount: amount('Maximum amount: of the one payment for a single-use mandate, of all payments together for a multi-use one'),
  currency,
  start_date: option(dateTime),
  end_date: option(dateTime),
  metadata: option(kept),
})
/** The limits of a multi-use mandate: none without an amount (`multi_use: null`, or `{}`). */
const noLimits = strictObject(Type.Partial(limits).properties)
const mandateType = strictObject({ single_use: option(limits), multi_use: option(noLimits) })
const mandateData = strictObject({
  update_mandate_id: option(boundedText(64)),
  customer_acceptance: option(acceptance),
  mandate_type: option(mandateType),
})
export type MandateData = Type.Static<typeof mandateData>

/** `mandate_data` in responses: a multi-use mandate without limits is null, as most clients send it. */
export const mandateDataSeen = strictObject({
  ...mandateData.properties,
  mandate_type: option(strictObject({ single_use: option(limits), multi_use: option(orNull(noLimits)) })),
})

function checkMandateData(field: string, { update_mandate_id, customer_acceptance, mandate_type }: MandateData): void {
  if (update_mandate_id !== undefined) {
    if (mandate_type) refuse('unacceptable', { field, problem: 'may have mandate_type or update_mandate_id, not both' })
    refuse('not_supported', { problem: `${field}.update_mandate_id is not supported: revoke the mandate and create a new one` })
  }
  if (customer_acceptance) checkAcceptance(`${field}.customer_acceptance`, customer_acceptance)
  if (!mandate_type) return
  const { single_use, multi_use } = mandate_type
  if (!single_use && !multi_use) refuse('missing', { field: `${field}.mandate_type.single_use (or multi_use)` })
  if (multi_use && (multi_use.amount === undefined) !== (multi_use.currency === undefined))
    refuse('missing', { field: `${field}.mandate_type.multi_use.${multi_use.amount === undefined ? 'amount' : 'currency'}` })
  if (single_use && multi_use)
    refuse('unacceptable', { field: `${field}.mandate_type`, problem: 'may have single_use or multi_use, not both' })
  for (const [type, { start_date, end_date, metadata }] of Object.entries(mandate_type)) {
    const place = `${field}.mandate_type.${type}`
    if (metadata) checkMetadata(`${place}.metadata`, metadata)
    for (const [name, time] of Object.entries({ start_date, end_date })) if (time !== undefined) readTime(`${place}.${name}`, time)
    if (start_date !== undefined && end_date !== undefined && Date.parse(start_date) > Date.parse(end_date))
      refuse('unacceptable', { field: `${place}.end_date`, problem: 'is before start_date' })
  }
}

/** The agreements by which an absent customer can be charged; the ecosystem's others are refused by name. */
const recurringKinds = [
  'payment_method_id',
  'mandate_id',
  'network_transaction_id_and_card_details',
  'network_transaction_id_and_network_token_details',
] as const

const { card_number, card_exp_month, card_exp_year, card_holder_name, card_issuer, card_network, card_type, nick_name } =
  cardShape.properties
const { card_issuing_country, card_issuing_country_code, bank_code } = cardShape.properties
const knownCard = Type.Object(
  {
    ...{ card_number, card_exp_month, card_exp_year, card_holder_name, card_issuer, card_network, card_type, nick_name },
    ...{ card_issuing_country, card_issuing_country_code, bank_code },
    network_transaction_id: networkTransactionId,
    transaction_link_id: option(withDescription(boundedText(255), 'Mastercard’s id of linked transactions; not sent to processors')),
  },
  { ...closed, title: 'NetworkTransactionIdAndCardDetails' },
)

const knownToken = Type.Object(
  {
    network_token: withDescription(anyText, "Number of the network's token for the card; encrypted on receipt and never returned"),
    token_exp_month: card_exp_month,
    token_exp_year: card_exp_year,
    ...{ card_holder_name, card_issuer, card_network, card_type, nick_name, card_issuing_country, bank_code },
    eci: option(boundedText(2)),
    network_transaction_id: networkTransactionId,
  },
  { ...closed, title: 'NetworkTransactionIdAndNetworkTokenDetails' },
)

const known = strictObject({
  type: Type.Enum([...recurringKinds]),
  data: Type.Union([knownCard, knownToken, Type.String({ maxLength: 64 })], {
    description: 'Id, or card or network token with its network_transaction_id',
  }),
})
/** The kinds of the ecosystem that are refused by their names, with any contents: each with what to send instead. */
const whyNot = {
  processor_payment_token: 'processor tokens are stored with the payment method; use payment_method_id instead',
  network_transaction_id_and_decrypted_wallet_token_details:
    'the agreement to a decrypted wallet is stored with the payment method; use payment_method_id, or network_transaction_id_and_network_token_details for a token of your own',
  card_with_limited_data:
    "it has no network_transaction_id of the customer's agreement; use network_transaction_id_and_card_details, or send the card's number and expiry as payment_method_data with off_session: true",
} as const
const others = strictObject({
  type: Type.Enum(Object.keys(whyNot) as (keyof typeof whyNot)[]),
  data: Type.Unknown(),
})
export type RecurringDetails = Type.Static<typeof known>
const recurringDetails = Type.Unsafe<RecurringDetails>(Type.Union([known, others]))

function checkRecurringDetails(field: string, { type, data }: RecurringDetails): void {
  if (!recurringKinds.includes(type))
    refuse('not_supported', { problem: `${field}.type ${type} is not supported: ${whyNot[type as string as keyof typeof whyNot]}` })
  const isId = type === 'payment_method_id' || type === 'mandate_id'
  if ((typeof data === 'string') !== isId)
    refuse('unreadable', { field: `${field}.data`, problem: typeof data === 'string' ? 'must be an object' : 'must be an id' })
  if (typeof data === 'string') return
  if ('network_token' in data !== (type === 'network_transaction_id_and_network_token_details'))
    refuse('missing', { field: `${field}.data.${'network_token' in data ? 'card_number' : 'network_token'}` })
  checkTransactionId(`${field}.data.network_transaction_id`, data.network_transaction_id)
}

/** Recurring payments: the agreement that the customer gives, and the one by which a later payment is charged. */
export const recurring = {
  mandate_id: {
    shape: boundedText(64),
    storedIn: 'request',
    visibility: 'computed',
    description: 'The mandate to charge in an off-session payment (with off_session: true)',
  },
  mandate_data: {
    shape: mandateData,
    ...fromBrowser,
    visibility: 'computed',
    check: checkMandateData,
    description: 'Terms that the customer accepts: customer_acceptance, and single_use or multi_use with an amount, a currency and dates',
  },
  recurring_details: {
    shape: recurringDetails,
    check: checkRecurringDetails,
    description:
      'What to charge in an off-session payment (with off_session: true): a payment_method_id, a mandate_id, or a card or network token with the network_transaction_id of the payment in which the customer agreed',
  },
  setup_future_usage: {
    shape: Type.Enum(['off_session', 'on_session']),
    ...fromBrowser,
    ...returned,
    description:
      'With customer_acceptance the card is saved after a successful payment: for payments with the customer present (on_session), or also without (off_session). What is no card is saved for off_session only, and only if a connector account can charge it again. Checkouts always send on_session; without an acceptance nothing is saved',
  },
  off_session: {
    shape: Type.Boolean(),
    ...returned,
    description:
      'true: the customer is not present and is charged with a mandate_id, recurring_details, or a card that you have stored yourself',
  },
  is_stored_credential: {
    shape: Type.Boolean(),
    ...returned,
    effect: keptOnly('Not sent to processors: they receive the initiator of the payment (off_session) and its agreement'),
    description: 'Whether the payment method was stored before, in this service or in your own vault',
  },
  mit_category: { shape: Type.Enum([...mitCategories]), ...returned, description: 'Reason for an off-session charge; default unscheduled' },
  payment_type: {
    shape: Type.Enum(['normal', 'new_mandate', 'setup_mandate', 'recurring_mandate', 'installment']),
    ...fromBrowser,
    description:
      'installment: requires installment_data to confirm, and cannot be confirmed at creation. setup_mandate, implied by amount 0: the card is verified (and saved, with setup_future_usage) without a charge',
  },
} satisfies Record<string, PaymentField>
