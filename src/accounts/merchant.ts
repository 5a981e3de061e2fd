import type { Account } from '../connectors/connector.ts'
import { bytes, count, flag, jsonb, type RowOf, table, text, time } from '../database/table.ts'

/** What merchants may be called. */
export const MERCHANT_ID = /^[A-Za-z0-9_-]{1,64}$/

/** What merchants and profiles hold beyond their columns: the ecosystem's members, as they were sent. What the service goes by is read with `profile-settings.ts`. */
export type Details = Record<string, unknown>

export const merchants = table('merchants', {
  kind: 'merchant',
  cached: true,
  key: ['merchant_id'],
  columns: {
    merchant_id: text(),
    version: count(1),
    organization_id: text(),
    publishable_key: text(),
    default_profile: text().orNull(),
    details: jsonb<Details>(),
    created: time().fixed(),
    modified_at: time(),
  },
})
export type MerchantRow = RowOf<typeof merchants>

export const profiles = table('profiles', {
  kind: 'profile',
  cached: true,
  key: ['merchant_id', 'profile_id'],
  columns: {
    merchant_id: text(),
    profile_id: text(),
    version: count(1),
    profile_name: text(),
    details: jsonb<Details>(),
    created: time().fixed(),
    modified_at: time(),
  },
})
export type ProfileRow = RowOf<typeof profiles>

/** `digest` is keyed: the key itself is stored nowhere. */
export const apiKeys = table('api_keys', {
  kind: 'api_key',
  cached: true,
  key: ['merchant_id', 'key_id'],
  columns: {
    merchant_id: text(),
    key_id: text(),
    version: count(1),
    digest: text().fixed(),
    prefix: text().fixed(),
    name: text(),
    description: text().orNull(),
    expires_at: time().orNull(),
    revoked_at: time().orNull(),
    created: time().fixed(),
  },
})
export type ApiKeyRow = RowOf<typeof apiKeys>

/** `sealed`: credentials and webhook secrets. */
export const connectorAccounts = table('connector_accounts', {
  kind: 'connector_account',
  cached: true,
  key: ['merchant_id', 'merchant_connector_id'],
  columns: {
    merchant_id: text(),
    merchant_connector_id: text(),
    version: count(1),
    profile_id: text().fixed(),
    connector_type: text().fixed(),
    connector_name: text().fixed(),
    connector_label: text(),
    disabled: flag(),
    sealed: bytes(),
    details: jsonb<Details>(),
    created: time().fixed(),
    modified_at: time(),
  },
})
export type ConnectorAccountRow = RowOf<typeof connectorAccounts>

/** A connector account, opened: `account` is what a conversation needs. */
export type ConnectorAccount = Omit<ConnectorAccountRow, 'sealed'> & { account: Account }

/** A merchant with everything a payment needs to know of it, as the settings cache holds it. */
export type Merchant = {
  merchant_id: string
  organization_id: string
  publishable_key: string
  default_profile: string | null
  details: Details
  profiles: readonly ProfileRow[]
  connectorAccounts: readonly ConnectorAccount[]
}

export const findConnectorAccount = (merchant: Merchant, merchant_connector_id: string): ConnectorAccount | undefined =>
  merchant.connectorAccounts.find(account => account.merchant_connector_id === merchant_connector_id)

export const findProfile = (merchant: Merchant, profile_id: string | null): ProfileRow | undefined =>
  merchant.profiles.find(profile => profile.profile_id === profile_id)
