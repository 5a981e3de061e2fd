import Type from 'typebox'
import { currencies } from '../base/currencies.ts'
import { LARGEST_AMOUNT } from '../base/money.ts'
import { addressDetails, country, kept, metadata, shortText, text, time } from '../base/shapes.ts'
import { broughtShapes } from '../means/brought.ts'
import { paymentMethods, paymentMethodTypes } from '../means/methods.ts'

/**
 * The shapes of what merchants may ask of payments: the TypeScript types, the validators and the OpenAPI schemas are all read off them. An absent member, `null` and
 * `""` mean the same, so nothing here is nullable; unknown members are refused where the ecosystem refuses them.
 */

const closed = { additionalProperties: false }
const amount = (description: string) => Type.Integer({ minimum: 0, maximum: LARGEST_AMOUNT, description })
const flag = Type.Boolean()

export const currency = Type.Enum(Object.keys(currencies), { description: 'ISO 4217' })
const phone = Type.Object({ number: Type.Optional(shortText), country_code: Type.Optional(shortText) })
export const address = Type.Object(
  { address: Type.Optional(addressDetails), phone: Type.Optional(phone), email: Type.Optional(shortText) },
  closed,
)

/** Letters, digits, `_` and `-` only: the id travels inside `sdk_authorization`, between commas. */
const customerId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]*$' })

const customer = Type.Object({
  id: Type.Optional(customerId),
  name: Type.Optional(shortText),
  email: Type.Optional(shortText),
  phone: Type.Optional(shortText),
  phone_country_code: Type.Optional(shortText),
  tax_registration_id: Type.Optional(shortText),
  document_details: Type.Optional(kept),
})

const paymentMethodData = Type.Object(
  {
    ...broughtShapes,
    card_token: Type.Optional(Type.Object({ card_holder_name: Type.Optional(shortText), card_cvc: Type.Optional(Type.String()) })),
    billing: Type.Optional(address),
  },
  closed,
)

const browserInfo = Type.Object({
  color_depth: Type.Optional(Type.Integer()),
  java_enabled: Type.Optional(flag),
  java_script_enabled: Type.Optional(flag),
  language: Type.Optional(shortText),
  screen_height: Type.Optional(Type.Integer()),
  screen_width: Type.Optional(Type.Integer()),
  time_zone: Type.Optional(Type.Integer()),
  ip_address: Type.Optional(shortText),
  accept_header: Type.Optional(text(2048)),
  user_agent: Type.Optional(text(2048)),
  os_type: Type.Optional(shortText),
  os_version: Type.Optional(shortText),
  device_model: Type.Optional(shortText),
  accept_language: Type.Optional(shortText),
  referer: Type.Optional(text(2048)),
})

const orderLine = Type.Object({
  product_name: shortText,
  quantity: Type.Integer({ minimum: 0, maximum: 65535 }),
  amount: amount('Price of one'),
})

const surcharge = Type.Object(
  { surcharge_amount: amount('Added to net_amount'), tax_amount: Type.Optional(amount('Added to net_amount')) },
  closed,
)

const acceptance = Type.Object(
  {
    acceptance_type: Type.Enum(['online', 'offline']),
    accepted_at: Type.Optional(time),
    online: Type.Optional(Type.Object({ ip_address: Type.Optional(shortText), user_agent: Type.Optional(text(2048)) })),
  },
  closed,
)

const descriptor = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 22, pattern: '[A-Za-z]', description: 'At least one letter' })),
  city: Type.Optional(shortText),
  phone: Type.Optional(shortText),
  statement_descriptor: Type.Optional(shortText),
  statement_descriptor_suffix: Type.Optional(shortText),
  reference: Type.Optional(shortText),
})

