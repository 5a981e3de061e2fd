import { hash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { canonical } from '../base/canonical.ts'
import { checkMetadata } from '../base/metadata.ts'
import { refuse } from '../base/refusal.ts'
import { strictObject } from '../base/shapes.ts'
import type { Context } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { checkComplete, checkForReal, checkSettings } from './account-settings.ts'
import { type Deployment, openAccount, type SealedAccount, sealAccount, secretsByPath, unsealAccount } from './connector-account.ts'
import { signInMembers } from './connector-account-fields.ts'
import { checkConnectorType, placeOf } from './connector-accounts.ts'
import { readCredentials, type SignIn } from './credentials.ts'
import { type ConnectorAccount, type ConnectorAccountRow, INLINE, type Merchant } from './merchant.ts'
import { findConnectorAccountOnce, findConnectorAccountRow } from './rows.ts'

/**
 * `merchant_connector_details`: stored as an account of the payments that name it (docs/design/stored-credentials.md).
 */

const option = Type.Optional
const credentialsShape = strictObject({
  connector_account_details: option(signInMembers.connector_account_details),
  metadata: option(signInMembers.metadata),
})
export const connectorDetailsShape = strictObject({
  creds_identifier: Type.String({ minLength: 1, maxLength: 255 }),
  encoded_data: option(credentialsShape),
})
export type ConnectorDetails = Static<typeof connectorDetailsShape>

const CREDENTIALS = 'merchant_connector_details.encoded_data.connector_account_details'

type Place = { profile_id: string; connector_name: string }

/** A hash, so that two concurrent requests with the same credentials make one account. */
const idOf = ({ profile_id, connector_name }: Place, creds_identifier: string): string =>
  `mca_${hash('sha256', JSON.stringify([profile_id, connector_name, creds_identifier]), 'hex').slice(0, 26)}`

const identifierOf = ({ details }: Pick<ConnectorAccount, 'details'>): string | null =>
  (details.creds_identifier as string | undefined) ?? null

/** Credentials in the request create or update the account, after the usual checks. `written`: whether they did. */
export async function storeInlineAccount(
  context: Context,
  deployment: Deployment,
  merchant: Merchant,
  place: Place,
  { creds_identifier, encoded_data }: ConnectorDetails,
): Promise<{ account: ConnectorAccount; written: boolean }> {
  const { merchant_id } = merchant
  const id = idOf(place, creds_identifier)
  const known = merchant.inlineAccounts.find(one => one.merchant_connector_id === id)
  const open = (row: ConnectorAccountRow) => openAccount(context.vault, deployment, row)
  if (!encoded_data) {
    if (known) return { account: known, written: false }
    const row = await findConnectorAccountRow(context, merchant_id, id)
    if (row?.connector_type !== INLINE) return refuse('not_found', { what: 'connector account', id: creds_identifier, help: HOW_TO_SEND })
    return { account: open(row), written: false }
  }
  const { connector_name } = place
  const { connector_account_details, metadata } = encoded_data
  const kind = { connector_name, connector_type: 'payment_processor' }
  checkConnectorType(connector_name, kind.connector_type)
  checkMetadata('merchant_connector_details.encoded_data.metadata', metadata)
  await checkSettings(context, deployment, kind, metadata)
  const signIn = readCredentials(connector_name, connector_account_details, CREDENTIALS)
  if (signIn.auth_type === 'TemporaryAuth')
    refuse('unacceptable', {
      field: `${CREDENTIALS}.auth_type`,
      problem: 'must not be TemporaryAuth while a payment is waiting for this account',
    })
  checkForReal(deployment, connector_name, signIn)
  if (known && hasCredentials(known, signIn) && hasMetadata(known, metadata)) return { account: known, written: false }
  for (let tries = 1; tries <= MOST_TRIES; ) {
    const before = await findConnectorAccountOnce(context, merchant_id, id)
    if (before && before.connector_type !== INLINE) break
    const after = before
      ? movedTo(context, before, signIn, metadata)
      : rowOf(context, merchant_id, place, creds_identifier, signIn, metadata)
    checkComplete(deployment, kind, after.details.metadata as Record<string, unknown> | undefined)
    if (after === before) return { account: open(before), written: false }
    const written = await context.commit(
      changeTo(context, 'connector_accounts', { before: before ?? null, after }, before ? 'updated' : 'created'),
    )
    if (written.is === 'written') return { account: open(after), written: true }
    // An update that lost against another request is repeated without limit. Only failed inserts count as tries.
    if (!before) tries++
  }
  // Another connector account of the merchant has the same id or label.
  return refuse('duplicate', { what: 'connector account', id: labelOf(place, creds_identifier), profile_id: place.profile_id })
}

const MOST_TRIES = 5
const HOW_TO_SEND = 'Send the credentials in `merchant_connector_details.encoded_data`: none are kept under this creds_identifier'

const labelOf = ({ connector_name }: Place, creds_identifier: string): string => `creds_identifier ${creds_identifier} of ${connector_name}`

function rowOf(
  context: Context,
  merchant_id: string,
  place: Place,
  creds_identifier: string,
  signIn: SignIn,
  metadata: object | undefined,
): ConnectorAccountRow {
  const merchant_connector_id = idOf(place, creds_identifier)
  const now = context.now()
  const sealed: SealedAccount = { ...signIn, webhook_secret: null, additional_secret: null, members: {} }
  return {
    merchant_id,
    merchant_connector_id,
    version: 1,
    profile_id: place.profile_id,
    connector_type: INLINE,
    connector_name: place.connector_name,
    connector_label: labelOf(place, creds_identifier),
    disabled: false,
    sealed: sealAccount(context.vault, { merchant_id, merchant_connector_id }, sealed),
    details: { creds_identifier, status: 'active', ...(metadata && { metadata }) },
    created: now,
    modified_at: now,
    deleted_at: null,
  }
}

/** A deleted account is restored. Returns the same row if nothing has changed. */
function movedTo(context: Context, before: ConnectorAccountRow, signIn: SignIn, metadata: object | undefined): ConnectorAccountRow {
  const was = unsealAccount(context.vault, before)
  const details = metadata === undefined ? before.details : { ...before.details, metadata }
  const isThere = before.deleted_at === null
  const contentOf = (credentials: unknown, { metadata }: ConnectorAccountRow['details']) => canonical([credentials, metadata ?? {}])
  if (isThere && contentOf(was.credentials, before.details) === contentOf(signIn.credentials, details)) return before
  const at = (credentials: unknown, of: ConnectorAccountRow['details']) => canonical([credentials, placeOf(before.connector_name, of)])
  const sealed: SealedAccount = { ...was, ...signIn }
  if (at(was.credentials, before.details) !== at(signIn.credentials, details)) sealed.since = context.now()
  return { ...before, sealed: sealAccount(context.vault, before, sealed), details, modified_at: context.now(), deleted_at: null }
}

function hasCredentials({ account }: ConnectorAccount, signIn: SignIn): boolean {
  const [has, given] = [Object.entries(account.credentials), secretsByPath(signIn.credentials)]
  return has.length === Object.keys(given).length && has.every(([name, secret]) => given[name]?.reveal() === secret.reveal())
}

/** True if no metadata is given. An empty object counts as none. */
const hasMetadata = ({ details }: ConnectorAccount, metadata: object | undefined): boolean =>
  metadata === undefined || canonical(metadata) === canonical(details.metadata ?? {})

/** Later requests, such as a capture, always use the account that processed the payment. */
export function checkInlineAccount(account: ConnectorAccount | undefined, { creds_identifier, encoded_data }: ConnectorDetails): void {
  const field = 'merchant_connector_details'
  const its =
    account && identifierOf(account) === creds_identifier
      ? account
      : refuse('unacceptable', {
          field: `${field}.creds_identifier`,
          problem: 'must match the connector account that processed this payment',
        })
  if (!encoded_data) return
  const { connector_account_details, metadata } = encoded_data
  if (connector_account_details === undefined && metadata === undefined) return
  const signIn = readCredentials(its.connector_name, connector_account_details, CREDENTIALS)
  const differs = (member: string) =>
    refuse('unacceptable', {
      field: `${field}.encoded_data.${member}`,
      problem: 'differs from what is stored for this creds_identifier: update the connector account, or send them with a new payment',
    })
  if (!hasCredentials(its, signIn)) differs('connector_account_details')
  if (!hasMetadata(its, metadata)) differs('metadata')
}
