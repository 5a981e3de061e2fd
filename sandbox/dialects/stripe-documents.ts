// What Stripe's objects are that the ledger of money does not know: intents, payment methods, disputes. They are kept
// with the account, as they were written last.

import type { CardName } from '../cards.ts'
import type { Dispute } from '../records.ts'
import type { ThreeDsResult } from '../requests.ts'
import type { Form } from './stripe-form.ts'
import type { MethodName } from './stripe-methods.ts'

export type PaymentMethod = {
  id: string
  object: 'payment_method'
  /** Of what is no card: then `card` is the one that does what this does, and `fails_as` why it is declined. */
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
  /** Where its holder lives, and how they are reached, as it was said. */
  billing?: Form
  /** Whose it is: only then may it pay a second time. */
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
  /** What may be paid with; how the customer has agreed to a debit. */
  allowed?: string[]
  mandate_data?: Form
  return_url: string | null
  description: string | null
  shipping?: Form
  /** Level 2 and 3 data. */
  levels?: Form
  /** Where the money goes on to, and what the platform keeps of it. */
  transfer_data?: { destination: string }
  application_fee_amount?: number
  on_behalf_of?: string
  /** By mail or telephone. */
  moto?: true
  /** Monthly, in how many parts. */
  installments?: number
  statement_descriptor: string | null
  statement_descriptor_suffix: string | null
  multicapture: 'if_available' | 'never'
  incremental?: 'if_available' | 'never'
  overcapture?: 'if_available' | 'never'
  extended?: 'if_available' | 'never'
  three_ds: 'any' | 'automatic' | 'challenge'
  /** Which of the card's networks is asked for. */
  network?: string | null
  /** The shopper was authenticated elsewhere. */
  threeDsResult?: ThreeDsResult
  /** Authorizations of the ledger, the last one is the current. */
  attempts: string[]
  customer?: string | null
  setup_future_usage?: string | null
  /** The debit that a payment at a bank leaves behind. */
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
  /** The authorization of nothing, in the ledger, whose card asks for a challenge: it says how this stands. */
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
  /** By a person, at Stripe. */
  deleted?: true
}

export type RefundNote = { id: string; object: 'refund_note'; reason: string | null; metadata: Record<string, string>; reverted?: string[] }

/** What the ledger of money does not know of a transfer to a connected account. */
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
