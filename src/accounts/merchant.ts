import type { Account } from '../connectors/connector.ts'
import type { Time } from '../context.ts'
import type { MerchantMove } from '../database/moves.ts'
import { bytes, count, jsonb, type RowOf, table, text, time } from '../database/table.ts'
import { tableColumns } from '../resources/read.ts'
import { connectorAccountFields } from './connector-account-fields.ts'
import { profileIdentity } from './profile-identity.ts'
import type { ProfileRouting } from './routing.ts'
import type { Wallets } from './wallets.ts'

/** What merchants may be called. */
export const MERCHANT_ID = /^[A-Za-z0-9_-]{1,64}$/

/**
 * What merchants and profiles hold beyond their columns: the ecosystem's members, as they were sent. What the service
 * goes by is read with `profile-settings.ts`.
 */
export type Details = Record<string, unknown>

/**
 * Members of merchants and profiles that hold secrets: sealed in the row, and shown masked, but for the key that
 * merchants verify with. `of`: the profile's id, or of a merchant's own its.
 */
export const hiddenMembers = [
  'outgoing_webhook_custom_http_headers',
  'network_tokenization_credentials',
  'payment_response_hash_key',
] as const
export const sealedMemberName = (member: string, of: string): string => `${member} of ${of}`

/** The name of a connector account's secrets in the vault. */
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
    created_by: text().orNull().fixed(),
    /** The permissions that it has; null: all. */
    scopes: jsonb<readonly string[]>(['payments:read']).orNull().fixed(),
    /** The person whose command line holds it; null: a key for servers. */
    user_id: text().orNull().fixed(),
  },
})
export type ApiKeyRow = RowOf<typeof apiKeys>

/** `sealed`: credentials and webhook secrets. */
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
 * A connector account, opened: `account` is what a conversation needs; `since`: when its credentials or its address
 * last changed (null: never), so that it may be another account of the processor's. `wallets`: with what a checkout
 * opens them.
 */
export type ConnectorAccount = Omit<ConnectorAccountRow, 'sealed'> & { account: Account; since: Time | null; wallets: Wallets }

/**
 * The `connector_type` of a row that came with a payment (`brought-account.ts`): one that no release before knows, so
 * none ever chooses it. In memory it is a payment processor as any other, in a list of its own.
 */
export const BROUGHT = 'brought_processor'

type Holdings = { profiles: readonly ProfileRow[]; connectorAccounts: readonly ConnectorAccount[] }

/**
 * A merchant with everything a payment needs to know of it, as the settings cache holds it. `default_profile`: the
 * one that is used where none is named. `deleted`: its keys open nothing. `former`: what was deleted of it; what was
 * begun through it goes on. `brought`: accounts that came with payments: for those that name them.
 */
export type Merchant = Holdings & {
  merchant_id: string
  organization_id: string
  publishable_key: string
  default_profile: string | null
  details: Details
  blocklist_guard: boolean
  /** By profile; a profile of which nothing was said is not there. */
  routing: ReadonlyMap<string, ProfileRouting>
  deleted: boolean
  former: Holdings
  brought: readonly ConnectorAccount[]
  /** It is on its way to another deployment or from one; null: it is served here. */
  moving: Pick<MerchantMove, 'state' | 'address'> | null
}

/** The account that an operation was begun through: also if it was disabled or deleted since. */
export const findConnectorAccount = (merchant: Merchant, merchant_connector_id: string): ConnectorAccount | undefined => {
  const isIt = (account: ConnectorAccount) => account.merchant_connector_id === merchant_connector_id
  return merchant.connectorAccounts.find(isIt) ?? merchant.brought.find(isIt) ?? merchant.former.connectorAccounts.find(isIt)
}

/** Did it come with a payment? */
export const isBrought = ({ details }: ConnectorAccount): boolean => details.creds_identifier !== undefined

/** The account of this id, or the only one of a connector of this name; of those that were deleted, if none is left. */
export function findAccountCalled(merchant: Merchant, called: string): ConnectorAccount | undefined {
  const byId = findConnectorAccount(merchant, called)
  if (byId) return byId
  const named = ({ connectorAccounts }: Holdings) => connectorAccounts.filter(one => one.connector_name === called && !isBrought(one))
  const live = named(merchant)
  const all = live.length > 0 ? live : named(merchant.former)
  return all.length === 1 ? all[0] : undefined
}

/** A profile that there is. */
export const findProfile = (merchant: Merchant, profile_id: string | null): ProfileRow | undefined =>
  merchant.profiles.find(profile => profile.profile_id === profile_id)

/** The profile of something that was begun: also if it was deleted since. */
export const findProfileOnce = (merchant: Merchant, profile_id: string | null): ProfileRow | undefined =>
  findProfile(merchant, profile_id) ?? merchant.former.profiles.find(profile => profile.profile_id === profile_id)
