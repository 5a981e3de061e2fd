import type { ConnectorAccount, Merchant } from '../../accounts/merchant.ts'
import { profileSetting } from '../../accounts/profile-settings.ts'
import { after } from '../../base/lifecycle.ts'
import { refuse } from '../../base/refusal.ts'
import { connectors } from '../../connectors/all.ts'
import type { PaymentInstrument } from '../../connectors/instrument.ts'
import { openOperation } from '../../operations/open.ts'
import type { Operation } from '../../operations/operation.ts'
import { routedOf } from '../../routing/decide.ts'
import { requestOfHolds } from '../authorization/holds.ts'
import { route } from '../authorization/open-authorization.ts'
import { lifecycle } from '../lifecycle.ts'
import { type Authentication, ownerOf, type Payment } from '../payment.ts'
import type { UseCaseCall } from '../services.ts'
import { isAuthenticatedApart } from './external-three-ds.ts'

/**
 * Returns the account that authenticates the customer; null if none is required. Refuses (IR_16) a profile without one.
 */
export function authenticatorOf(merchant: Merchant, payment: Payment, instrument: PaymentInstrument | undefined): ConnectorAccount | null {
  if (instrument?.is !== 'card' || !isAuthenticatedApart(payment)) return null
  const { profile_id } = payment
  const named = profileSetting(merchant, profile_id, 'authentication_connector_details')?.authentication_connectors ?? []
  const may = merchant.connectorAccounts.filter(
    one =>
      one.connector_type === 'authentication_processor' &&
      one.profile_id === profile_id &&
      !one.disabled &&
      connectors[one.connector_name]?.authenticate !== undefined,
  )
  for (const name of named) {
    const found = may.find(one => one.connector_name === name)
    if (found) return found
  }
  return refuse('precondition', {
    problem:
      'request_external_three_ds_authentication needs authentication_connector_details of the business profile, and an enabled connector account (connector_type authentication_processor) of a connector that it names',
  })
}

/** Returns the payment with the account for the later authorization, and the operation. Refuses (IR_39) without one. */
export function openAuthentication(
  { context, merchant, services }: Pick<UseCaseCall, 'context' | 'merchant' | 'services'>,
  payment: Payment,
  instrument: PaymentInstrument | undefined,
  by: ConnectorAccount,
  client_network: string | null,
): { payment: Payment; operation: Operation } {
  const decision = route(merchant, payment, instrument, services.health)
  const [{ connector_name: connector, merchant_connector_id }] = decision.order
  const operation = openOperation(context, payment, by, {
    ...ownerOf(payment),
    verb: 'authenticate',
    purpose: 'merchant',
    acts_on: null,
    amount: payment.net_amount,
    client_network,
    routing: routedOf(decision),
  })
  const authentication: Authentication = { connector: by.connector_name, request_id: operation.request_id, outcome: 'started' }
  return {
    operation,
    payment: {
      ...payment,
      alone: operation.n,
      connector,
      merchant_connector_id,
      connector_transaction_id: null,
      authorization_n: null,
      authorization_request_id: null,
      last_error: null,
      request: { ...requestOfHolds(merchant, payment), authentication },
      status: after(lifecycle, payment.status, payment.status === 'failed' ? 'retried' : 'sent'),
      facts: null,
      operation_count: operation.n,
      modified_at: operation.began,
    },
  }
}
