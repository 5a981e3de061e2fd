import Type, { type Static } from 'typebox'
import { currencies } from '../base/currencies.ts'
import {
  bool,
  country,
  kept,
  metadata,
  objectOrNull,
  orNull,
  shortText,
  strictObject,
  textOrNull,
  withDescription,
} from '../base/shapes.ts'
import { connectors } from '../connectors/all.ts'
import { flag, text } from '../database/table.ts'
import { networks } from '../instruments/networks.ts'
import { type Field, keptOnly, neverSent } from '../resources/field.ts'
import { shapeOf } from '../resources/read.ts'
import { walletDetailsShape, walletMetadata } from './wallets.ts'

const option = Type.Optional

/** The ecosystem's types; a connector's definition says which it supports (`connector-accounts.ts`). */
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
const accepted = <T extends Type.TSchema>(one: T) => strictObject({ type: Type.Enum([...rule]), list: option(Type.Array(one)) })
const bound = Type.Integer({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, description: 'Inclusive' })

const methodType = strictObject({
  payment_method_type: shortText,
  payment_experience: option(shortText),
  card_networks: option(Type.Array(Type.Enum(networks))),
  accepted_currencies: option(accepted(Type.Enum(Object.keys(currencies)))),
  accepted_countries: option(accepted(country)),
  minimum_amount: option(bound),
  maximum_amount: option(bound),
  recurring_enabled: option(bool),
  installment_payment_enabled: option(bool),
})
export const methodTypeMembers = Object.keys(methodType.properties)

const enabled = strictObject({ payment_method: shortText, payment_method_types: option(Type.Array(methodType)) })
export type EnabledPaymentMethod = Static<typeof enabled>

export const signInMembers = {
  connector_account_details: withDescription(
    Type.Record(Type.String(), Type.Unknown()),
    'auth_type and the credentials that the connector requires; stored encrypted, returned masked',
  ),
  metadata: Type.Object(walletMetadata, {
    additionalProperties: true,
    description: 'Up to 50 keys of up to 40 characters with values of up to 500',
  }),
}

const listOrNull = orNull(Type.Array(Type.Unknown()))
const connectorType = Type.Enum([...connectorTypes])
const profileBusiness = { acceptedIn: ['create'], storedIn: 'request', visibility: 'to all', responseShape: textOrNull } as const

/** Every member, in the order of answers. Members kept as `request` are stored in the column `details`. */
export const connectorAccountFields = {
  connector_type: { shape: connectorType, requiredIn: ['create', 'update'], column: text().fixed(), visibility: 'computed' },
  connector_name: {
    shape: Type.Enum(Object.keys(connectors)),
    acceptedIn: ['create'],
    requiredIn: ['create'],
    column: text().fixed(),
    visibility: 'to all',
    description: 'Name of the processor',
  },
  connector_label: {
    shape: shortText,
    column: text(),
    visibility: 'to all',
    responseShape: textOrNull,
    description: 'Name of the connector account; unique within a business profile',
  },
  merchant_connector_id: {
    shape: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
    acceptedIn: ['create'],
    column: text(),
    visibility: 'to all',
    description: 'Id of the connector account',
  },
  profile_id: {
    shape: shortText,
    acceptedIn: ['create'],
    column: text().fixed(),
    visibility: 'to all',
    description: 'Business profile of the account; defaults to the default profile',
  },
  payment_methods_enabled: {
    shape: Type.Array(enabled, {
      description: 'Payment methods of this account; if absent, all that the connector supports. Payouts are not restricted by it',
    }),
    storedIn: 'request',
    visibility: 'computed',
    responseShape: listOrNull,
  },
  test_mode: { shape: bool, storedIn: 'request', visibility: 'to all', effect: keptOnly('Determined by the deployment’s MODE') },
  disabled: { shape: bool, column: flag(), visibility: 'to all', description: 'true: no new payment is routed to this account' },
  frm_configs: {
    shape: Type.Array(kept),
    storedIn: 'request',
    visibility: 'to all',
    responseShape: listOrNull,
    effect: keptOnly('No fraud check is performed'),
  },
  business_country: { ...profileBusiness, shape: country },
  business_label: { ...profileBusiness, shape: shortText },
  business_sub_label: { ...profileBusiness, shape: shortText },
  applepay_verified_domains: { from: 'nothing', visibility: 'to all', responseShape: listOrNull },
  pm_auth_config: {
    shape: kept,
    storedIn: 'request',
    visibility: 'to all',
    responseShape: objectOrNull,
    effect: keptOnly('Bank account verification is not supported yet'),
  },
  status: { shape: Type.Enum(['active', 'inactive']), visibility: 'computed', responseShape: Type.Enum(['active', 'inactive']) },
  connector_account_details: {
    shape: signInMembers.connector_account_details,
    storedIn: 'vault',
    visibility: 'computed',
    responseShape: Type.Object({}, { additionalProperties: true, description: 'Credentials, masked' }),
  },
  connector_webhook_details: {
    shape: strictObject({ merchant_secret: shortText, additional_secret: option(shortText) }),
    storedIn: 'vault',
    visibility: 'computed',
    responseShape: objectOrNull,
    storedOnlyMembers: { additional_secret: 'No connector needs a second secret' },
    description: 'merchant_secret is the secret that the processor signs webhooks with',
  },
  metadata: { shape: signInMembers.metadata, storedIn: 'request', visibility: 'to all', responseShape: objectOrNull },
  additional_merchant_data: {
    shape: kept,
    storedIn: 'vault',
    visibility: 'computed',
    responseShape: objectOrNull,
    effect: keptOnly(neverSent),
  },
  connector_wallets_details: { shape: walletDetailsShape, storedIn: 'vault', visibility: 'computed', responseShape: objectOrNull },
  webhook_setup_capabilities: {
    visibility: 'computed',
    responseShape: Type.Object({ is_webhook_auto_configuration_supported: bool, requires_webhook_secret: bool, config_type: textOrNull }),
  },
} as const satisfies Record<string, Field<'create' | 'update'>>

export const connectorAccountShape = shapeOf(connectorAccountFields, 'create')
export type ConnectorAccountAsk = Static<typeof connectorAccountShape>

export const connectorAccountUpdateShape = shapeOf(connectorAccountFields, 'update')
export type ConnectorAccountUpdate = Static<typeof connectorAccountUpdateShape>

export const verifyShape = strictObject({
  connector_name: option(withDescription(connectorAccountFields.connector_name.shape, connectorAccountFields.connector_name.description)),
  connector_type: option(connectorAccountFields.connector_type.shape),
  connector_account_details: option(connectorAccountFields.connector_account_details.shape),
  merchant_connector_id: option(
    Type.String({ maxLength: 255, description: 'An existing account, which provides the values that are not sent' }),
  ),
  metadata: option(metadata),
})
export type VerifyAsk = Static<typeof verifyShape>
