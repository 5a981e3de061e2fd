// Stripe's objects that the ledger of money does not contain: intents, payment methods, disputes. The account keeps
// the latest version of each.

import type { Account } from '../books.ts'
import type { CardName } from '../cards.ts'
import type { Dispute } from '../records.ts'
import type { ThreeDsResult } from '../requests.ts'
import type { Form } from './stripe-form.ts'
import type { MethodName } from './stripe-methods.ts'

export type PaymentMethod = {
  id: string
  object: 'payment_method'
  /**
   * The type of a payment method other than a card. `card` is then the test card as which the method behaves, and
   * `fails_as` its failure code.
   */
  type?: MethodName
  fails_as?: string
  card: CardName
  masked: string
  last4: string
  brand: string
  exp_month: number
  exp_year: number
  cvc: 'sent' | 'missing'
  name: string | null
  /** The cardholder's billing details, as sent. */
  billing?: Form
  /** The customer that the payment method is attached to. Only an attached method can be used again. */
  customer?: string | null
  metadata: Record<string, string>
  created: number
}

export type Intent = {
  id: string
  object: 'payment_intent'
  amount: number
  currency: string
  capture_method: 'automatic' | 'automatic_async' | 'manual'
  payment_method: string | null
  metadata: Record<string, string>
  /** The metadata when the bank was asked: the charge keeps it when the intent's changes. */
  charged?: Record<string, string>
  /** The payment method types that are allowed, and the customer's acceptance of a debit mandate. */
  allowed?: string[]
  mandate_data?: Form
  return_url: string | null
  description: string | null
  shipping?: Form
  /** Level 2 and 3 data. */
  levels?: Form
  transfer_data?: { destination: string }
  application_fee_amount?: number
  on_behalf_of?: string
  /** Whether the order was made by mail or telephone. */
  moto?: true
  installments?: number
  statement_descriptor: string | null
  statement_descriptor_suffix: string | null
  multicapture: 'if_available' | 'never'
  incremental?: 'if_available' | 'never'
  overcapture?: 'if_available' | 'never'
  extended?: 'if_available' | 'never'
  three_ds: 'any' | 'automatic' | 'challenge'
  /** The network requested for a co-branded card. */
  network?: string | null
  /** The result of an authentication outside Stripe. */
  threeDsResult?: ThreeDsResult
  /** The ids of the authorizations in the ledger; the last is the current one. */
  attempts: string[]
  customer?: string | null
  setup_future_usage?: string | null
  /** The id of the SEPA debit that a bank payment leaves behind. */
  generated?: string
  canceled: { at: number; reason: string | null } | null
  client_secret: string
  created: number
}

export type SetupIntent = {
  id: string
  object: 'setup_intent'
  payment_method: string | null
  customer?: string | null
  status: 'requires_payment_method' | 'requires_confirmation' | 'succeeded' | 'canceled'
  /** The authorization of zero in the ledger, whose challenge determines the status of the setup intent. */
  attempt?: string
  generated?: string
  usage: string
  metadata: Record<string, string>
  cancellation_reason: string | null
  client_secret: string
  created: number
}

export type Customer = {
  id: string
  object: 'customer'
  name: string | null
  email: string | null
  phone: string | null
  metadata: Record<string, string>
  created: number
  /** Whether the customer was deleted at Stripe. */
  deleted?: true
}

export type RefundNote = { id: string; object: 'refund_note'; reason: string | null; metadata: Record<string, string>; reverted?: string[] }

/** Stripe's data about a transfer to a connected account that the ledger of money does not contain. */
export type StripeTransferNote = {
  id: string
  object: 'transfer'
  payout: string
  destination: string
  description: string | null
  metadata: Record<string, string>
  transfer_group: string | null
}

export type StripeDocument = PaymentMethod | Intent | SetupIntent | Customer | RefundNote | Dispute | StripeTransferNote

export const documentOf = <D extends StripeDocument>(account: Account, id: string | null, object: D['object']): D | undefined => {
  const found = id === null ? undefined : (account.documents.get(id) as D | undefined)
  return found?.object === object ? found : undefined
}

export const seconds = (iso: string | number): number => Math.floor(new Date(iso).getTime() / 1000)

/** Returns Stripe's id of a charge: `auth_X` of the ledger is `ch_X` at Stripe, and `ref_X` is `re_X`. */
export const chargeId = (authorization: string): string => authorization.replace(/^auth_/, 'ch_')
export const refundId = (refund: string): string => refund.replace(/^ref_/, 're_')
export const ledgerId = (id: string): string => id.replace(/^ch_/, 'auth_').replace(/^re_/, 'ref_')
