import type { Merchant } from '../accounts/merchant.ts'
import { profileSetting } from '../accounts/profile-settings.ts'
import type { FieldType, Needed } from '../instruments/family.ts'
import type { Payment } from '../payments/payment.ts'
import type { Merged } from '../routing/offers.ts'
import { requiredOf } from './offered.ts'

/**
 * The configuration that the ecosystem's newest checkouts fetch (web since July 2026): as rules what older checkouts
 * read from `required_fields` (docs/design/checkout-api.md).
 */

/** By the kinds in `required_fields`; all others are plain texts. */
const renderTypes: Readonly<Record<string, string>> = {
  user_card_number: 'CardNumber',
  user_card_expiry_month: 'CardExpiryMonth',
  user_card_expiry_year: 'CardExpiryYear',
  user_card_cvc: 'Cvc',
  user_full_name: 'CardHolderName',
  user_email_address: 'Email',
  user_phone_number: 'Phone',
  user_phone_number_country_code: 'PhoneCountryCode',
  user_address_country: 'Country',
}

const DATA = 'payment_method_data.'

/** In rules: the field's path in the payment. */
const nameOf = ({ required_field }: Needed): string =>
  required_field.startsWith(DATA) ? required_field.slice(DATA.length) : required_field

const keyOf = (need: Needed, fact: string): string => `dynamic_fields.${nameOf(need)}._${fact}`

function kindOf(type: FieldType): { kind: string; options: readonly string[] | null } {
  if (typeof type === 'string') return { kind: type, options: null }
  const [[kind, { options }]] = Object.entries(type) as [[string, { options: readonly string[] }]]
  return { kind, options }
}

/** Where a checkout finds in intent_data what the payment knows, by the kind of input. */
const intentPaths: Readonly<Record<string, string>> = {
  user_email_address: 'billing.email',
  user_phone_number: 'billing.phone.number',
  user_phone_number_country_code: 'billing.phone.country_code',
  user_address_line1: 'billing.address.line1',
  user_address_line2: 'billing.address.line2',
  user_address_city: 'billing.address.city',
  user_address_pincode: 'billing.address.zip',
  user_address_state: 'billing.address.state',
  user_address_country: 'billing.address.country',
}

/** The field's own name if intent_data does not have its value. */
function intentPathOf(need: Needed): string {
  const { kind } = kindOf(need.field_type)
  if (kind === 'user_full_name' || kind === 'user_billing_name')
    return `billing.address.${need.required_field.endsWith('last_name') ? 'last_name' : 'first_name'}`
  return intentPaths[kind] ?? nameOf(need)
}

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** As conditions have it: `google_pay` is `GooglePay`. */
const pascal = (name: string): string => name.split('_').map(capitalized).join('')

/** The same in every rule. */
function defaultsOf(need: Needed, place: number): Record<string, unknown> {
  const { kind, options } = kindOf(need.field_type)
  const label = capitalized(need.display_name.replaceAll('_', ' '))
  return {
    [keyOf(need, 'is_required')]: false,
    [keyOf(need, 'confirm_request_write_path')]: need.required_field,
    [keyOf(need, 'intent_data_read_path')]: intentPathOf(need),
    [keyOf(need, 'field_render_type')]: renderTypes[kind] ?? 'Generic',
    [keyOf(need, 'field_display_order')]: place,
    [keyOf(need, 'default_label_text')]: label,
    [keyOf(need, 'default_placeholder_text')]: label,
    ...(options && { [keyOf(need, 'dropdown_options')]: options }),
  }
}

const criteriaOf = ({ payment_method, networks, experiences }: Merged) =>
  payment_method === 'card'
    ? {
        payment_method_criteria: 'card_network',
        criteria_rules: networks.map(({ card_network, connectors }) => ({ criteria_value: card_network, eligible_connectors: connectors })),
      }
    : {
        payment_method_criteria: 'payment_experience',
        criteria_rules: experiences.map(({ payment_experience, connectors }) => ({
          criteria_value: payment_experience,
          eligible_connectors: connectors,
        })),
      }

const walletSettings = [
  'collect_billing_details_from_wallet_connector',
  'collect_shipping_details_from_wallet_connector',
  'always_collect_billing_details_from_wallet_connector',
  'always_collect_shipping_details_from_wallet_connector',
] as const

export function showSdkConfig(merchant: Merchant, payment: Payment, offered: readonly Merged[]): Record<string, unknown> {
  const { profile_id } = payment
  const rules = offered.map((one, i) => ({ one, id: `rule_${i + 1}`, needs: requiredOf(one, payment) }))
  const fields = [...new Map(rules.flatMap(({ needs }) => needs).map(need => [nameOf(need), need])).values()]
  return {
    raw_configs: {
      default_configs: Object.assign({}, ...fields.map((need, i) => defaultsOf(need, 10 * (i + 1)))),
      contexts: rules.map(({ one, id }) => ({
        id,
        condition: { payment_method: pascal(one.payment_method), payment_method_type: pascal(one.payment_method_type) },
        priority: 1,
        weight: 1,
        override_with_keys: [id],
      })),
      overrides: Object.fromEntries(
        rules.map(({ id, needs }) => [id, Object.fromEntries(needs.map(need => [keyOf(need, 'is_required'), true]))]),
      ),
    },
    payment_methods: [...Map.groupBy(offered, one => one.payment_method)].map(([payment_method, types]) => ({
      payment_method,
      payment_method_types: types.map(one => ({ payment_method_type: one.payment_method_type, ...criteriaOf(one) })),
    })),
    account_config: {
      profile: {
        vaulting_action: 'skip',
        ...Object.fromEntries(walletSettings.map(name => [name, profileSetting(merchant, profile_id, name)])),
      },
    },
    context_used: { profile_id, processor_merchant_id: merchant.merchant_id, organization_id: merchant.organization_id },
  }
}
