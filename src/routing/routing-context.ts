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
 * What routing may look at of a payment, or a payout. What is null is not known: it stands against no account, and
 * equals nothing in a rule.
 */
export type RoutingContext = {
  transaction: TransactionType
  payment_id: string
  profile_id: string
  /**
   * In the lowest denomination of the currency, with shipping, tax and surcharge. NaN, and no letter of a currency:
   * not said (only where rules are asked about parameters).
   */
  amount: number
  currency: Currency | ''
  capture_method: string
  authentication_type: string | null
  /** The family of the payment or payout method. Null: none that is supported, so no account accepts it. */
  family: FamilyName | RecipientName | null
  payment_method: string | null
  payment_method_type: string | null
  /** By mail or telephone; null: in a browser. */
  channel: Channel | null
  /** Shared between accounts, in whose way; null: it is not. */
  split: SplitName | null
  /** To be paid in installments. */
  installments: boolean
  /** May less than its amount be approved? */
  partly: boolean
  /** Must the processor keep its card for later payments (tokenize_at_psp)? */
  tokenized: boolean
  card_network: string | null
  /** All that it may be used on: of a card of several networks whose holder chose none. */
  card_networks: readonly string[] | null
  /** The first six digits, and the first eight. */
  card_bin: string | null
  extended_card_bin: string | null
  card_discovery: CardDiscovery | null
  issuer_name: string | null
  issuer_country: string | null
  /** In which way of its type it is paid; null: not known, or by card. */
  way: string | null
  /** What it brings of all that a way to pay may require; null: not known, or it is paid by card. */
  brings: readonly Requirement[] | null
  /** The payer's. */
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
  /** The request's own words: only these connectors, and how to choose among them. */
  connector: readonly string[] | null
  routing: Algorithm | null
  /** The account whose credentials came with it: no other is asked. */
  brought_account: string | null
  /** The account where its wallet's order was made. */
  ordered_at: string | null
  /**
   * Of one that is charged by an agreement, without its customer: which accounts keep the card themselves, and at
   * which the network's id of the agreement may be used.
   */
  agreed: { accounts: readonly string[]; network: readonly string[] | 'anywhere' } | null
  /** What of the authentication of its customer it wants of the processor. */
  authentication: readonly AuthenticationPreferences[]
}

/** Of which nothing is known but what must be. */
export const plainWish: Omit<RoutingContext, 'payment_id' | 'profile_id' | 'amount' | 'currency'> = {
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
  brings: null,
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
  brought_account: null,
  ordered_at: null,
  agreed: null,
  authentication: [],
}
