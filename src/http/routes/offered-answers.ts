import Type from 'typebox'
import { currencies } from '../../base/currencies.ts'
import { country, open, orNull } from '../../base/shapes.ts'
import { paymentMethodNames, paymentMethodTypes } from '../../instruments/methods.ts'
import { networks } from '../../instruments/networks.ts'
import { shapesOf } from '../../show/member.ts'
import { intentMembers } from '../../show/offered.ts'
import { flag, flags, lists, minor, objects, schema, text, texts } from '../answer-shapes.ts'
import { checkoutSaved } from './payment-methods-answers.ts'

/** The answer of `GET /account/payment_methods` (contract 4.8). */

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

export const offeredAnswer = schema('OfferedMethods', {
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

/** The answer of `GET /payments/{payment_id}/client`. */
export const checkoutAnswer = schema('Checkout', {
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

/** The answer of `GET /v1/sdk/configs/{platform}/sdk_config.json`. */
export const sdkConfigAnswer = schema('SdkConfig', {
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
