import { chooseProfile } from '../../accounts/choose-profile.ts'
import { type ConnectorDetails, checkInlineAccount, storeInlineAccount } from '../../accounts/inline-account.ts'
import { findConnectorAccount, type Merchant } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { enabledIn } from '../../routing/known.ts'
import { readRequestRouting } from '../../routing/read.ts'
import type { Payment, PaymentParams } from '../payment.ts'
import type { UseCaseCall } from '../services.ts'
import type { PaymentTerms } from '../terms.ts'

/** Credentials in a payment request (`merchant_connector_details`, docs/design/stored-credentials.md). */

/**
 * Returns the call and the terms of a payment with credentials: their account is the only one that it is sent to. The
 * account is stored before the payment: if the process dies in between, an account remains that routing never selects.
 */
async function withCredentials<T extends PaymentTerms>(
  call: UseCaseCall,
  terms: T & { credentials: ConnectorDetails },
  before: Payment | null,
): Promise<{ call: UseCaseCall; terms: T }> {
  const { merchant, services } = call
  const { columns, credentials } = terms
  const request: PaymentParams = before ? { ...before.request, ...terms.request } : terms.request
  const profile_id =
    columns.profile_id === undefined && before
      ? before.profile_id
      : chooseProfile(merchant, columns.profile_id ? columns : request).profile_id
  const connector_name = connectorOf(merchant, profile_id, request, credentials)
  const context = call.aside ?? call.context
  const { account, written } = await storeInlineAccount(context, services.deployment, merchant, { profile_id, connector_name }, credentials)
  if (written) await services.settingsWritten()
  const { merchant_connector_id } = account
  const inlineAccounts = [...merchant.inlineAccounts.filter(one => one.merchant_connector_id !== merchant_connector_id), account]
  return {
    call: { ...call, merchant: { ...merchant, inlineAccounts } },
    terms: { ...terms, request: { ...terms.request, brought_account: merchant_connector_id } },
  }
}

/** Returns the call and the terms, as `withCredentials` does if the request contains credentials, as few do. */
export const withInlineAccount = async <T extends PaymentTerms>(
  call: UseCaseCall,
  terms: T,
  before: Payment | null,
): Promise<{ call: UseCaseCall; terms: T }> =>
  terms.credentials === null ? { call, terms } : withCredentials(call, { ...terms, credentials: terms.credentials }, before)

/**
 * Returns the connector of the credentials: from `connector` or `routing`, or of the only account stored under their
 * identifier, or of the profile's only account. Refuses (IR_06) a request that leaves it open.
 */
function connectorOf(merchant: Merchant, profile_id: string, request: PaymentParams, { creds_identifier }: ConnectorDetails): string {
  const named = request.connector ?? []
  const routing = request.routing === undefined ? null : readRequestRouting(request.routing)
  if (named.length > 1) return unclear()
  const [name] = named
  if (routing) {
    if (
      routing.type !== 'single' ||
      routing.data.merchant_connector_id !== null ||
      (name ?? routing.data.connector) !== routing.data.connector
    )
      return unclear()
    return routing.data.connector
  }
  if (name !== undefined) return name
  const kept = merchant.inlineAccounts.filter(one => one.profile_id === profile_id && one.details.creds_identifier === creds_identifier)
  const [only, ...others] = kept.length > 0 ? kept : enabledIn(merchant, profile_id)
  return only && others.length === 0 ? only.connector_name : unclear()
}

const unclear = (): never =>
  refuse('unacceptable', {
    field: 'merchant_connector_details',
    problem:
      'requires the connector that the credentials belong to: send it in connector, or in a routing of type single without an account',
  })

/** Refuses (IR_06) credentials, in a request on an existing payment, that do not belong to the payment's account. */
export function checkCredentials(merchant: Merchant, payment: Payment, details: ConnectorDetails | undefined): void {
  if (details === undefined) return
  const id = payment.merchant_connector_id ?? payment.request.brought_account
  checkInlineAccount(id === undefined ? undefined : findConnectorAccount(merchant, id), details)
}
