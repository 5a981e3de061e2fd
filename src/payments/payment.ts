import type { Currency } from '../base/currencies.ts'
import { statesOf } from '../base/lifecycle.ts'
import type { AuthenticationFacts } from '../connectors/authentication.ts'
import type { Facts } from '../connectors/connector.ts'
import type { NextAction } from '../connectors/next-action.ts'
import type { CaptureMode } from '../connectors/verbs.ts'
import { bigint, count, int, json, type RowOf, table, text, time, word } from '../database/table.ts'
import type { CardDiscovery, MaskedCard } from '../instruments/card.ts'
import type { MaskedInstrument } from '../instruments/families.ts'
import type { Failure } from '../operations/failure.ts'
import { listingOf } from '../resources/read.ts'
import type { Adjustments } from './authorization/adjustments.ts'
import { type AskedName, paymentFields } from './fields/all.ts'
import { lifecycle } from './lifecycle.ts'
import type { CreateBody } from './request-shapes.ts'

/** The request's members that are stored beside the columns, as sent, without the instrument and secrets. */
export type PaymentParams = Pick<CreateBody, AskedName> & {
  /** The billing details sent as `payment_method_data.billing`. */
  payment_method_billing?: NonNullable<CreateBody['billing']>
  /** The id of the saved payment method that pays the payment, or under which its card will be saved. */
  payment_method_id?: string
  /** Set if the card is saved once paid: a new one, or for more uses the saved one that pays. */
  saves?: 'card' | 'saved card'
  /** The id of the mandate that the payment creates once it is paid. */
  new_mandate_id?: string
  /** Whether the tax was calculated. Calculated tax follows the shipping address. */
  taxed?: true
  /** The account at which an order was created for a wallet, before the payment is paid, and the order's id. */
  ordered?: { payment_method_type: string; merchant_connector_id: string; order_id: string }
  /** The connectors of a wallet's token: no other processor could read it, so payments of this type go nowhere else. */
  wallet_connectors?: { payment_method_type: string; connectors: readonly string[] }
  /** The authentication of the customer apart from the processor. */
  authentication?: Authentication
  /** For a payment charged without its customer: the id of the saved card at each account that stores the card. */
  kept_at?: Readonly<Record<string, string>>
  /** The origin of the page that confirmed with a publishable key: it may show the return page in a frame. */
  checkout_origin?: string
  /** The members that a browser's choices have replaced, as they were: the next attempt begins with them. */
  before_choice?: Partial<PaymentParams>
  /** The platform whose key created the payment for its connected account. */
  platform_merchant_id?: string
  /** The connector account whose credentials came with the payment: no other account is used. */
  brought_account?: string
  /** The agreement by which the payment is charged without its customer: sent as `recurring_details`. */
  recurring?: { type: 'payment_method_id' | 'network_transaction_id'; data: string }
}

/** A payment's 3-D Secure result. `request_id`: the operation's, not guessable; null if authenticated elsewhere. */
export type Authentication = Partial<AuthenticationFacts> & {
  connector: string | null
  request_id: string | null
  outcome: 'started' | 'success' | 'failed'
  error_code?: string
  error_message?: string
}

export type CaptureMethod = 'automatic' | 'manual' | 'manual_multiple' | 'scheduled' | 'sequential_automatic'

/** The word for payments in histories and in the keys of operations. */
export const PAYMENT = 'payment'

