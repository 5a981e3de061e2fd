import type { Account } from '../connectors/connector.ts'
import type { Time } from '../world.ts'

/** What merchants may be called. */
export const MERCHANT_ID = /^[A-Za-z0-9_-]{1,64}$/

/** What merchants and profiles hold beyond their columns: the ecosystem's members, as they were sent. */
export type Details = Record<string, unknown>

export type MerchantRow = {
  merchant_id: string
  organization_id: string
  publishable_key: string
  default_profile: string | null
  details: Details
  created: Time
  modified_at: Time
}

export type ProfileRow = {
  merchant_id: string
  profile_id: string
  profile_name: string
  details: Details
  created: Time
  modified_at: Time
}

export type ConnectorAccountRow = {
  merchant_id: string
  merchant_connector_id: string
  profile_id: string
  connector_type: string
  connector_name: string
  connector_label: string
  disabled: boolean
  sealed: Buffer
  details: Details
  created: Time
  modified_at: Time
}

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

/** Seconds that a payment's session lasts unless the payment or its profile says otherwise. */
export const SESSION_SECONDS = 900

export const findConnectorAccount = (merchant: Merchant, merchant_connector_id: string): ConnectorAccount | undefined =>
  merchant.connectorAccounts.find(account => account.merchant_connector_id === merchant_connector_id)

/** What customers call the merchant. */
export const nameOf = ({ merchant_id, details }: Merchant): string => (details.merchant_name as string | undefined) ?? merchant_id

export const findProfile = (merchant: Merchant, profile_id: string): ProfileRow | undefined =>
  merchant.profiles.find(profile => profile.profile_id === profile_id)
