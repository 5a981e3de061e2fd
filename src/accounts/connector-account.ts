import { Secret } from '../base/secret.ts'
import { connectors } from '../connectors/all.ts'
import type { Time, Vault } from '../context.ts'
import { APPLE_GATEWAY, APPLE_PAY } from './apple-shop.ts'
import { type Credentials, textsOf } from './credentials.ts'
import { type ConnectorAccount, type ConnectorAccountRow, type Details, INLINE, sealedName } from './merchant.ts'
import { walletsOf } from './wallets.ts'

/**
 * The settings of the deployment that apply to all merchants. `baseUrls`: base URLs by connector, for accounts without
 * their own (the sandbox's address), and Apple's gateway for all accounts.
 */
export type Deployment = { mode: 'test' | 'live'; publicUrl: string; baseUrls: Record<string, string> }

/** The members that may contain secrets of the merchant or its bank account. */
export const sealedMembers = ['connector_wallets_details', 'additional_merchant_data'] as const

/**
 * The encrypted part of a connector account. Answers show it only masked. `auth_type`, `additional_secret` and
 * `members` are absent in accounts that were stored before these members existed.
 */
export type SealedAccount = {
  auth_type?: string
  credentials: Credentials
  webhook_secret: string | null
  /** The time since which the account has these credentials and this address; absent: since its creation. */
  since?: Time
  additional_secret?: string | null
  members?: Details
}

/** Decrypts the encrypted part of a stored account. */
export const unseal = (
  vault: Pick<Vault, 'open'>,
  row: Pick<ConnectorAccountRow, 'merchant_id' | 'merchant_connector_id' | 'sealed'>,
): SealedAccount => JSON.parse(vault.open(row.merchant_id, sealedName(row.merchant_connector_id), row.sealed)) as SealedAccount

/** Returns the base URL of an account: its own (`metadata.base_url`), else the deployment's, else the connector's. */
export function baseUrlOf(deployment: Pick<Deployment, 'mode' | 'baseUrls'>, connector_name: string, metadata: unknown): string {
  const own = (metadata as { base_url?: unknown } | null | undefined)?.base_url
  const base_url =
    typeof own === 'string' ? own : (deployment.baseUrls[connector_name] ?? connectors[connector_name]?.baseUrl[deployment.mode] ?? '')
  return base_url.replace(/(?<!\/)\/+$/, '')
}

/** Returns credentials in the form that conversations use: each secret by its path. */
export const secretsByPath = (credentials: Credentials): Record<string, Secret> =>
  Object.fromEntries(textsOf(credentials).map(([name, text]) => [name, new Secret(text)]))

/** Returns the URL to which the processor of an account sends its webhooks. */
export const webhookUrlOf = (
  { publicUrl }: Pick<Deployment, 'publicUrl'>,
  { merchant_id, merchant_connector_id }: Pick<ConnectorAccountRow, 'merchant_id' | 'merchant_connector_id'>,
): string => `${publicUrl}/webhooks/${merchant_id}/${merchant_connector_id}`

/** Returns the connector type of an account. An account that was sent with a payment is a payment processor. */
export const typeOf = ({ connector_type }: Pick<ConnectorAccountRow, 'connector_type'>): string =>
  connector_type === INLINE ? 'payment_processor' : connector_type

/** Opens a stored account for use: credentials decrypted into `Secret`s, base URL resolved. */
export function openAccount(vault: Vault, deployment: Deployment, row: ConnectorAccountRow): ConnectorAccount {
  const { sealed: _sealed, ...rest } = row
  const { credentials, webhook_secret, since, members } = unseal(vault, row)
  const metadata = (row.details.metadata ?? {}) as Record<string, unknown>
  return {
    ...rest,
    connector_type: typeOf(row),
    since: since ?? null,
    wallets: walletsOf(members?.connector_wallets_details, metadata, deployment.baseUrls[APPLE_PAY] ?? APPLE_GATEWAY),
    account: {
      base_url: baseUrlOf(deployment, row.connector_name, row.details.metadata),
      credentials: secretsByPath(credentials),
      webhook_secret: webhook_secret === null ? null : new Secret(webhook_secret),
      webhook_url: webhookUrlOf(deployment, row),
      metadata,
    },
  }
}