/** Members that create and confirm share. */
const common = {
  order_tax_amount: Type.Optional(amount('Added to net_amount')),
  amount_to_capture: Type.Optional(amount('At most the authorized amount')),
  shipping_cost: Type.Optional(amount('Added to net_amount')),
  connector: Type.Optional(Type.Array(text(64), { description: 'Only these connectors may be used' })),
  capture_method: Type.Optional(Type.Enum(['automatic', 'manual', 'manual_multiple', 'scheduled', 'sequential_automatic'])),
  authentication_type: Type.Optional(Type.Enum(['three_ds', 'no_three_ds'])),
  customer_id: Type.Optional(customerId),
  customer: Type.Optional(customer),
  email: Type.Optional(shortText),
  name: Type.Optional(shortText),
  phone: Type.Optional(shortText),
  phone_country_code: Type.Optional(shortText),
  off_session: Type.Optional(flag),
  description: Type.Optional(text(65_535)),
  return_url: Type.Optional(Type.String({ maxLength: 2048, format: 'uri' })),
  setup_future_usage: Type.Optional(Type.Enum(['off_session', 'on_session'])),
  payment_method: Type.Optional(Type.Enum(paymentMethods)),
  payment_method_type: Type.Optional(Type.Enum(paymentMethodTypes)),
  payment_method_data: Type.Optional(paymentMethodData),
  payment_token: Type.Optional(shortText),
  card_cvc: Type.Optional(Type.String()),
  mandate_id: Type.Optional(text(64)),
  mandate_data: Type.Optional(kept),
  customer_acceptance: Type.Optional(acceptance),
  recurring_details: Type.Optional(kept),
  payment_experience: Type.Optional(
    Type.Enum([
      'redirect_to_url',
      'invoke_sdk_client',
      'display_qr_code',
      'one_click',
      'link_wallet',
      'invoke_payment_app',
      'display_wait_screen',
      'collect_otp',
    ]),
  ),
  business_country: Type.Optional(country),
  business_label: Type.Optional(shortText),
  business_sub_label: Type.Optional(shortText),
  allowed_payment_method_types: Type.Optional(Type.Array(Type.Enum(paymentMethodTypes))),
  metadata: Type.Optional(metadata),
  frm_metadata: Type.Optional(metadata),
  connector_metadata: Type.Optional(kept),
  feature_metadata: Type.Optional(kept),
  billing: Type.Optional(address),
  shipping: Type.Optional(address),
  browser_info: Type.Optional(browserInfo),
  order_details: Type.Optional(Type.Array(orderLine)),
  surcharge_details: Type.Optional(surcharge),
  statement_descriptor_name: Type.Optional(Type.String({ maxLength: 22, pattern: '[A-Za-z]', description: 'At least one letter' })),
  statement_descriptor_suffix: Type.Optional(shortText),
  billing_descriptor: Type.Optional(descriptor),
  payment_link: Type.Optional(flag),
  payment_link_config: Type.Optional(kept),
  payment_link_config_id: Type.Optional(shortText),
  profile_id: Type.Optional(text(64)),
  payment_type: Type.Optional(Type.Enum(['normal', 'new_mandate', 'setup_mandate', 'recurring_mandate', 'installment'])),
  request_incremental_authorization: Type.Optional(flag),
  request_extended_authorization: Type.Optional(flag),
  request_external_three_ds_authentication: Type.Optional(flag),
  session_expiry: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Seconds' })),
  merchant_order_reference_id: Type.Optional(shortText),
  skip_external_tax_calculation: Type.Optional(flag),
  psd2_sca_exemption_type: Type.Optional(Type.Enum(['low_value', 'transaction_risk_analysis'])),
  force_3ds_challenge: Type.Optional(flag),
  threeds_method_comp_ind: Type.Optional(Type.Enum(['Y', 'N', 'U'])),
  is_iframe_redirection_enabled: Type.Optional(flag),
  all_keys_required: Type.Optional(flag),
  tax_status: Type.Optional(Type.Enum(['taxable', 'exempt'])),
  discount_amount: Type.Optional(amount('Informational')),
  shipping_amount_tax: Type.Optional(amount('Informational')),
  duty_amount: Type.Optional(amount('Informational')),
  order_date: Type.Optional(time),
  capture_on: Type.Optional(time),
  enable_partial_authorization: Type.Optional(flag),
  enable_overcapture: Type.Optional(flag),
  is_stored_credential: Type.Optional(flag),
  mit_category: Type.Optional(Type.Enum(['installment', 'unscheduled', 'recurring', 'resubmission'])),
  tokenization: Type.Optional(Type.Enum(['skip_psp', 'tokenize_at_psp'])),
  merchant_connector_details: Type.Optional(kept),
  split_payments: Type.Optional(kept),
  payment_channel: Type.Optional(Type.Unknown()),
  partner_merchant_identifier_details: Type.Optional(kept),
  installment_options: Type.Optional(Type.Array(kept)),
  installment_data: Type.Optional(kept),
  ctp_service_details: Type.Optional(kept),
  three_ds_data: Type.Optional(kept),
  profile_acquirer_id: Type.Optional(shortText),
  external_surcharge_strategy: Type.Optional(Type.Unknown()),
  routing: Type.Optional(
    Type.Unknown({
      description:
        'How this payment is routed: single, priority or volume_split, as in POST /routing. It comes before the active algorithm',
    }),
  ),
  merchant_id: Type.Optional(shortText),
  client_secret: Type.Optional(Type.String()),
  confirm: Type.Optional(flag),
}

export const createShape = Type.Object(
  { amount: amount('Lowest denomination of the currency'), currency, payment_id: Type.Optional(Type.String()), ...common },
  closed,
)
export type CreateAsk = Type.Static<typeof createShape>

export const confirmShape = Type.Object(
  {
    amount: Type.Optional(amount('Lowest denomination of the currency')),
    currency: Type.Optional(currency),
    retry_action: Type.Optional(Type.Enum(['manual_retry', 'requeue'])),
    ...common,
  },
  closed,
)
export type ConfirmAsk = Type.Static<typeof confirmShape>

export const captureShape = Type.Object({
  amount_to_capture: Type.Optional(Type.Integer({ maximum: LARGEST_AMOUNT, description: 'Default: all that can be captured' })),
  merchant_id: Type.Optional(shortText),
  refund_uncaptured_amount: Type.Optional(flag),
  statement_descriptor_suffix: Type.Optional(shortText),
  statement_descriptor_prefix: Type.Optional(shortText),
  merchant_connector_details: Type.Optional(kept),
  all_keys_required: Type.Optional(flag),
})
export type CaptureAsk = Type.Static<typeof captureShape>

export const cancelShape = Type.Object({
  cancellation_reason: Type.Optional(shortText),
  merchant_connector_details: Type.Optional(kept),
  all_keys_required: Type.Optional(flag),
})
export type CancelAsk = Type.Static<typeof cancelShape>
