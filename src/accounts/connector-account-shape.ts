import Type, { type Static } from 'typebox'
import { currencies } from '../base/currencies.ts'
import { closed, country, kept, metadata, shortText, withWords } from '../base/shapes.ts'
import { connectors } from '../connectors/all.ts'
import { networks } from '../means/networks.ts'
import { walletDetailsShape, walletMetadata } from './wallets.ts'

/** What requests say of a connector account. */

const flag = Type.Boolean()
const option = Type.Optional

/**
 * Of what there are accounts in the ecosystem. What a connector is for, it says itself
 * (`create-connector-account.ts`).
 */
export const connectorTypes = [
  'payment_processor',
  'payment_vas',
  'fin_operations',
  'fiz_operations',
  'networks',
  'banking_entities',
  'non_banking_finance',
  'payout_processor',
  'payment_method_auth',
  'authentication_processor',
  'tax_processor',
  'surcharge_processor',
  'billing_processor',
  'vault_processor',
] as const

const rule = ['enable_only', 'disable_only', 'all_accepted'] as const
const accepted = <T extends Type.TSchema>(one: T) => Type.Object({ type: Type.Enum([...rule]), list: option(Type.Array(one)) }, closed)
const bound = Type.Integer({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, description: 'Inclusive' })

const methodType = Type.Object(
  {
    payment_method_type: shortText,
    payment_experience: option(shortText),
    card_networks: option(Type.Array(Type.Enum(networks))),
    accepted_currencies: option(accepted(Type.Enum(Object.keys(currencies)))),
    accepted_countries: option(accepted(country)),
    minimum_amount: option(bound),
    maximum_amount: option(bound),
    recurring_enabled: option(flag),
    installment_payment_enabled: option(flag),
  },
  closed,
)
/** The members of a type of `payment_methods_enabled`, as answers name them all. */
export const methodTypeMembers = Object.keys(methodType.properties)

const enabled = Type.Object({ payment_method: shortText, payment_method_types: option(Type.Array(methodType)) }, closed)
export type EnabledPaymentMethod = Static<typeof enabled>

/** How an account signs in, and what it says of itself. */
export const signInMembers = {
  connector_account_details: option(
    withWords(
      Type.Record(Type.String(), Type.Unknown()),
      'auth_type and the credentials that the connector requires; stored encrypted, returned masked',
    ),
  ),
  metadata: option(
    Type.Object(walletMetadata, {
      additionalProperties: true,
      description: 'Up to 50 keys of up to 40 characters with values of up to 500',
    }),
  ),
}

const members = {
  connector_label: option(withWords(shortText, 'Name of the connector account; unique within a business profile')),
  connector_account_details: signInMembers.connector_account_details,
  payment_methods_enabled: option(
    Type.Array(enabled, {
      description: 'Payment methods of this account; if absent, all that the connector supports. Payouts are not restricted by it',
    }),
  ),
  connector_webhook_details: option(
    withWords(
      Type.Object({ merchant_secret: shortText, additional_secret: option(shortText) }, closed),
      'merchant_secret is the secret that the processor signs webhooks with',
    ),
  ),
  metadata: signInMembers.metadata,
  test_mode: option(flag),
  disabled: option(withWords(flag, 'true: no new payment is routed to this account')),
  frm_configs: option(Type.Array(kept)),
  pm_auth_config: option(kept),
  status: option(Type.Enum(['active', 'inactive'])),
  additional_merchant_data: option(kept),
  connector_wallets_details: option(walletDetailsShape),
}

const connectorType = Type.Enum([...connectorTypes])
const connector_name = withWords(Type.Enum(Object.keys(connectors)), 'Name of the processor')

export const connectorAccountShape = Type.Object(
  {
    connector_type: connectorType,
    connector_name,
    ...members,
    profile_id: option(withWords(shortText, 'Business profile of the account; defaults to the default profile')),
    business_country: option(country),
    business_label: option(shortText),
    business_sub_label: option(shortText),
    merchant_connector_id: option(
      withWords(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), 'Id of the connector account; generated if omitted'),
    ),
  },
  closed,
)
export type ConnectorAccountAsk = Static<typeof connectorAccountShape>

export const connectorAccountUpdateShape = Type.Object({ connector_type: connectorType, ...members }, closed)
export type ConnectorAccountUpdate = Static<typeof connectorAccountUpdateShape>

export const verifyShape = Type.Object(
  {
    connector_name: option(connector_name),
    connector_type: option(connectorType),
    connector_account_details: members.connector_account_details,
    merchant_connector_id: option(
      Type.String({ maxLength: 255, description: 'An existing account, which provides the values that are not sent' }),
    ),
    metadata: option(metadata),
  },
  closed,
)
export type VerifyAsk = Static<typeof verifyShape>
