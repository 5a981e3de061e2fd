import type { ConnectorAccount } from '../accounts/merchant.ts'
import type { TransactionType } from '../accounts/routing.ts'
import { connectors } from '../connectors/all.ts'
import type { AuthenticationPreferences } from '../connectors/authentication.ts'
import { whyNotCounted } from '../connectors/counting.ts'
import { capturesOf, offerOf, type Requirement, requiredMembers, takesWay } from '../connectors/offer.ts'
import { settingOf } from '../connectors/settings.ts'
import { accepts, type MethodType, NOT_ENABLED } from './enabled-methods.ts'
import type { RoutingContext } from './routing-context.ts'

/** All refusals of routing follow from this table. Pure. */

export const processorOf: Readonly<Record<TransactionType, string>> = { payment: 'payment_processor', payout: 'payout_processor' }

/**
 * In the order in which a merchant would look for the cause. `type`: an entry of `payment_methods_enabled`, or null if
 * the account has no list. `errorWhenNone`: the error if no
 * account passes; `exclusionReason`: the reason against one account.
 */
export type EligibilityCheck = {
  readonly name: string
  passes(account: ConnectorAccount, type: MethodType | null, routingContext: RoutingContext): boolean
  errorWhenNone(routingContext: RoutingContext, furthest: ConnectorAccount | undefined): string
  exclusionReason(routingContext: RoutingContext): string
}