/** Amounts are in the lowest denomination of `currency`; pending ones (`…ing`) are reserved: neither free nor moved. */
export const payments = table('payments', {
  kind: PAYMENT,
  money: true,
  key: ['merchant_id', 'payment_id'],
  columns: {
    merchant_id: text(),
    payment_id: text(),
    version: count(1),
    sequence: count(0),
    status: word('payment_status', statesOf(lifecycle)),
    /** The n of the operation that needs the payment alone (an authorize or a void), null if none is under way. */
    alone: int().orNull(),
    profile_id: text(),
    connector: text().orNull(),
    merchant_connector_id: text().orNull(),
    connector_transaction_id: text().orNull().emptyAtFirst(),
    /** The authorization that captures, voids and refunds act on; `connector_transaction_id` is its reference. */
    authorization_n: int().orNull(),
    authorization_request_id: text().orNull(),
    customer_id: text().orNull(),
    currency: text<Currency>('USD'),
    amount: bigint(),
    net_amount: bigint(),
    amount_authorized: bigint().emptyAtFirst(),
    amount_capturable: bigint().emptyAtFirst(),
    amount_capturing: bigint().emptyAtFirst(),
    amount_received: bigint().emptyAtFirst(),
    amount_refunding: bigint().emptyAtFirst(),
    amount_refunded: bigint().emptyAtFirst(),
    amount_disputed: bigint().emptyAtFirst(),
    capture_method: text<CaptureMethod>('automatic'),
    authentication_type: text<'three_ds' | 'no_three_ds'>('no_three_ds'),
    attempt_count: int(),
    operation_count: int(),
    refund_count: int().emptyAtFirst(),
    client_secret: text().fixed(),
    /** The masked instrument of any family (`fields/instrument.ts`). Cards came first, hence the name. */
    card: json<MaskedInstrument>().orNull(),
    request: json<PaymentParams>(),
    facts: json<Facts>().orNull().emptyAtFirst(),
    next_action: json<NextAction>().orNull(),
    last_error: json<Failure>().orNull(),
    adjustments: json<Adjustments>().orNull().emptyAtFirst(),
    cancellation_reason: text().orNull().emptyAtFirst(),
    body_digest: text().orNull().fixed(),
    created: time().fixed(),
    modified_at: time(),
    expires_on: time(),
  },
  listed: listingOf(
    paymentFields,
    {
      resource: PAYMENT,
      created: 'created',
      amount: 'amount',
      byTime: true,
      // A payment that was created and confirmed in one call, while that call is still under way.
      unlisted: { is: row => row.version === 1 && row.status === 'processing', sql: "version = 1 and status = 'processing'" },
    },
    {
      merchant_order_reference_id: ({ request }: KeptInstrument) => request.merchant_order_reference_id ?? null,
      payment_method: ({ request }: KeptInstrument) => request.payment_method ?? null,
      payment_method_type: ({ request }: KeptInstrument) => request.payment_method_type ?? null,
      card_network: (payment: KeptInstrument) => cardOf(payment)?.card_network ?? null,
      card_discovery: (payment: KeptInstrument) => cardDiscovery(payment),
    },
  ),
})

export type Payment = RowOf<typeof payments>

/** Returns the columns by which an operation of this payment references its owner. */
export const ownerOf = ({ merchant_id, payment_id }: Pick<Payment, 'merchant_id' | 'payment_id'>) => ({
  merchant_id,
  kind: PAYMENT,
  object_id: payment_id,
})

/** The columns of a payment that hold its instrument. */
type KeptInstrument = { request: PaymentParams; card: MaskedInstrument | null }

/** Returns the card that pays the payment; null if the instrument is no card. */
export const cardOf = ({ request, card }: KeptInstrument): MaskedCard | null =>
  request.payment_method === 'card' ? (card as MaskedCard | null) : null

/** Whether a hold of this payment may be captured in several parts. */
export const capturesSeveralTimes = (payment: Payment): boolean => payment.capture_method === 'manual_multiple'

/** Whether the authorization also captures. `sequential_automatic` is a hold, followed at once by a capture. */
export const takesAtOnce = (payment: Pick<Payment, 'capture_method'>): boolean => payment.capture_method === 'automatic'

/** Returns the capture mode that connectors are given. */
export const captureModeOf = (payment: Payment): CaptureMode =>
  takesAtOnce(payment) ? 'automatic' : capturesSeveralTimes(payment) ? 'manual_multiple' : 'manual'

/** Whether the merchant captures a hold of this payment. */
export const isManual = ({ capture_method }: Pick<Payment, 'capture_method'>): boolean =>
  capture_method === 'manual' || capture_method === 'manual_multiple'

/** Whether the whole amount is captured without a capture request. */
export const capturesAtOnce = (payment: Pick<Payment, 'capture_method'>): boolean =>
  payment.capture_method === 'automatic' || payment.capture_method === 'sequential_automatic'

/** Returns the id of the current attempt, an authorize operation; attempts are counted from 1. */
export const attemptId = (payment: Payment): string => `${payment.payment_id}_${payment.attempt_count}`

/** Whether the payment is paid with a payment method that was saved before. */
export const paidBySaved = ({ payment_method_id, saves }: PaymentParams): boolean => payment_method_id !== undefined && saves !== 'card'

/** Returns how the payment's card became known; null if no card pays it. */
export const cardDiscovery = (payment: KeptInstrument): CardDiscovery | null =>
  cardOf(payment) ? (paidBySaved(payment.request) ? 'saved_card' : 'manual') : null

/**
 * Returns the payment_method_type if `amount` is only a part; undefined for cards. The whole is `net_amount`, not the
 * amount captured so far: a request that is sent again must equal the first one.
 */
export function partOf({ request, net_amount }: Pick<Payment, 'request' | 'net_amount'>, amount: number): string | undefined {
  const { payment_method, payment_method_type } = request
  return amount < net_amount && payment_method !== undefined && payment_method !== 'card' ? payment_method_type : undefined
}
