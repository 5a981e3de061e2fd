import { canonical } from '../base/canonical.ts'
import { newId } from '../base/id.ts'
import { checkMetadata } from '../base/metadata.ts'
import { refuse } from '../base/refusal.ts'
import { connectors } from '../connectors/all.ts'
import { settingsOf } from '../connectors/settings.ts'
import type { Context, Reads } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { storedMembers } from '../resources/read.ts'
import { checkComplete, checkForReal, checkMoved, checkSettings } from './account-settings.ts'
import { chooseProfile } from './choose-profile.ts'
import { type Deployment, type SealedAccount, sealAccount, sealedMembers, typeOf, unsealAccount } from './connector-account.ts'
import {
  type ConnectorAccountAsk,
  type ConnectorAccountUpdate,
  connectorAccountFields,
  type connectorTypes,
} from './connector-account-fields.ts'
import { readCredentials } from './credentials.ts'
import type { ConnectorAccountRow, Details, Merchant, ProfileRow } from './merchant.ts'
import { type HasUnfinished, refuseUnfinished } from './merchants.ts'
import { findConnectorAccountRow, findConnectorAccounts, move } from './rows.ts'
import { checkWallets } from './wallets.ts'
import { newWatch } from './watches.ts'

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
  const written = await context.commit(
    changeTo(context, 'connector_accounts', { before: null, after: row }, 'created', { answer, rows: [newWatch(row)] }),
  )
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
function otherSecrets(
  ask: ConnectorAccountAsk | ConnectorAccountUpdate,
): Pick<SealedAccount, 'webhook_secret' | 'additional_secret' | 'members'> {
  const { merchant_secret = null, additional_secret = null } = ask.connector_webhook_details ?? {}
  const given = sealedMembers.filter(member => ask[member] !== undefined)
  return { webhook_secret: merchant_secret, additional_secret, members: Object.fromEntries(given.map(member => [member, ask[member]])) }
}

/** All members except secrets and those with their own column. */
const openMembers = (ask: ConnectorAccountAsk | ConnectorAccountUpdate): Details => storedMembers(connectorAccountFields, 'request', ask)

/**
 * An account that waits for its credentials (TemporaryAuth) is inactive, hence disabled. A request without `disabled`
 * enables an active account, also on an update (contract 6.4).
 */
function standingOf(
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

export const needConnectorAccount = async (
  context: Reads,
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
 * A request without `disabled` enables an active account (contract 6.4). Operations that began with the former
 * credentials go on with the new ones; the answer of a processor that then does not know them does not count
 * (`operations/sync.ts`).
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

/** Earlier payments go on: captures, voids, refunds, webhooks and status queries find the account by its id. */
export async function deleteConnectorAccount(
  context: Context,
  merchant_id: string,
  merchant_connector_id: string,
  hasUnfinished: HasUnfinished,
) {
  return move(context, 'connector_accounts', 'deleted', async () => {
    const before = await needConnectorAccount(context, merchant_id, merchant_connector_id)
    if (await hasUnfinished(context, merchant_id, [merchant_connector_id])) refuseUnfinished('connector account')
    return { before, after: { ...before, deleted_at: context.now() }, answer: { merchant_id, merchant_connector_id, deleted: true } }
  })
}
