import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import { connectors } from '../connectors/all.ts'

/** What routing may look at. */
export type Wish = {
  profile_id: string
  payment_method: string | null
  capture_method: string
  currency: string
  amount: number
  connector?: readonly string[] | undefined
}

type Enabled = {
  payment_method: string
  payment_method_types?: { minimum_amount?: number; maximum_amount?: number; accepted_currencies?: Accepted }[]
}
type Accepted = { type: 'enable_only' | 'disable_only' | 'all_accepted'; list?: string[] }

const accepts = (rule: Accepted | undefined, value: string): boolean =>
  !rule || rule.type === 'all_accepted' || (rule.list ?? []).includes(value) === (rule.type === 'enable_only')

/** Does the account's `payment_methods_enabled` let this through? No list at all means everything the connector has. */
function enables(account: ConnectorAccount, wish: Wish): boolean {
  const enabled = account.details.payment_methods_enabled as Enabled[] | null | undefined
  if (!enabled) return true
  const method = enabled.find(one => one.payment_method === wish.payment_method)
  if (!method) return false
  if (!method.payment_method_types) return true
  return method.payment_method_types.some(
    type =>
      wish.amount >= (type.minimum_amount ?? 0) &&
      wish.amount <= (type.maximum_amount ?? Number.MAX_SAFE_INTEGER) &&
      accepts(type.accepted_currencies, wish.currency),
  )
}

/**
 * The connector accounts that could take this payment, best first: those of the profile, in the order in which they were added, that are enabled and whose connector has the method
 * and the capture method. `connector` of the request is a filter, not an order. A pure function of its arguments, so that a choice can be explained and replayed.
 */
export function choose(merchant: Merchant, wish: Wish): ConnectorAccount[] {
  const capture = wish.capture_method === 'sequential_automatic' ? 'automatic' : wish.capture_method
  return merchant.connectorAccounts.filter(account => {
    const connector = connectors[account.connector_name]
    return (
      connector !== undefined &&
      account.connector_type === 'payment_processor' &&
      !account.disabled &&
      account.profile_id === wish.profile_id &&
      (connector.accepts.methods as readonly string[]).includes(wish.payment_method ?? '') &&
      (connector.accepts.capture as readonly string[]).includes(capture) &&
      (!wish.connector || wish.connector.length === 0 || wish.connector.includes(account.connector_name)) &&
      enables(account, wish)
    )
  })
}
