import { newId } from '../base/id.ts'
import { checkMetadata } from '../base/metadata.ts'
import { refuse } from '../base/refusal.ts'
import { connectors } from '../connectors/all.ts'
import type { Context } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { storedMembers } from '../resources/read.ts'
import { checkComplete, checkForReal, checkSettings } from './account-settings.ts'
import { chooseProfile } from './choose-profile.ts'
import { type Deployment, type SealedAccount, sealAccount, sealedMembers } from './connector-account.ts'
import { connectorAccountFields, type connectorTypes } from './connector-account-fields.ts'
import type { ConnectorAccountAsk, ConnectorAccountUpdate } from './connector-account-shape.ts'
import { readCredentials } from './credentials.ts'
import type { ConnectorAccountRow, Details, Merchant, ProfileRow } from './merchant.ts'
import { findConnectorAccounts } from './rows.ts'
import { checkWallets } from './wallets.ts'

export async function createConnectorAccount<T>(
  context: Context,
  deployment: Pick<Deployment, 'mode' | 'baseUrls'>,
  merchant: Merchant,
  ask: ConnectorAccountAsk,
  show: (row: ConnectorAccountRow, sealed: SealedAccount) => T,
): Promise<T> {
  const { merchant_id } = merchant
  const profile = chooseProfile(merchant, ask)
  checkConnectorType(ask.connector_name, ask.connector_type)
  checkMetadata('metadata', ask.metadata)
  await checkSettings(context, deployment, ask, ask.metadata)
  checkWallets(context.now(), ask.connector_wallets_details)
  const signIn = readCredentials(ask.connector_name, ask.connector_account_details)
  checkForReal(deployment, ask.connector_name, signIn)
  checkComplete(deployment, ask, ask.metadata)
  const sealed: SealedAccount = { ...signIn, ...otherSecrets(ask) }
  const standing = standingOf(ask, signIn.auth_type, 'active')
  const { connector_type, connector_name } = ask
  const merchant_connector_id = ask.merchant_connector_id ?? newId(context, 'mca_')
  const now = context.now()
  const row: ConnectorAccountRow = {
    merchant_id,
    merchant_connector_id,
    version: 1,
    profile_id: profile.profile_id,
    connector_type,
    connector_name,
    connector_label: ask.connector_label ?? labelOf(ask, profile),
    disabled: standing.disabled,
    sealed: sealAccount(context.vault, { merchant_id, merchant_connector_id }, sealed),
    details: { ...openMembers(ask), status: standing.status },
    created: now,
    modified_at: now,
    deleted_at: null,
  }
  const answer = show(row, sealed)
  const written = await context.commit(changeTo(context, 'connector_accounts', { before: null, after: row }, 'created', { answer }))
  if (written.is === 'written') return answer
  const others = await findConnectorAccounts(context, merchant_id)
  const isTheId = others.some(other => other.merchant_connector_id === merchant_connector_id)
  return isTheId
    ? refuse('duplicate', { what: 'connector account', id: merchant_connector_id })
    : refuse('duplicate', { what: 'connector account', id: row.connector_label, profile_id: row.profile_id })
}

/** The default label: built from the account's business, or from its profile (contract 6.4). */
function labelOf(ask: ConnectorAccountAsk, profile: ProfileRow): string {
  const { connector_name, business_country, business_label, business_sub_label } = ask
  if (business_country === undefined || business_label === undefined) return `${connector_name}_${profile.profile_name}`
  return [business_country, business_label, business_sub_label, connector_name].filter(part => part !== undefined).join('_')
}

function madeFor(connector_name: string): (typeof connectorTypes)[number][] {
  const { authorize, payout, authenticate } = connectors[connector_name] ?? {}
  return [
    ...(authorize ? (['payment_processor'] as const) : []),
    ...(payout ? (['payout_processor'] as const) : []),
    ...(authenticate ? (['authentication_processor'] as const) : []),
  ]
}

export function checkConnectorType(connector_name: string, connector_type: string): void {
  const types = madeFor(connector_name)
  if (!(types as string[]).includes(connector_type))
    refuse('unacceptable', { field: 'connector_type', problem: `${connector_name} is a ${types.join(' and a ')}` })
}

/** `members` has only those that were sent. */
export function otherSecrets(
  ask: ConnectorAccountAsk | ConnectorAccountUpdate,
): Pick<SealedAccount, 'webhook_secret' | 'additional_secret' | 'members'> {
  const { merchant_secret = null, additional_secret = null } = ask.connector_webhook_details ?? {}
  const given = sealedMembers.filter(member => ask[member] !== undefined)
  return { webhook_secret: merchant_secret, additional_secret, members: Object.fromEntries(given.map(member => [member, ask[member]])) }
}

/** All members except secrets and those with their own column. */
export const openMembers = (ask: ConnectorAccountAsk | ConnectorAccountUpdate): Details =>
  storedMembers(connectorAccountFields, 'request', ask)

/**
 * An account whose credentials are still to come (TemporaryAuth) is inactive, and an inactive account is disabled. A
 * request without `disabled` enables an active account, also on an update (contract 6.4).
 */
export function standingOf(
  ask: { status?: 'active' | 'inactive'; disabled?: boolean },
  auth_type: string,
  before: 'active' | 'inactive',
): { status: 'active' | 'inactive'; disabled: boolean } {
  const temporary = auth_type === 'TemporaryAuth'
  if (temporary && ask.status === 'active') refuse('unacceptable', { field: 'status', problem: 'must not be active with TemporaryAuth' })
  const status = temporary ? 'inactive' : (ask.status ?? before)
  const disabled = ask.disabled ?? status === 'inactive'
  if (!disabled && status === 'inactive')
    refuse('unacceptable', { field: 'disabled', problem: 'must not be false when status is inactive' })
  return { status, disabled }
}
