import { canonical } from '../base/canonical.ts'
import { checkMetadata } from '../base/metadata.ts'
import { refuse } from '../base/refusal.ts'
import { connectors } from '../connectors/all.ts'
import { settingsOf } from '../connectors/settings.ts'
import type { Context } from '../context.ts'
import { checkComplete, checkForReal, checkMoved, checkSettings } from './account-settings.ts'
import { type Deployment, type SealedAccount, sealAccount, typeOf, unsealAccount } from './connector-account.ts'
import type { ConnectorAccountUpdate } from './connector-account-shape.ts'
import { checkConnectorType, openMembers, otherSecrets, standingOf } from './create-connector-account.ts'
import { readCredentials } from './credentials.ts'
import type { ConnectorAccountRow, Details } from './merchant.ts'
import { findConnectorAccountRow, findConnectorAccounts, move } from './rows.ts'
import { checkWallets } from './wallets.ts'

export const needConnectorAccount = async (
  context: Pick<Context, 'query'>,
  merchant_id: string,
  merchant_connector_id: string,
): Promise<ConnectorAccountRow> =>
  (await findConnectorAccountRow(context, merchant_id, merchant_connector_id)) ??
  refuse('not_found', { what: 'connector account', id: merchant_connector_id })

/** The metadata that identifies the account at the processor: the settings that the connector reads. */
export function placeOf(connector_name: string, { metadata }: Details): unknown[] {
  const values = (metadata ?? {}) as Record<string, unknown>
  return Object.keys(settingsOf(connectors[connector_name]!)).map(name => values[name] ?? null)
}

/**
 * Fields that are not sent are unchanged, except `disabled`: a request without it enables an active account (contract
 * 6.4). Operations that began with the former credentials go on with the new ones. If the processor then does not know
 * such an operation, its answer does not count (`operations/sync.ts`).
 */
export async function updateConnectorAccount<T>(
  context: Context,
  deployment: Pick<Deployment, 'mode' | 'baseUrls'>,
  merchant_id: string,
  merchant_connector_id: string,
  ask: ConnectorAccountUpdate,
  show: (row: ConnectorAccountRow, sealed: SealedAccount) => T,
): Promise<T> {
  checkMetadata('metadata', ask.metadata)
  return move(context, 'connector_accounts', 'updated', async () => {
    const before = await needConnectorAccount(context, merchant_id, merchant_connector_id)
    const { connector_name, profile_id } = before
    checkConnectorType(connector_name, ask.connector_type)
    const kind = { connector_name, connector_type: typeOf(before) }
    await checkSettings(context, deployment, kind, ask.metadata)
    checkWallets(context.now(), ask.connector_wallets_details)
    checkMoved(connector_name, before.details, ask)
    if (ask.metadata) checkComplete(deployment, kind, ask.metadata)
    const signIn = ask.connector_account_details && readCredentials(connector_name, ask.connector_account_details)
    if (signIn) checkForReal(deployment, connector_name, signIn)
    const connector_label = ask.connector_label ?? before.connector_label
    if (connector_label !== before.connector_label) {
      const others = await findConnectorAccounts(context, merchant_id)
      if (others.some(one => one.deleted_at === null && one.profile_id === profile_id && one.connector_label === connector_label))
        refuse('duplicate', { what: 'connector account', id: connector_label, profile_id })
    }
    const was = unsealAccount(context.vault, before)
    const { members, ...secrets } = otherSecrets(ask)
    const sealed: SealedAccount = {
      ...was,
      ...signIn,
      ...(ask.connector_webhook_details && secrets),
      members: { ...was.members, ...members },
    }
    const details = { ...before.details, ...openMembers(ask) }
    // New credentials may belong to another account at the processor, which does not know earlier requests.
    if (
      canonical([was.credentials, placeOf(connector_name, before.details)]) !==
      canonical([sealed.credentials, placeOf(connector_name, details)])
    )
      sealed.since = context.now()
    const formerStatus = before.details.status === 'inactive' ? 'inactive' : 'active'
    // An account that waited for its credentials (TemporaryAuth) becomes active with them.
    const came = was.auth_type === 'TemporaryAuth' && sealed.auth_type !== 'TemporaryAuth'
    const { status, disabled } = standingOf(ask, sealed.auth_type ?? '', came ? 'active' : formerStatus)
    const after: ConnectorAccountRow = {
      ...before,
      connector_label,
      disabled,
      sealed: sealAccount(context.vault, before, sealed),
      details: { ...details, status },
      modified_at: context.now(),
    }
    return { before, after, answer: show(after, sealed) }
  })
}
