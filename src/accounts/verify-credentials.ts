import { newRequestId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { connectors } from '../connectors/all.ts'
import type { Account, CredentialsVerdict } from '../connectors/connector.ts'
import type { Context } from '../context.ts'
import { checkForReal, checkMoved, checkSettings } from './account-settings.ts'
import { baseUrlOf, type Deployment, secretsByPath, unsealAccount } from './connector-account.ts'
import type { VerifyAsk } from './connector-account-fields.ts'
import { checkConnectorType, needConnectorAccount } from './connector-accounts.ts'
import { converseAbout, noAnswer } from './converse-about.ts'
import { readCredentials } from './credentials.ts'

/** Nothing is written, and no money moves. `verified` is null if the processor does not respond. */
export async function verifyCredentials(
  context: Context,
  deployment: Pick<Deployment, 'mode' | 'baseUrls'>,
  merchant_id: string,
  ask: VerifyAsk,
): Promise<Record<string, unknown>> {
  const { merchant_connector_id } = ask
  const row = merchant_connector_id === undefined ? null : await needConnectorAccount(context, merchant_id, merchant_connector_id)
  const connector_name = ask.connector_name ?? row?.connector_name ?? refuse('missing', { field: 'connector_name' })
  if (row && row.connector_name !== connector_name)
    refuse('unacceptable', { field: 'connector_name', problem: `must be ${row.connector_name}, the connector of this account` })
  if (ask.connector_type !== undefined) checkConnectorType(connector_name, ask.connector_type)
  await checkSettings(context, deployment, { connector_name, connector_type: ask.connector_type ?? row?.connector_type }, ask.metadata)
  if (row) checkMoved(connector_name, row.details, ask)
  const credentials =
    row && ask.connector_account_details === undefined
      ? unsealAccount(context.vault, row).credentials
      : readCredentials(connector_name, ask.connector_account_details).credentials
  checkForReal(deployment, connector_name, { credentials })
  const { verify } = connectors[connector_name]!
  if (!verify) return refuse('flow_not_supported', { flow: 'verifying credentials', connector: connector_name })
  const metadata = (ask.metadata ?? row?.details.metadata ?? {}) as Record<string, unknown>
  const account: Account = {
    base_url: baseUrlOf(deployment, connector_name, metadata),
    credentials: secretsByPath(credentials),
    webhook_secret: null,
    metadata,
  }
  const sender = { merchant_id, merchant_connector_id: merchant_connector_id ?? 'verified' }
  const verdict = await converseAbout<CredentialsVerdict>(context, sender, account, verify(account, newRequestId(context)), noAnswer)
  return {
    connector_name,
    merchant_connector_id: merchant_connector_id ?? null,
    verified: verdict.is === 'unknown' ? null : verdict.is === 'good',
    error_code: verdict.is === 'refused' ? verdict.code : null,
    error_message: verdict.is === 'refused' ? verdict.message : verdict.is === 'unknown' ? verdict.why : null,
  }
}
