import Type, { type TProperties } from 'typebox'
import type { Merchant } from '../../accounts/merchant.ts'
import { currencies } from '../../base/currencies.ts'
import { refuse } from '../../base/refusal.ts'
import { country, open, orNull, strictObject } from '../../base/shapes.ts'
import { findCustomer } from '../../customers/customer.ts'
import { paymentMethodNames, paymentMethodTypes } from '../../instruments/methods.ts'
import { networks } from '../../instruments/networks.ts'
import { inputByBrowsers } from '../../payment-methods/create.ts'
import { type ListedPaymentMethod, listMethods, type MethodsQuery, methodsQuery, offerFilters } from '../../payment-methods/list.ts'
import { completeFollowUpsOf } from '../../payments/authorization/follow-ups.ts'
import { offeredFor, offeredIn, offeredToCustomer } from '../../payments/checkout/offered-methods.ts'
import { shapesOf } from '../../show/member.ts'
import { intentMembers, showForCheckout, showOffered } from '../../show/offered.ts'
import { commonMembers, methodMembers, savedCardShape } from '../../show/payment-method.ts'
import { showSdkConfig } from '../../show/sdk-config.ts'
import { flag, flags, lists, minor, objects, schema, text, texts } from '../answer-shapes.ts'
import { type ApiRequest, endpoint } from '../endpoint.ts'
import { narrowedTo } from '../profile-header.ts'

export const savedMethod = schema('CustomerPaymentMethod', {
  payment_token: text,
  ...shapesOf(commonMembers),
  ...objects('bank surcharge_details'),
  requires_cvv: flag,
  default_payment_method_set: flag,
  ...shapesOf({ billing: methodMembers.billing! }),
})

const eligible_connectors = Type.Array(text, { description: 'Connectors of the accounts that support it' })
const byConnectors = (title: string, more: Record<string, Type.TSchema>) => schema(title, { ...more, eligible_connectors })
const accepted = (one: Type.TSchema, title: string) =>
  schema(title, { type: Type.Enum(['enable_only', 'all_accepted']), list: orNull(Type.Array(one)) })

const field_type = Type.Union([text, Type.Record(Type.String(), Type.Object({ options: Type.Array(text) }))], {
  description: 'Kind of input to display; for a choice from a list, an object with the kind and its `options`',
})
const required = schema('RequiredField', { ...texts('value'), required_field: text, display_name: text, field_type })

const requiredFields = Type.Record(Type.String(), required, {
  description: 'Data still required from the customer, by its path in the confirm request; empty if complete',
})
const nextAction = schema('SdkNextAction', { next_action: text, ...flags('should_block_confirm') })

const offeredType = schema('OfferedType', {
  payment_method_type: Type.Enum(paymentMethodTypes),
  payment_experience: orNull(Type.Array(byConnectors('OfferedExperience', { payment_experience_type: text }))),
  card_networks: orNull(Type.Array(byConnectors('OfferedNetwork', { card_network: Type.Enum(networks), ...objects('surcharge_details') }))),
  bank_names: orNull(Type.Array(byConnectors('OfferedBanks', { bank_name: Type.Array(text) }))),
  bank_debits: orNull(byConnectors('OfferedBankDebits', {})),
  bank_transfers: orNull(byConnectors('OfferedBankTransfers', {})),
  required_fields: requiredFields,
  ...objects('surcharge_details'),
  ...texts('pm_auth_connector'),
  recurring_enabled: flag,
  installment_payment_enabled: flag,
  accepted_currencies: accepted(Type.Enum(Object.keys(currencies)), 'OfferedCurrencies'),
  accepted_countries: accepted(country, 'OfferedCountries'),
  minimum_amount: orNull(minor),
  maximum_amount: orNull(minor),
})

const intent = schema('OfferedIntent', { ...shapesOf(intentMembers), ...lists('installment_options') })

/** Contract 4.8. */
const offeredAnswer = schema('OfferedMethods', {
  ...texts('redirect_url currency merchant_name payment_type logo_url'),
  payment_methods: Type.Array(
    schema('OfferedMethod', { payment_method: Type.Enum(paymentMethodNames), payment_method_types: Type.Array(offeredType) }),
  ),
  ...objects('mandate_payment'),
  show_surcharge_breakup_screen: flag,
  request_external_three_ds_authentication: flag,
  is_tax_calculation_enabled: flag,
  ...flags('collect_shipping_details_from_wallets collect_billing_details_from_wallets show_logo'),
  sdk_next_action: nextAction,
  is_guest_customer: flag,
  intent_data: orNull(intent),
})

const { card: _card, ...listedRest } = savedMethod.properties as TProperties
/** The same saved payment method in a checkout, where the card is a member of `payment_method_data`. */
const checkoutSaved = schema('CheckoutSavedMethod', { ...listedRest, payment_method_data: orNull(Type.Object({ card: savedCardShape })) })

