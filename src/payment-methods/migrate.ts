import { findConnectorAccount, type Merchant } from '../accounts/merchant.ts'
import { checkMetadata } from '../base/metadata.ts'
import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { checkTransactionId } from '../instruments/network-transaction-id.ts'
import { createMethod, type Show } from './create.ts'
import type { Recurring } from './method.ts'
import { migrateToken } from './network-token.ts'
import type { MigrateAsk } from './shape.ts'

/**
 * With the cardholder's agreement at another vault, so that the card can be charged off-session: by the network
 * transaction id, by processors' ids of the card, or as a network token with that transaction id. The same card again
 * is the same payment method, and the agreements are merged. Refuses (HE_02) an unknown customer or connector account,
 * (IR_19) other payment methods, and as `createMethod`.
 */
export async function migrateMethod<T>(context: Context, merchant: Merchant, ask: MigrateAsk, show: Show<T>): Promise<T> {
  const { network_transaction_id, connector_mandate_details, network_token, card, ...rest } = ask
  const { payment_method = network_token ? 'network_token' : 'card' } = ask
  if (payment_method !== 'card' && payment_method !== 'network_token')
    refuse('not_supported', { problem: `payment_method ${payment_method} cannot be migrated: only cards and network tokens can` })
  if (ask.metadata) checkMetadata('metadata', ask.metadata)
  if (network_transaction_id !== undefined) checkTransactionId('network_transaction_id', network_transaction_id)
  if (network_token) return migrateToken(context, merchant.merchant_id, { ...ask, network_token, ...tokenAgreement(ask) }, show)
  if (payment_method === 'network_token') refuse('missing', { field: 'network_token' })
  if (!card) return refuse('missing', { field: 'card (or network_token)' })
  const agreed = agreementOf(merchant, ask)
  return createMethod(context, merchant.merchant_id, { ...rest, card, payment_method: 'card' }, show, { agreed })
}

/** Refuses a network token without a network_transaction_id, because nothing could charge it. */
function tokenAgreement({ network_transaction_id, ...ask }: MigrateAsk): { network_transaction_id: string } {
  const others = ['card', 'connector_mandate_details', 'card_network'] as const
  const other = others.find(name => ask[name] !== undefined)
  if (other !== undefined)
    refuse('unacceptable', {
      field: other,
      problem: 'and network_token cannot be sent together: a network token is charged by its network_transaction_id',
    })
  const { payment_method_type: type = 'network_token' } = ask
  if (!['network_token', 'credit', 'debit'].includes(type))
    refuse('unacceptable', { field: 'payment_method_type', problem: `${type} is not the type of a network token` })
  return { network_transaction_id: network_transaction_id ?? refuse('missing', { field: 'network_transaction_id' }) }
}

/** Null: the card can be charged only on-session. */
function agreementOf(merchant: Merchant, { network_transaction_id, connector_mandate_details: given = {} }: MigrateAsk): Recurring | null {
  const accounts = Object.keys(given)
  if (accounts.some(id => !findConnectorAccount(merchant, id))) refuse('not_found', { what: 'connector account' })
  if (network_transaction_id === undefined && accounts.length === 0) return null
  const entries = Object.entries(given).map(([account, { connector_mandate_id, connector_customer_id = null }]) => [
    account,
    { connector_mandate_id, connector_customer_id },
  ])
  return {
    usage: 'off_session',
    network_transaction_id: network_transaction_id ?? null,
    // If several accounts are named, it is unknown at which one the cardholder agreed.
    network_account: network_transaction_id !== undefined && accounts.length === 1 ? accounts[0]! : null,
    connectors: Object.fromEntries(entries),
  }
}
