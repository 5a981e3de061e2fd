import { type ConnectorDetails, checkBrought, keepBrought } from '../../accounts/brought-account.ts'
import { chooseProfile } from '../../accounts/choose-profile.ts'
import { findConnectorAccount, type Merchant } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { enabledIn } from '../../routing/known.ts'
import { readRequestRouting } from '../../routing/read.ts'
import type { Payment, PaymentParams } from '../payment.ts'
import type { StoryCall } from '../services.ts'
import type { PaymentTerms } from '../terms.ts'

/** Credentials that come with a payment (`merchant_connector_details`, docs/decisions/0091). */

/**
 * The call and the terms of a payment that comes with credentials: the merchant with the account of them, to which the
 * payment goes and to no other. It is kept before the payment, by itself: what dies in between leaves an account that
 * nothing chooses. `before`: the payment, if there is one.
 */
async function withCredentials<T extends PaymentTerms>(
  call: StoryCall,
  terms: T & { credentials: ConnectorDetails },
  before: Payment | null,
): Promise<{ call: StoryCall; terms: T }> {
  const { merchant, services } = call
  const { columns, credentials } = terms
  const request: PaymentParams = before ? { ...before.request, ...terms.request } : terms.request
  const profile_id =
    columns.profile_id === undefined && before
      ? before.profile_id
      : chooseProfile(merchant, columns.profile_id ? columns : request).profile_id
  const connector_name = connectorOf(merchant, profile_id, request, credentials)
  const context = call.aside ?? call.context
  const { account, written } = await keepBrought(context, services.deployment, merchant, { profile_id, connector_name }, credentials)
  if (written) await services.settingsWritten()
  const { merchant_connector_id } = account
  const brought = [...merchant.brought.filter(one => one.merchant_connector_id !== merchant_connector_id), account]
  return {
    call: { ...call, merchant: { ...merchant, brought } },
    terms: { ...terms, request: { ...terms.request, brought_account: merchant_connector_id } },
  }
}

/** The same of what may bring none, as most do. */
export const brings = async <T extends PaymentTerms>(
  call: StoryCall,
  terms: T,
  before: Payment | null,
): Promise<{ call: StoryCall; terms: T }> =>
  terms.credentials === null ? { call, terms } : withCredentials(call, { ...terms, credentials: terms.credentials }, before)

/**
 * Of which connector the credentials are: as `connector` says, or `routing`; else of the one that has the only account
 * that is kept under their identifier, or the only one of the profile. Refuses (IR_06) what leaves that open.
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
  const kept = merchant.brought.filter(one => one.profile_id === profile_id && one.details.creds_identifier === creds_identifier)
  const [only, ...others] = kept.length > 0 ? kept : enabledIn(merchant, profile_id)
  return only && others.length === 0 ? only.connector_name : unclear()
}

const unclear = (): never =>
  refuse('unacceptable', {
    field: 'merchant_connector_details',
    words: 'requires the connector that the credentials belong to: send it in connector, or in a routing of type single without an account',
  })

/** Credentials that come with what is done to a payment: its own account's, or refused (IR_06). */
export function checkCredentials(merchant: Merchant, payment: Payment, details: ConnectorDetails | undefined): void {
  if (details === undefined) return
  const id = payment.merchant_connector_id ?? payment.request.brought_account
  checkBrought(id === undefined ? undefined : findConnectorAccount(merchant, id), details)
}
