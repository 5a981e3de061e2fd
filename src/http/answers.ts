import Type, { type TProperties } from 'typebox'
import { currency } from '../payments/ask.ts'
import { lifecycle } from '../payments/lifecycle.ts'
import { refundLifecycle } from '../refunds/refund.ts'

/**
 * What answers look like, for the documentation. A test holds every member of real answers against these, in both directions, so they cannot go stale.
 * Everything that is not named here with a type of its own is nullable: always present, null where unknown.
 */

const text = Type.String()
const time = Type.String({ format: 'date-time' })
const minor = Type.Integer({ description: 'Lowest denomination of the currency' })
const orNull = <T extends TProperties[string]>(schema: T) => Type.Union([schema, Type.Null()])
const texts = (names: string): TProperties => Object.fromEntries(names.split(' ').map(name => [name, orNull(text)]))
const objects = (names: string): TProperties =>
  Object.fromEntries(names.split(' ').map(name => [name, orNull(Type.Object({}, { additionalProperties: true }))]))
const flags = (names: string): TProperties => Object.fromEntries(names.split(' ').map(name => [name, orNull(Type.Boolean())]))
const times = (names: string): TProperties => Object.fromEntries(names.split(' ').map(name => [name, orNull(time)]))
const numbers = (names: string): TProperties => Object.fromEntries(names.split(' ').map(name => [name, orNull(minor)]))
const lists = (names: string): TProperties => Object.fromEntries(names.split(' ').map(name => [name, orNull(Type.Array(Type.Unknown()))]))

const problem = 'error_code error_message unified_code unified_message issuer_error_code issuer_error_message'

export const refundAnswer = Type.Object(
  {
    refund_id: text,
    payment_id: text,
    amount: minor,
    currency,
    status: Type.Enum(Object.keys(refundLifecycle)),
    connector: text,
    ...texts(`reason profile_id merchant_connector_id connector_refund_id raw_connector_response ${problem}`),
    ...objects('metadata split_refunds'),
    ...times('created_at updated_at'),
  },
  { title: 'Refund' },
)

export const paymentAnswer = Type.Object(
  {
    payment_id: text,
    merchant_id: text,
    status: Type.Enum(Object.keys(lifecycle)),
    amount: minor,
    net_amount: minor,
    amount_capturable: minor,
    processor_merchant_id: text,
    currency,
    attempt_count: Type.Integer(),
    ...texts(
      `payment_method initiator sdk_authorization connector connector_label connector_transaction_id reference_id connector_mandate_id client_secret description cancellation_reason return_url
    business_label business_sub_label merchant_decision profile_id merchant_connector_id network_transaction_id network_transaction_link_id payment_method_id payment_token mandate_id
    setup_future_usage capture_method authentication_type statement_descriptor_name statement_descriptor_suffix ${problem} payment_experience payment_method_type business_country
    payment_method_status merchant_order_reference_id card_discovery mit_category tokenization whole_connector_response fingerprint customer_id connector_customer_id email name phone
    sender_payment_instrument_id`.replace(/\s+/g, ' '),
    ),
    ...times('created modified_at updated expires_on capture_before extended_authorization_last_applied_at capture_on'),
    ...numbers('shipping_cost amount_received order_tax_amount authorization_count'),
    ...flags(
      `off_session manual_retry_allowed incremental_authorization_allowed external_3ds_authentication_attempted extended_authorization_applied request_extended_authorization force_3ds_challenge
    force_3ds_challenge_trigger is_iframe_redirection_enabled enable_partial_authorization enable_overcapture is_overcapture_enabled is_stored_credential`.replace(
        /\s+/g,
        ' ',
      ),
    ),
    ...objects(
      `state_metadata customer mandate_data payment_method_data shipping billing next_action error_details frm_message metadata connector_metadata connector_response_metadata feature_metadata
    payment_link surcharge_details external_authentication_details browser_info split_payments frm_metadata network_details billing_descriptor partner_merchant_identifier_details
    payment_method_tokenization_details installment_data`.replace(/\s+/g, ' '),
    ),
    ...lists('disputes attempts captures order_details allowed_payment_method_types incremental_authorizations installment_options'),
    refunds: orNull(Type.Array(refundAnswer)),
    payment_channel: Type.Unknown(),
  },
  { title: 'Payment' },
)

export const eventAnswer = Type.Object(
  {
    event_id: text,
    merchant_id: text,
    object_id: text,
    event_type: orNull(text),
    type: text,
    version: Type.Integer(),
    sequence: orNull(Type.Integer()),
    was: Type.Object({}, { additionalProperties: true }),
    set: Type.Object({}, { additionalProperties: true }),
    created: time,
  },
  { title: 'Event' },
)

export const eventsAnswer = Type.Object({ size: Type.Integer(), data: Type.Array(eventAnswer) })

export const merchantAnswer = Type.Object(
  {
    merchant_id: text,
    organization_id: text,
    publishable_key: text,
    enable_payment_response_hash: Type.Boolean(),
    redirect_to_merchant_with_http_post: Type.Boolean(),
    is_recon_enabled: Type.Boolean(),
    sub_merchants_enabled: Type.Boolean(),
    recon_status: text,
    merchant_account_type: text,
    primary_business_details: Type.Array(Type.Unknown()),
    ...texts('merchant_name return_url payment_response_hash_key parent_merchant_id locker_id default_profile product_type'),
    ...objects(
      'merchant_details webhook_details payout_routing_algorithm metadata frm_routing_algorithm pm_collect_link_config network_tokenization_credentials',
    ),
  },
  { title: 'MerchantAccount' },
)

export const apiKeyAnswer = Type.Object(
  { key_id: text, merchant_id: text, name: text, description: orNull(text), api_key: text, created: time, expiration: text },
  { title: 'ApiKey' },
)
export const revokedAnswer = Type.Object({ merchant_id: text, key_id: text, revoked: Type.Boolean() })

const listed = {
  connector_type: text,
  connector_name: text,
  merchant_connector_id: text,
  profile_id: text,
  status: text,
  disabled: Type.Boolean(),
  ...texts('connector_label business_country business_label business_sub_label'),
  ...flags('test_mode'),
  ...lists('payment_methods_enabled frm_configs applepay_verified_domains'),
  ...objects('pm_auth_config'),
}
export const connectorAccountListed = Type.Object(listed, { title: 'ConnectorAccountListed' })
export const connectorAccountAnswer = Type.Object(
  {
    ...listed,
    connector_account_details: Type.Object({}, { additionalProperties: true }),
    ...objects('connector_webhook_details metadata additional_merchant_data connector_wallets_details webhook_setup_capabilities'),
  },
  { title: 'ConnectorAccount' },
)