export const eligibilityChecks = [
  {
    name: 'connector_type',
    passes: (account, _, { transaction }) => account.connector_type === processorOf[transaction],
    errorWhenNone: ({ transaction }) => `the merchant has no connector account of connector_type ${processorOf[transaction]}`,
    exclusionReason: ({ transaction }) => `is not a ${processorOf[transaction]}`,
  },
  {
    name: 'profile_id',
    passes: (account, _, routingContext) => account.profile_id === routingContext.profile_id,
    errorWhenNone: routingContext => `business profile ${routingContext.profile_id} has no connector account`,
    exclusionReason: () => 'belongs to another business profile',
  },
  {
    name: 'disabled',
    passes: account => !account.disabled,
    errorWhenNone: () => 'all connector accounts are disabled',
    exclusionReason: () => 'is disabled',
  },
  {
    name: 'connector',
    passes: (account, _, { connector }) => !connector || connector.length === 0 || connector.includes(account.connector_name),
    errorWhenNone: () => 'no enabled connector account belongs to a connector named in the request (connector)',
    exclusionReason: () => 'does not belong to a connector named in the request (connector)',
  },
  {
    name: 'payment_method',
    passes: (account, _, routingContext) => has(takenBy(account, routingContext), routingContext.family ?? ''),
    ...supporting(routingContext => `payment_method ${routingContext.payment_method}`),
  },
  {
    name: 'type',
    passes: (account, _, routingContext) => offerFor(account, routingContext) !== null,
    ...supporting(routingContext => `payment_method_type ${routingContext.payment_method_type}`),
  },
  {
    name: 'way',
    passes: (account, _, routingContext) => {
      const offer = offerFor(account, routingContext)
      return routingContext.way === null || !offer || takesWay(offer, routingContext.way)
    },
    ...supporting(({ payment_method_type, way }) => `payment_method_type ${payment_method_type} as ${way}`),
  },
  {
    name: 'recurring',
    passes: (account, _, routingContext) => !asksForLater(routingContext) || offerFor(account, routingContext)?.recurring !== undefined,
    ...supporting(routingContext => `${methodIn(routingContext)} for off-session payments (setup_future_usage off_session)`),
  },
  {
    name: 'agreement',
    passes: (account, _, { agreed }) => !agreed || holds(account, agreed) !== null,
    errorWhenNone: (_, account) =>
      `no enabled connector account can charge this payment method off-session: none stores it, or none accepts its network_transaction_id (at another account only if the business profile has is_connector_agnostic_mit_enabled${onlyWith(account)})`,
    exclusionReason: () => 'cannot charge this payment method off-session',
  },
  {
    name: 'authentication',
    passes: (account, _, routingContext) => routingContext.authentication.length === 0 || lackingOf(account, routingContext) === undefined,
    errorWhenNone: (routingContext, account) =>
      `no enabled connector account supports ${authenticates[(account && lackingOf(account, routingContext)) ?? 'three_ds_result']}`,
    exclusionReason: routingContext =>
      `does not support ${routingContext.authentication.map(one => authenticates[one]).join(' together with ')}`,
  },
  {
    name: 'set_up',
    passes: (account, _, routingContext) =>
      routingContext.amount !== 0 ||
      (connectors[account.connector_name]?.setUp !== undefined &&
        (isCard(routingContext) || (agreesToLater(routingContext) && offerFor(account, routingContext)?.setUp === true))),
    errorWhenNone: routingContext =>
      isCard(routingContext)
        ? 'no enabled connector account can set up a card without a charge'
        : `no enabled connector account can set up ${methodIn(routingContext)} without a charge (what is no card requires setup_future_usage off_session with customer_acceptance)`,
    exclusionReason: routingContext => `cannot set up ${isCard(routingContext) ? 'a card' : methodIn(routingContext)} without a charge`,
  },
  {
    name: 'order',
    passes: ({ merchant_connector_id: id }, _, { ordered_at }) => ordered_at === null || ordered_at === id,
    errorWhenNone: () => 'the connector account of the order is not enabled (post_session_tokens creates a new order)',
    exclusionReason: () => 'is not the connector account of the order (post_session_tokens)',
  },
  {
    name: 'channel',
    passes: (account, _, { channel }) => channel === null || has(connectors[account.connector_name]?.accepts.channels, channel),
    ...supporting(({ channel }) => `payment_channel ${channel}`),
  },
  {
    name: 'split',
    passes: (account, _, { split }) => split === null || connectors[account.connector_name]?.accepts.splits === split,
    ...supporting(({ split }) => `${split} (split_payments)`),
  },
  {
    name: 'installments',
    passes: (account, _, { installments }) => !installments || connectors[account.connector_name]?.accepts.installments === true,
    ...supporting(() => 'installments (installment_data)'),
  },
  {
    name: 'partial_approval',
    passes: (account, _, { partly }) => !partly || connectors[account.connector_name]?.accepts.partialApproval === true,
    ...supporting(() => 'partial authorization (enable_partial_authorization)'),
  },
  {
    name: 'tokenization',
    passes: (account, _, { tokenized }) => !tokenized || has(connectors[account.connector_name]?.accepts.methods, 'stored_card'),
    errorWhenNone: () => 'no enabled connector account can store cards at its processor (tokenization tokenize_at_psp)',
    exclusionReason: () => 'cannot store cards at its processor (tokenization tokenize_at_psp)',
  },
  {
    name: 'capture_method',
    passes: (account, _, routingContext) =>
      routingContext.transaction === 'payout' || has(capturesAt(account, routingContext), captureOf(routingContext)),
    ...supporting(routingContext => `capture_method ${routingContext.capture_method} for payment_method ${routingContext.payment_method}`),
  },
  {
    name: 'currency',
    passes: (account, _, routingContext) => {
      const taken: readonly string[] | undefined = offerFor(account, routingContext)?.currencies
      return !taken || routingContext.currency === '' || taken.includes(routingContext.currency)
    },
    ...supporting(routingContext => `${methodIn(routingContext)} in ${routingContext.currency}`),
  },
  {
    name: 'payer_country',
    passes: (account, _, routingContext) => {
      const countries = offerFor(account, routingContext)?.countries
      return !countries || routingContext.billing_country === null || countries.includes(routingContext.billing_country)
    },
    ...supporting(routingContext => `${methodIn(routingContext)} for payers in ${routingContext.billing_country} (billing)`),
  },
  {
    name: 'limits',
    passes: (account, _, routingContext) => {
      const offer = offerFor(account, routingContext)
      const { amount, currency } = routingContext
      return (
        !offer ||
        currency === '' ||
        !(amount < (offer.least?.[currency] ?? 0) || amount > (offer.most?.[currency] ?? Number.MAX_SAFE_INTEGER))
      )
    },
    ...supporting(routingContext => `${methodIn(routingContext)} for an amount of ${routingContext.amount} ${routingContext.currency}`),
  },
  {
    name: 'required',
    passes: (account, _, routingContext) => routingContext.provided === null || missingIn(account, routingContext).length === 0,
    errorWhenNone: (routingContext, account) =>
      `${methodIn(routingContext)} requires ${(account ? missingIn(account, routingContext) : []).map(name => requiredMembers[name]).join(', ')}`,
    exclusionReason: routingContext => `requires more for ${methodIn(routingContext)} than this payment has`,
  },
  {
    name: 'counting',
    passes: (account, _, routingContext) => uncountable(account, routingContext) === null,
    errorWhenNone: (routingContext, account) =>
      `no enabled connector account supports this amount (${account?.connector_name}: ${account && uncountable(account, routingContext)})`,
    exclusionReason: routingContext => `does not support an amount of ${routingContext.amount} ${routingContext.currency}`,
  },
  {
    name: 'payment_methods_enabled',
    passes: (_, type) => type !== NOT_ENABLED,
    ...enabledFor(routingContext => `payment_method ${routingContext.payment_method} (payment_methods_enabled)`),
  },
  {
    name: 'payment_method_type',
    passes: (_, type, routingContext) =>
      !type || routingContext.payment_method_type === null || type.payment_method_type === routingContext.payment_method_type,
    ...enabledFor(routingContext => `payment_method_type ${routingContext.payment_method_type}`),
  },
  {
    name: 'installment_payment_enabled',
    passes: (_, type, { installments }) => !installments || type?.installment_payment_enabled !== false,
    ...enabledFor(() => 'installments (installment_payment_enabled)'),
  },
  {
    name: 'card_networks',
    passes: (_, type, { card_network, card_networks }) =>
      !type?.card_networks?.length ||
      card_network === null ||
      type.card_networks.includes(card_network) ||
      (card_networks ?? []).some(one => has(type.card_networks, one)),
    ...enabledFor(routingContext => `${routingContext.card_network} cards (card_networks)`),
  },
  {
    name: 'accepted_currencies',
    passes: (_, type, routingContext) => accepts(type?.accepted_currencies, routingContext.currency || null),
    ...enabledFor(routingContext => `${routingContext.currency} (accepted_currencies)`),
  },
  {
    name: 'accepted_countries',
    passes: (_, type, routingContext) => accepts(type?.accepted_countries, routingContext.billing_country),
    ...enabledFor(routingContext => `payers in ${routingContext.billing_country} (accepted_countries)`),
  },
  {
    name: 'amount',
    // A payment of amount 0 charges nothing, so no limit applies.
    passes: (_, type, { amount }) =>
      amount === 0 || !(amount < (type?.minimum_amount ?? 0) || amount > (type?.maximum_amount ?? Number.MAX_SAFE_INTEGER)),
    ...enabledFor(routingContext => `an amount of ${routingContext.amount} (minimum_amount, maximum_amount)`),
  },
] as const satisfies readonly EligibilityCheck[]

