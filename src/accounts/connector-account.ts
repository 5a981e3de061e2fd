import { Secret } from '../base/secret.ts'
import { connectors } from '../connectors/all.ts'
import type { Time, Vault } from '../context.ts'
import { APPLE_GATEWAY, APPLE_PAY } from './apple-shop.ts'
import { type Credentials, textsOf } from './credentials.ts'
import { type ConnectorAccount, type ConnectorAccountRow, type Details, INLINE, sealedName } from './merchant.ts'
import { walletsOf } from './wallets.ts'

/** `baseUrls`: by connector, for accounts without their own (the sandbox's address), and Apple's gateway for all. */
export type Deployment = { mode: 'test' | 'live'; publicUrl: string; baseUrls: Record<string, string> }

export const sealedMembers = ['connector_wallets_details', 'additional_merchant_data'] as const

/** Answers show it only masked. Optional members are absent in accounts that were stored before these existed. */
export type SealedAccount = {
  auth_type?: string
  credentials: Credentials
  webhook_secret: string | null
  /** When the account got these credentials and this address; absent: at its creation. */
  since?: Time
  additional_secret?: string | null
  members?: Details
}

export const sealAccount = (
  vault: Pick<Vault, 'seal'>,
  { merchant_id, merchant_connector_id }: Pick<ConnectorAccountRow, 'merchant_id' | 'merchant_connector_id'>,
  sealed: SealedAccount,
) => vault.seal(merchant_id, sealedName(merchant_connector_id), JSON.stringify(sealed))

export const unsealAccount = (
  vault: Pick<Vault, 'open'>,
  row: Pick<ConnectorAccountRow, 'merchant_id' | 'merchant_connector_id' | 'sealed'>,
): SealedAccount => JSON.parse(vault.open(row.merchant_id, sealedName(row.merchant_connector_id), row.sealed)) as SealedAccount

/** Its own (`metadata.base_url`), else the deployment's, else the connector's. */
export function baseUrlOf(deployment: Pick<Deployment, 'mode' | 'baseUrls'>, connector_name: string, metadata: unknown): string {
  const own = (metadata as { base_url?: unknown } | null | undefined)?.base_url
  const base_url =
    typeof own === 'string' ? own : (deployment.baseUrls[connector_name] ?? connectors[connector_name]?.baseUrl[deployment.mode] ?? '')
  return base_url.replace(/(?<!\/)\/+$/, '')
}

export const secretsByPath = (credentials: Credentials): Record<string, Secret> =>
  Object.fromEntries(textsOf(credentials).map(([name, text]) => [name, new Secret(text)]))

export const webhookUrlOf = (
  { publicUrl }: Pick<Deployment, 'publicUrl'>,
  { merchant_id, merchant_connector_id }: Pick<ConnectorAccountRow, 'merchant_id' | 'merchant_connector_id'>,
): string => `${publicUrl}/webhooks/${merchant_id}/${merchant_connector_id}`

/** An account that was sent with a payment is a payment processor. */
export const typeOf = ({ connector_type }: Pick<ConnectorAccountRow, 'connector_type'>): string =>
  connector_type === INLINE ? 'payment_processor' : connector_type

export function openAccount(vault: Vault, deployment: Deployment, row: ConnectorAccountRow): ConnectorAccount {
  const { sealed: _sealed, ...rest } = row
  const { credentials, webhook_secret, since, members } = unsealAccount(vault, row)
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