const checkoutAnswer = schema('Checkout', {
  payment_methods_enabled: Type.Array(
    schema('CheckoutMethod', {
      payment_method: Type.Enum(paymentMethodNames),
      payment_method_type: Type.Enum(paymentMethodTypes),
      payment_experience: Type.Array(text),
      card_networks: Type.Array(Type.Enum(networks)),
      bank_names: Type.Array(text),
      required_fields: requiredFields,
    }),
  ),
  customer_payment_methods: Type.Array(checkoutSaved),
  sdk_next_action: nextAction,
  intent_data: schema('CheckoutIntent', {
    ...intent.properties,
    request_external_three_ds_authentication: flag,
    is_guest_customer: flag,
    is_tax_calculation_enabled: flag,
    ...texts('payment_type merchant_name redirect_url'),
    ...objects('mandate_payment'),
  }),
})

const sdkMethodType = schema('SdkMethodType', {
  payment_method_type: Type.Enum(paymentMethodTypes),
  payment_method_criteria: Type.Enum(['card_network', 'payment_experience']),
  criteria_rules: Type.Array(byConnectors('SdkCriteria', { criteria_value: text })),
})

const sdkConfigAnswer = schema('SdkConfig', {
  raw_configs: schema('SdkRules', 'Rules in the format of the checkouts; they change with it', {
    default_configs: open,
    contexts: Type.Array(open),
    overrides: open,
  }),
  payment_methods: Type.Array(
    schema('SdkMethod', { payment_method: Type.Enum(paymentMethodNames), payment_method_types: Type.Array(sdkMethodType) }),
  ),
  account_config: schema('SdkAccount', {
    profile: schema('SdkProfile', {
      vaulting_action: text,
      ...flags('collect_billing_details_from_wallet_connector collect_shipping_details_from_wallet_connector'),
      ...flags('always_collect_billing_details_from_wallet_connector always_collect_shipping_details_from_wallet_connector'),
    }),
  }),
  context_used: schema('SdkContext', { profile_id: text, processor_merchant_id: text, organization_id: text }),
})

/** Returns the saved payment methods of a customer. One without a customer object, or a deleted one, has none. */
export async function savedMethodsOf(
  { context, services }: Pick<ApiRequest, 'context' | 'services'>,
  merchant: Merchant,
  { customer_id, profile_id }: { customer_id: string | null; profile_id: string | null },
  query: MethodsQuery,
): Promise<ListedPaymentMethod[]> {
  const customer = customer_id === null ? undefined : await findCustomer(context, merchant.merchant_id, customer_id)
  if (customer?.redacted_at !== null) return []
  await completeFollowUpsOf(context, merchant.merchant_id, customer.customer_id)
  return listMethods({ context, saved: services.saved }, { merchant, profile_id, viewer: 'client' }, customer, query)
}

const clientSecretQuery = strictObject({ client_secret: Type.Optional(Type.String()) })

/** The operations with which a checkout learns which payment methods it can offer. */
export const offeredMethods = [
  endpoint('GET /v1/sdk/configs/{platform}/sdk_config.json', 'retrieveSdkConfig', {
    title: 'Retrieve the configuration of a checkout',
    description:
      'Returns, for the ecosystem’s newest checkouts, the payment methods of a payment and the data that each asks of its customer, as rules.',
    auth: { credential: 'client' },
    clientSecretOf: 'any payment',
    query: clientSecretQuery,
    answers: sdkConfigAnswer,
    json: ({ merchant, opened }) => showSdkConfig(merchant, opened!, offeredToCustomer(merchant, opened!, {})),
  }),
  endpoint('GET /payments/{payment_id}/client', 'retrieveForCheckout', {
    title: 'Retrieve checkout details',
    description:
      'Returns everything a checkout needs to render in one response: the payment, its available payment methods, and the customer’s saved payment methods.',
    auth: { credential: 'client' },
    clientSecretOf: 'payment',
    query: clientSecretQuery,
    answers: checkoutAnswer,
    json: async ({ context, services, merchant, opened }) => {
      const listed = await savedMethodsOf({ context, services }, merchant, opened!, {})
      return showForCheckout(merchant, opened!, offeredToCustomer(merchant, opened!, {}), listed)
    },
  }),
  endpoint('GET /account/payment_methods', 'listPaymentMethods', {
    title: 'List available payment methods',
    description:
      'Lists the payment methods that a business profile’s connector accounts support together: with a client_secret, those for that payment and the data still required from the customer; for a server, all that the profile supports (`X-Profile-Id`, or the default profile).',
    auth: { credential: 'secret or client', permission: 'payments:read', scope: 'merchant' },
    clientSecretOf: 'any payment or payment method',
    query: methodsQuery,
    answers: offeredAnswer,
    errors: ['not_found'],
    json: async ({ merchant, query, who, opened, headers }) => {
      const filters = offerFilters(query)
      const profile_id =
        opened?.profile_id ?? narrowedTo(headers) ?? merchant.default_profile ?? refuse('missing', { field: 'X-Profile-Id' })
      const offeredIt = who.is === 'client' ? offeredToCustomer : offeredFor
      const offered = opened ? offeredIt(merchant, opened, filters) : offeredIn(merchant, profile_id, filters)
      // A client_secret of a payment method only serves to save one: those that browsers can enter.
      const wanted = who.is === 'client' && !opened ? offered.filter(one => inputByBrowsers.includes(one.payment_method)) : offered
      return showOffered(merchant, profile_id, opened, wanted)
    },
  }),
]