/** Values of a connector's `accepts.authentication`, in words for errors. */
const authenticates: Readonly<Record<AuthenticationPreferences, string>> = {
  three_ds_result: 'external 3-D Secure authentication (request_external_three_ds_authentication, three_ds_data)',
  challenge: 'a mandatory challenge (force_3ds_challenge)',
  low_value: 'the low value exemption (psd2_sca_exemption_type)',
  transaction_risk_analysis: 'the transaction risk analysis exemption (psd2_sca_exemption_type)',
}

/** The first preference of the payment that the connector does not support. */
const lackingOf = ({ connector_name }: ConnectorAccount, { authentication }: RoutingContext): AuthenticationPreferences | undefined =>
  authentication.find(one => !has(connectors[connector_name]?.accepts.authentication, one))

/** How an account can charge a card off-session; null if it cannot. */
function holds(
  { connector_name, merchant_connector_id, account }: ConnectorAccount,
  agreed: NonNullable<RoutingContext['agreed']>,
): 'stored_card' | 'network_transaction_id' | null {
  const takes = connectors[connector_name]?.accepts.methods
  const setting = opening(connector_name)
  if (agreed.accounts.includes(merchant_connector_id) && has(takes, 'stored_card')) return 'stored_card'
  const known = agreed.network === 'anywhere' || agreed.network.includes(merchant_connector_id)
  const isOpen = setting === undefined || settingOf(account, setting) === 'true'
  return known && isOpen && has(takes, 'network_transaction_id') ? 'network_transaction_id' : null
}

