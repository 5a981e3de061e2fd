import { Secret } from '../base/secret.ts'
import { connectors } from '../connectors/all.ts'
import type { Vault } from '../world.ts'
import type { ConnectorAccount, ConnectorAccountRow } from './merchant.ts'

/** What the deployment decides for every merchant. `baseUrls`: where a connector lives unless an account says otherwise (the sandbox's address). */
export type Deployment = { mode: 'test' | 'live'; publicUrl: string; baseUrls: Record<string, string> }

/** What is sealed of a connector account: never shown again but masked. */
export type SealedAccount = { credentials: Record<string, string>; webhook_secret: string | null }

export const sealedName = (merchant_connector_id: string): string => `connector account ${merchant_connector_id}`

/** Opens a stored account for use: credentials decrypted into `Secret`s, base URL resolved (the account's own, else the deployment's, else the connector's). */
export function openAccount(vault: Vault, deployment: Deployment, row: ConnectorAccountRow): ConnectorAccount {
  const { sealed, ...rest } = row
  const { credentials, webhook_secret } = JSON.parse(
    vault.open(row.merchant_id, sealedName(row.merchant_connector_id), sealed),
  ) as SealedAccount
  const connector = connectors[row.connector_name]
  const own = (row.details.metadata as { base_url?: unknown } | null | undefined)?.base_url
  const base_url = typeof own === 'string' ? own : (deployment.baseUrls[row.connector_name] ?? connector?.baseUrl[deployment.mode] ?? '')
  return {
    ...rest,
    account: {
      base_url: base_url.replace(/\/+$/, ''),
      credentials: Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name, new Secret(value)])),
      webhook_secret: webhook_secret === null ? null : new Secret(webhook_secret),
    },
  }
}
