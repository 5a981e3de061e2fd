import type { TransactionType } from '../accounts/routing.ts'
import type { Currency } from '../base/currencies.ts'
import type { AuthenticationPreferences } from '../connectors/authentication.ts'
import type { FamilyName, RecipientName } from '../connectors/instrument.ts'
import type { Requirement } from '../connectors/offer.ts'
import type { Channel } from '../connectors/purchase.ts'
import type { SplitName } from '../connectors/split.ts'
import type { CardDiscovery } from '../instruments/card.ts'
import type { Algorithm } from './algorithm.ts'

/** A null member is unknown: it excludes no account, and equals nothing in a rule. */
export type RoutingContext = {
  transaction: TransactionType
  payment_id: string
  profile_id: string
  /**
   * In the lowest denomination, with shipping, tax and surcharge. NaN, and an empty currency, are unknown, which
   * occurs only in the evaluation of rules with parameters.
   */
  amount: number
  currency: Currency | ''
  capture_method: string
  authentication_type: string | null
  /** Null if the method is not supported, so that no account accepts it. */
  family: FamilyName | RecipientName | null
  payment_method: string | null
  payment_method_type: string | null
  /** Mail or telephone order; null: in a browser. */
  channel: Channel | null
  /** The processor's way of splitting; null: not split. */
  split: SplitName | null
  installments: boolean
  partly: boolean
  /** The processor must store the card for later payments (tokenize_at_psp). */
  tokenized: boolean
  card_network: string | null
  /** Of a co-badged card whose holder chose none. */
  card_networks: readonly string[] | null
  /** The first six digits; `extended`: eight. */
  card_bin: string | null
  extended_card_bin: string | null
  card_discovery: CardDiscovery | null
  issuer_name: string | null
  issuer_country: string | null
  /** Null for an unknown way and for cards. */
  way: string | null
  /** The payment has these of all that a method may require; null if unknown, and for cards. */
  provided: readonly Requirement[] | null
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
  /** The request's own: the only connectors allowed, and the algorithm to choose among them. */
  connector: readonly string[] | null
  routing: Algorithm | null
  /** Its credentials were sent with the payment; no other account is used. */
  inline_account: string | null
  /** Where the wallet's order was created. */
  ordered_at: string | null
  /** Off-session: accounts whose processor has stored the card, and where the network transaction id may be used. */
  agreed: { accounts: readonly string[]; network: readonly string[] | 'anywhere' } | null
  authentication: readonly AuthenticationPreferences[]
}

/** A payment of which nothing is known. */
// biome-ignore format: a list reads better in rows
export const plainRoutingContext: Omit<RoutingContext, 'payment_id' | 'profile_id' | 'amount' | 'currency'> = {
  transaction: 'payment', capture_method: 'automatic', authentication_type: null, family: null, payment_method: null,
  payment_method_type: null, channel: null, split: null, installments: false, partly: false, tokenized: false,
  card_network: null, card_networks: null, card_bin: null, extended_card_bin: null, card_discovery: null,
  issuer_name: null, issuer_country: null, way: null, provided: null, billing_country: null, business_country: null,
  business_label: null, customer_id: null, setup_future_usage: null, payment_type: null, mandate_type: null,
  mandate_acceptance_type: null, transaction_initiator: null, metadata: null, connector: null, routing: null,
  inline_account: null, ordered_at: null, agreed: null, authentication: [],
}