/** An account may need a setting to take network transaction ids. */
const opening = (connector_name: string) => connectors[connector_name]?.accepts.on_request?.network_transaction_id

function onlyWith(account: ConnectorAccount | undefined): string {
  const setting = account && opening(account.connector_name)
  return setting === undefined ? '' : `, at ${account!.connector_name} only if the account has metadata.${setting}`
}

export type CheckName = (typeof eligibilityChecks)[number]['name']
export const checkNames: readonly CheckName[] = eligibilityChecks.map(({ name }) => name)

function supporting(what: (routingContext: RoutingContext) => string): Pick<EligibilityCheck, 'errorWhenNone' | 'exclusionReason'> {
  return {
    errorWhenNone: routingContext => `no enabled connector account supports ${what(routingContext)}`,
    exclusionReason: routingContext => `does not support ${what(routingContext)}`,
  }
}

function enabledFor(what: (routingContext: RoutingContext) => string): Pick<EligibilityCheck, 'errorWhenNone' | 'exclusionReason'> {
  return {
    errorWhenNone: routingContext => `no connector account is enabled for ${what(routingContext)}`,
    exclusionReason: routingContext => `is not enabled for ${what(routingContext)}`,
  }
}

/** Null if the processor can express the amount. */
const uncountable = ({ connector_name }: ConnectorAccount, { amount, currency }: RoutingContext): string | null =>
  Number.isNaN(amount) || currency === '' ? null : whyNotCounted(connectors[connector_name]?.accepts.counting, { amount, currency })

const takenBy = ({ connector_name }: ConnectorAccount, { transaction }: RoutingContext): readonly string[] | undefined => {
  const accepts = connectors[connector_name]?.accepts
  return transaction === 'payout' ? accepts?.recipients : accepts?.methods
}

const offerFor = ({ connector_name }: ConnectorAccount, { family, payment_method_type, transaction }: RoutingContext) =>
  transaction === 'payout' ? undefined : offerOf(connectors[connector_name]?.accepts, family, payment_method_type)

const capturesAt = ({ connector_name }: ConnectorAccount, { family, payment_method_type }: RoutingContext) => {
  const accepts = connectors[connector_name]?.accepts
  return accepts && capturesOf(accepts, family, payment_method_type)
}

/** These also apply to an off-session charge, to which the customer has agreed before. */
const ofEachCharge: readonly Requirement[] = ['lines', 'shipping']

const missingIn = (account: ConnectorAccount, routingContext: RoutingContext): readonly Requirement[] =>
  offerFor(account, routingContext)?.requires?.filter(
    one => !routingContext.provided?.includes(one) && (routingContext.agreed === null || ofEachCharge.includes(one)),
  ) ?? []

const isCard = ({ payment_method }: RoutingContext): boolean => (payment_method ?? 'card') === 'card'

/** Other than a card, and saved for off-session charges. Without the customer's acceptance nothing is saved. */
const asksForLater = (routingContext: RoutingContext): boolean =>
  routingContext.transaction === 'payment' && routingContext.agreed === null && !isCard(routingContext) && agreesToLater(routingContext)

const agreesToLater = ({ setup_future_usage, mandate_acceptance_type }: RoutingContext): boolean =>
  setup_future_usage === 'off_session' && mandate_acceptance_type !== null

const methodIn = ({ payment_method, payment_method_type }: RoutingContext): string =>
  payment_method_type === null ? `payment_method ${payment_method}` : `payment_method_type ${payment_method_type}`

const has = (list: readonly string[] | undefined, word: string): boolean => list?.includes(word) ?? false
const captureOf = ({ capture_method }: RoutingContext): string => captures[capture_method] ?? capture_method
const captures: Readonly<Record<string, string>> = { sequential_automatic: 'manual', scheduled: 'manual' }
