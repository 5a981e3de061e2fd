import type { Currency } from '../base/currencies.ts'
import { statesOf } from '../base/lifecycle.ts'
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
import type { Authentication } from './three-ds/authentication-record.ts'

/** What is kept of the request beyond the columns: everything that was sent, less what is paid with and secrets. */
export type PaymentParams = Pick<CreateBody, AskedName> & {
  /** Sent as `payment_method_data.billing`. */
  payment_method_billing?: NonNullable<CreateBody['billing']>
  /** The saved one that it is paid with, or that its card will be. */
  payment_method_id?: string
  /**
   * It saves its card under that id once it is paid: a new one, or (for more than before) the saved one that it is
   * paid with.
   */
  saves?: 'card' | 'saved card'
  /** The mandate that it makes then. */
  new_mandate_id?: string
  /** Its tax was calculated, and follows the address. */
  taxed?: true
  /** Where an order was made for a wallet, before it is paid. */
  ordered?: { payment_method_type: string; merchant_connector_id: string; order_id: string }
  /** How its customer was authenticated apart from the processor. */
  authentication?: Authentication
  /** Of one that is charged without its customer: what each account that keeps the card calls it. */
  kept_at?: Readonly<Record<string, string>>
  /**
   * The origin of the page that confirmed it with a publishable key, where it may come back in a frame of that page.
   */
  checkout_origin?: string
  /** The platform whose key created it for its connected account. */
  platform_merchant_id?: string
  /** The connector account whose credentials came with it: no other is asked. */
  brought_account?: string
  /** By which agreement it is charged without its customer: sent as `recurring_details`. */
  recurring?: { type: 'payment_method_id' | 'network_transaction_id'; data: string }
}

export type CaptureMethod = 'automatic' | 'manual' | 'manual_multiple' | 'scheduled' | 'sequential_automatic'

/** The word for payments in histories and in the keys of operations. */
export const PAYMENT = 'payment'

/**
 * The payments. Amounts are in the lowest denomination of `currency`; pending ones (`…ing`) are reserved and neither
 * free nor done.
 */
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
    /** The n of the operation that needs the payment alone: an authorize or a void. */
    alone: int().orNull(),
    profile_id: text(),
    connector: text().orNull(),
    merchant_connector_id: text().orNull(),
    connector_transaction_id: text().orNull().emptyAtFirst(),
    /**
     * The authorization that captures, voids and refunds act on: its n and request id; `connector_transaction_id` is
     * its reference.
     */
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
    /**
     * What it is to be paid with, as it may stand in clear, of every family (`fields/instrument.ts`). Cards came
     * first, hence the name.
     */
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
      // Created and confirmed in one call that is still under way.
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

/** What it is paid with, as it is kept. */
type KeptInstrument = { request: PaymentParams; card: MaskedInstrument | null }

/** The card that it is to be paid with; null if it is none. */
export const cardOf = ({ request, card }: KeptInstrument): MaskedCard | null =>
  request.payment_method === 'card' ? (card as MaskedCard | null) : null

/** May a hold of this payment be captured in several parts? */
export const capturesSeveralTimes = (payment: Payment): boolean => payment.capture_method === 'manual_multiple'

/**
 * Does the processor take the money with the authorization itself? `sequential_automatic` is a hold, and a capture
 * that follows at once.
 */
export const takesAtOnce = (payment: Pick<Payment, 'capture_method'>): boolean => payment.capture_method === 'automatic'

/** How it is captured, as connectors are asked. */
export const captureModeOf = (payment: Payment): CaptureMode =>
  takesAtOnce(payment) ? 'automatic' : capturesSeveralTimes(payment) ? 'manual_multiple' : 'manual'

/** Is all of it captured without a request? */
export const capturesAtOnce = (payment: Pick<Payment, 'capture_method'>): boolean =>
  payment.capture_method === 'automatic' || payment.capture_method === 'sequential_automatic'

/** An attempt is an authorize operation; the first one counts from 1. */
export const attemptId = (payment: Payment): string => `${payment.payment_id}_${payment.attempt_count}`

/** Is it paid with a card that was saved before? */
export const paidBySaved = ({ payment_method_id, saves }: PaymentParams): boolean => payment_method_id !== undefined && saves !== 'card'

/** Where its card comes from; null if it is paid with none. */
export const cardDiscovery = (payment: KeptInstrument): CardDiscovery | null =>
  cardOf(payment) ? (paidBySaved(payment.request) ? 'saved_card' : 'manual') : null

/**
 * The payment_method_type of which this amount is a part; undefined of cards, and of the whole. The whole is what was
 * to be paid, not what is captured so far: a request that is sent again must say what it said at first.
 */
export function partOf({ request, net_amount }: Pick<Payment, 'request' | 'net_amount'>, amount: number): string | undefined {
  const { payment_method, payment_method_type } = request
  return amount < net_amount && payment_method !== undefined && payment_method !== 'card' ? payment_method_type : undefined
}
