import type { Account } from '../connectors/connector.ts'
import type { Time } from '../context.ts'
import type { MerchantMove } from '../database/merchant-moves.ts'
import { bytes, count, jsonb, type RowOf, table, text, time } from '../database/table.ts'
import { tableColumns } from '../resources/read.ts'
import { connectorAccountFields } from './connector-account-fields.ts'
import { profileIdentity } from './profile-identity.ts'
import type { ProfileRouting } from './routing.ts'
import type { Wallets } from './wallets.ts'

export const MERCHANT_ID = /^[A-Za-z0-9_-]{1,64}$/

/** As they were sent. Code that needs a setting reads it with `profile-settings.ts`. */
export type Details = Record<string, unknown>

/** Encrypted in the row and shown masked, except the key by which merchants verify signatures. */
export const hiddenMembers = [
  'outgoing_webhook_custom_http_headers',
  'network_tokenization_credentials',
  'payment_response_hash_key',
] as const
export const sealedMemberName = (member: string, of: string): string => `${member} of ${of}`

export const sealedName = (merchant_connector_id: string): string => `connector account ${merchant_connector_id}`

export const profiles = table('profiles', {
  kind: 'profile',
  cached: true,
  key: ['merchant_id', 'profile_id'],
  columns: {
    ...tableColumns(profileIdentity),
    version: count(1),
    details: jsonb<Details>().holding(hiddenMembers, ({ profile_id }, member) => sealedMemberName(member, String(profile_id))),
    created: time().fixed(),
    modified_at: time(),
    deleted_at: time().orNull(),
  },
})
export type ProfileRow = RowOf<typeof profiles>

/** `digest` is a keyed digest; the key itself is not stored. */
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
    created_by: text().orNull().fixed(),
    /** Permissions; null: all. */
    scopes: jsonb<readonly string[]>(['payments:read']).orNull().fixed(),
    /** The user whose command line has the key; null: a key for servers. */
    user_id: text().orNull().fixed(),
  },
})
export type ApiKeyRow = RowOf<typeof apiKeys>

/** `sealed`: the encrypted credentials and webhook secrets. */
export const connectorAccounts = table('connector_accounts', {
  kind: 'connector_account',
  cached: true,
  key: ['merchant_id', 'merchant_connector_id'],
  columns: {
    ...tableColumns(connectorAccountFields),
    merchant_id: text(),
    version: count(1),
    sealed: bytes(row => sealedName(String(row.merchant_connector_id))),
    details: jsonb<Details>(),
    created: time().fixed(),
    modified_at: time(),
    deleted_at: time().orNull(),
  },
})
export type ConnectorAccountRow = RowOf<typeof connectorAccounts>

/**
 * `since`: the last change of credentials or address (null: never); it may be another account at the processor since.
 * `wallets`: how a checkout opens wallets.
 */
export type ConnectorAccount = Omit<ConnectorAccountRow, 'sealed'> & { account: Account; since: Time | null; wallets: Wallets }

/**
 * An account that was sent with a payment (`inline-account.ts`), in memory a payment processor in a list of its own.
 * Earlier releases do not know this type, so they never route to it.
 */
export const INLINE = 'brought_processor'

type Holdings = { profiles: readonly ProfileRow[]; connectorAccounts: readonly ConnectorAccount[] }

/**
 * As cached. `default_profile`: for requests that name none. `deleted`: its keys are invalid. `former`: deleted
 * profiles and accounts, through which earlier operations go on.
 */
export type Merchant = Holdings & {
  merchant_id: string
  organization_id: string
  publishable_key: string
  default_profile: string | null
  details: Details
  blocklist_guard: boolean
  /** By profile id. A profile without routing settings is absent. */
  routing: ReadonlyMap<string, ProfileRouting>
  deleted: boolean
  former: Holdings
  inlineAccounts: readonly ConnectorAccount[]
  /** Null: the merchant is served here. */
  moving: Pick<MerchantMove, 'state' | 'address'> | null
}

/** Also if the account has been disabled or deleted. */
export const findConnectorAccount = (merchant: Merchant, merchant_connector_id: string): ConnectorAccount | undefined => {
  const isIt = (account: ConnectorAccount) => account.merchant_connector_id === merchant_connector_id
  return merchant.connectorAccounts.find(isIt) ?? merchant.inlineAccounts.find(isIt) ?? merchant.former.connectorAccounts.find(isIt)
}

export const isInline = ({ details }: ConnectorAccount): boolean => details.creds_identifier !== undefined

/** By its id, or the only account of the connector with this name. Deleted accounts count if no other is left. */
export function findAccountCalled(merchant: Merchant, called: string): ConnectorAccount | undefined {
  const byId = findConnectorAccount(merchant, called)
  if (byId) return byId
  const named = ({ connectorAccounts }: Holdings) => connectorAccounts.filter(one => one.connector_name === called && !isInline(one))
  const live = named(merchant)
  const all = live.length > 0 ? live : named(merchant.former)
  return all.length === 1 ? all[0] : undefined
}

export const findProfile = (merchant: Merchant, profile_id: string | null): ProfileRow | undefined =>
  merchant.profiles.find(profile => profile.profile_id === profile_id)

/** Also a deleted profile, for payments that began before. */
export const findProfileOnce = (merchant: Merchant, profile_id: string | null): ProfileRow | undefined =>
  findProfile(merchant, profile_id) ?? merchant.former.profiles.find(profile => profile.profile_id === profile_id)
