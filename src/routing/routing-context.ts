import type { TransactionType } from '../accounts/routing.ts'
import type { Currency } from '../base/currencies.ts'
import type { AuthenticationPreferences } from '../connectors/authentication.ts'
import type { FamilyName, RecipientName } from '../connectors/instrument.ts'
import type { Requirement } from '../connectors/offer.ts'
import type { Channel } from '../connectors/purchase.ts'
import type { SplitName } from '../connectors/split.ts'
import type { CardDiscovery } from '../instruments/card.ts'
import type { Algorithm } from './algorithm.ts'

/**
 * The data of a payment or payout that routing may use. A null member is unknown: it excludes no account, and equals
 * nothing in a rule.
 */
export type RoutingContext = {
  transaction: TransactionType
  payment_id: string
  profile_id: string
  /**
   * The amount in the lowest denomination of the currency, with shipping, tax and surcharge. An amount of NaN, and an
   * empty currency, mean that they are unknown, which occurs only in the evaluation of rules with parameters.
   */
  amount: number
  currency: Currency | ''
  capture_method: string
  authentication_type: string | null
  /**
   * The family of the payment or payout method. Null if the method is not supported, so that no account accepts it.
   */
  family: FamilyName | RecipientName | null
  payment_method: string | null
  payment_method_type: string | null
  /** Mail or telephone order; null: in a browser. */
  channel: Channel | null
  /** The processor's way of splitting the payment between accounts; null: it is not split. */
  split: SplitName | null
  /** Whether the payment is made in installments. */
  installments: boolean
  /** Whether a partial approval is accepted. */
  partly: boolean
  /** Whether the processor must store the card for later payments (tokenize_at_psp). */
  tokenized: boolean
  card_network: string | null
  /** All networks of a co-badged card whose holder chose none. */
  card_networks: readonly string[] | null
  /** The first six digits of the card number, and the first eight. */
  card_bin: string | null
  extended_card_bin: string | null
  card_discovery: CardDiscovery | null
  issuer_name: string | null
  issuer_country: string | null
  /** The way in which the method type is paid; null for an unknown way and for cards. */
  way: string | null
  /** The data of the payment among all that a method may require; null if unknown, and for cards. */
  provided: readonly Requirement[] | null
  /** The country of the payer's billing address. */
  billing_country: string | null
  business_country: string | null
  business_label: string | null
  customer_id: string | null
  setup_future_usage: string | null
  payment_type: string | null
  mandate_type: string | null
  mandate_acceptance_type: string | null
  transaction_initiator: string | null
  metadata: Readonly<Record<string, unknown>> | null
  /** The request's own routing: the only connectors allowed, and the algorithm to choose among them. */
  connector: readonly string[] | null
  routing: Algorithm | null
  /** The account whose credentials were sent with the payment; no other account is used. */
  inline_account: string | null
  /** The account at which the wallet's order was created. */
  ordered_at: string | null
  /**
   * The agreement of an off-session charge: the accounts whose processor has stored the card, and the accounts at
   * which the network transaction id of the agreement may be used.
   */
  agreed: { accounts: readonly string[]; network: readonly string[] | 'anywhere' } | null
  /** The payment's preferences for the authentication of its customer by the processor. */
  authentication: readonly AuthenticationPreferences[]
}

/** The routing context of a payment of which nothing is known. */
export const plainRoutingContext: Omit<RoutingContext, 'payment_id' | 'profile_id' | 'amount' | 'currency'> = {
  transaction: 'payment',
  capture_method: 'automatic',
  authentication_type: null,
  family: null,
  payment_method: null,
  payment_method_type: null,
  channel: null,
  split: null,
  installments: false,
  partly: false,
  tokenized: false,
  card_network: null,
  card_networks: null,
  card_bin: null,
  extended_card_bin: null,
  card_discovery: null,
  issuer_name: null,
  issuer_country: null,
  way: null,
  provided: null,
  billing_country: null,
  business_country: null,
  business_label: null,
  customer_id: null,
  setup_future_usage: null,
  payment_type: null,
  mandate_type: null,
  mandate_acceptance_type: null,
  transaction_initiator: null,
  metadata: null,
  connector: null,
  routing: null,
  inline_account: null,
  ordered_at: null,
  agreed: null,
  authentication: [],
}
