import Type from 'typebox'
import { connectorAccountShape } from '../../accounts/connector-account-shape.ts'
import { memberWords, orNull, withWords } from '../../base/shapes.ts'
import { flag, flags, lists, objects, text, texts } from '../answer-shapes.ts'

/** What requests say that a member means. */
const words = memberWords(connectorAccountShape)

const listed = {
  connector_type: text,
  connector_name: withWords(text, words.connector_name),
  merchant_connector_id: withWords(text, 'Id of the connector account'),
  profile_id: withWords(text, 'Business profile of the account'),
  status: Type.Enum(['active', 'inactive']),
  disabled: withWords(flag, words.disabled),
  connector_label: withWords(orNull(text), words.connector_label),
  ...texts('business_country business_label business_sub_label'),
  ...flags('test_mode'),
  ...lists('payment_methods_enabled frm_configs applepay_verified_domains'),
  ...objects('pm_auth_config'),
}
export const connectorAccountListed = Type.Object(listed, { title: 'ConnectorAccountListed' })

export const connectorAccountAnswer = Type.Object(
  {
    ...listed,
    connector_account_details: Type.Object({}, { additionalProperties: true, description: 'Credentials, masked' }),
    ...objects('connector_webhook_details metadata additional_merchant_data connector_wallets_details'),
    webhook_setup_capabilities: Type.Object({
      is_webhook_auto_configuration_supported: flag,
      requires_webhook_secret: flag,
      config_type: orNull(text),
    }),
  },
  { title: 'ConnectorAccount' },
)

export const deletedConnectorAccountAnswer = Type.Object(
  { merchant_id: text, merchant_connector_id: text, deleted: flag },
  { title: 'DeletedConnectorAccount' },
)

export const registeredAnswer = Type.Object(
  {
    event_type: Type.Unknown(),
    webhook_registration_status: Type.Enum(['Success', 'Failure']),
    ...texts('connector_webhook_id error_code error_message'),
  },
  { title: 'RegisteredWebhook' },
)

export const verifiedAnswer = Type.Object(
  {
    connector_name: text,
    merchant_connector_id: orNull(text),
    verified: Type.Union([flag, Type.Null()], { description: 'null: the processor could not be reached, or its response is invalid' }),
    ...texts('error_code error_message'),
  },
  { title: 'VerifiedCredentials' },
)
