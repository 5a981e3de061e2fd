import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { flag, flags, lists, objects, text, texts, time } from '../answer-shapes.ts'

export const merchantAnswer = Type.Object(
  {
    merchant_id: text,
    organization_id: text,
    publishable_key: text,
    enable_payment_response_hash: flag,
    redirect_to_merchant_with_http_post: flag,
    is_recon_enabled: flag,
    sub_merchants_enabled: flag,
    recon_status: text,
    merchant_account_type: text,
    primary_business_details: Type.Array(Type.Unknown()),
    ...texts('merchant_name return_url payment_response_hash_key parent_merchant_id locker_id default_profile product_type'),
    ...objects(`merchant_details webhook_details payout_routing_algorithm metadata frm_routing_algorithm pm_collect_link_config
      network_tokenization_credentials`),
  },
  { title: 'MerchantAccount' },
)

export const apiKeyAnswer = Type.Object(
  {
    key_id: text,
    merchant_id: text,
    name: text,
    description: orNull(text),
    api_key: Type.String({ description: 'The key itself. This answer is the only place that ever shows it' }),
    created: time,
    expiration: Type.String({ description: '"never" or a date-time' }),
  },
  { title: 'ApiKey' },
)

export const revokedAnswer = Type.Object({ merchant_id: text, key_id: text, revoked: flag }, { title: 'RevokedApiKey' })

const listed = {
  connector_type: text,
  connector_name: text,
  merchant_connector_id: text,
  profile_id: text,
  status: Type.Enum(['active', 'inactive']),
  disabled: flag,
  ...texts('connector_label business_country business_label business_sub_label'),
  ...flags('test_mode'),
  ...lists('payment_methods_enabled frm_configs applepay_verified_domains'),
  ...objects('pm_auth_config'),
}
export const connectorAccountListed = Type.Object(listed, { title: 'ConnectorAccountListed' })
export const connectorAccountAnswer = Type.Object(
  {
    ...listed,
    connector_account_details: Type.Object({}, { additionalProperties: true, description: 'Credentials, masked' }),
    ...objects('connector_webhook_details metadata additional_merchant_data connector_wallets_details webhook_setup_capabilities'),
  },
  { title: 'ConnectorAccount' },
)
