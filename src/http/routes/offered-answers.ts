import Type from 'typebox'
import { currencies } from '../../base/currencies.ts'
import { country, open, orNull } from '../../base/shapes.ts'
import { paymentMethodNames, paymentMethodTypes } from '../../instruments/methods.ts'
import { networks } from '../../instruments/networks.ts'
import { shapesOf } from '../../show/member.ts'
import { intentMembers } from '../../show/offered.ts'
import { flag, flags, lists, minor, objects, text, texts } from '../answer-shapes.ts'
import { checkoutSaved } from './payment-methods-answers.ts'

/** The answer of `GET /account/payment_methods` (contract 4.8). */

const eligible_connectors = Type.Array(text, { description: 'Connectors of the accounts that support it' })
const byConnectors = (title: string, more: Record<string, Type.TSchema>) => Type.Object({ ...more, eligible_connectors }, { title })
const accepted = (one: Type.TSchema, title: string) =>
  Type.Object({ type: Type.Enum(['enable_only', 'all_accepted']), list: orNull(Type.Array(one)) }, { title })

const field_type = Type.Union([text, Type.Record(Type.String(), Type.Object({ options: Type.Array(text) }))], {
  description: 'Kind of input to display; for a choice from a list, an object with the kind and its `options`',
})
const required = Type.Object({ ...texts('value'), required_field: text, display_name: text, field_type }, { title: 'RequiredField' })

const requiredFields = Type.Record(Type.String(), required, {
  description: 'Data still required from the customer, by its path in the confirm request; empty if complete',
})
const nextAction = Type.Object({ next_action: text, ...flags('should_block_confirm') }, { title: 'SdkNextAction' })

const offeredType = Type.Object(
  {
    payment_method_type: Type.Enum(paymentMethodTypes),
    payment_experience: orNull(Type.Array(byConnectors('OfferedExperience', { payment_experience_type: text }))),
    card_networks: orNull(
      Type.Array(byConnectors('OfferedNetwork', { card_network: Type.Enum(networks), ...objects('surcharge_details') })),
    ),
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
  },
  { title: 'OfferedType' },
)

const intent = Type.Object({ ...shapesOf(intentMembers), ...lists('installment_options') }, { title: 'OfferedIntent' })

export const offeredAnswer = Type.Object(
  {
    ...texts('redirect_url currency merchant_name payment_type logo_url'),
    payment_methods: Type.Array(
      Type.Object(
        { payment_method: Type.Enum(paymentMethodNames), payment_method_types: Type.Array(offeredType) },
        { title: 'OfferedMethod' },
      ),
    ),
    ...objects('mandate_payment'),
    show_surcharge_breakup_screen: flag,
    request_external_three_ds_authentication: flag,
    is_tax_calculation_enabled: flag,
    ...flags('collect_shipping_details_from_wallets collect_billing_details_from_wallets show_logo'),
    sdk_next_action: nextAction,
    is_guest_customer: flag,
    intent_data: orNull(intent),
  },
  { title: 'OfferedMethods' },
)

/** The answer of `GET /payments/{payment_id}/client`. */
export const checkoutAnswer = Type.Object(
  {
    payment_methods_enabled: Type.Array(
      Type.Object(
        {
          payment_method: Type.Enum(paymentMethodNames),
          payment_method_type: Type.Enum(paymentMethodTypes),
          payment_experience: Type.Array(text),
          card_networks: Type.Array(Type.Enum(networks)),
          bank_names: Type.Array(text),
          required_fields: requiredFields,
        },
        { title: 'CheckoutMethod' },
      ),
    ),
    customer_payment_methods: Type.Array(checkoutSaved),
    sdk_next_action: nextAction,
    intent_data: Type.Object(
      {
        ...intent.properties,
        request_external_three_ds_authentication: flag,
        is_guest_customer: flag,
        is_tax_calculation_enabled: flag,
        ...texts('payment_type merchant_name redirect_url'),
        ...objects('mandate_payment'),
      },
      { title: 'CheckoutIntent' },
    ),
  },
  { title: 'Checkout' },
)

const sdkMethodType = Type.Object(
  {
    payment_method_type: Type.Enum(paymentMethodTypes),
    payment_method_criteria: Type.Enum(['card_network', 'payment_experience']),
    criteria_rules: Type.Array(byConnectors('SdkCriteria', { criteria_value: text })),
  },
  { title: 'SdkMethodType' },
)

/** The answer of `GET /v1/sdk/configs/{platform}/sdk_config.json`. */
export const sdkConfigAnswer = Type.Object(
  {
    raw_configs: Type.Object(
      { default_configs: open, contexts: Type.Array(open), overrides: open },
      { title: 'SdkRules', description: 'Rules in the format of the checkouts; they change with it' },
    ),
    payment_methods: Type.Array(
      Type.Object(
        { payment_method: Type.Enum(paymentMethodNames), payment_method_types: Type.Array(sdkMethodType) },
        { title: 'SdkMethod' },
      ),
    ),
    account_config: Type.Object(
      {
        profile: Type.Object(
          {
            vaulting_action: text,
            ...flags('collect_billing_details_from_wallet_connector collect_shipping_details_from_wallet_connector'),
            ...flags('always_collect_billing_details_from_wallet_connector always_collect_shipping_details_from_wallet_connector'),
          },
          { title: 'SdkProfile' },
        ),
      },
      { title: 'SdkAccount' },
    ),
    context_used: Type.Object({ profile_id: text, processor_merchant_id: text, organization_id: text }, { title: 'SdkContext' }),
  },
  { title: 'SdkConfig' },
)
