import type { ConnectorAccount } from '../accounts/merchant.ts'
import type { RoutingContext } from './routing-context.ts'

/** What an account's `payment_methods_enabled` says, and what it is enabled for of one method. */

type Accepted = { type: 'enable_only' | 'disable_only' | 'all_accepted'; list?: string[] }
export type MethodType = {
  payment_method_type: string
  payment_experience?: string
  card_networks?: string[]
  accepted_currencies?: Accepted
  accepted_countries?: Accepted
  minimum_amount?: number
  maximum_amount?: number
  recurring_enabled?: boolean
  installment_payment_enabled?: boolean
}
type Enabled = { payment_method: string; payment_method_types?: MethodType[] }

export const accepts = (rule: Accepted | undefined, value: string | null): boolean =>
  !rule || value === null || rule.type === 'all_accepted' || (rule.list ?? []).includes(value) === (rule.type === 'enable_only')

/** Stands for a list that does not name the method at all. */
export const NOT_ENABLED: MethodType = { payment_method_type: '' }
const ANY = [null]
const NOTHING = [NOT_ENABLED]

/**
 * What the account is enabled for of this method, which may be named more than once. No list at all means everything
 * that the connector has; and no list is about what is paid out to.
 */
export function typesEnabled(
  account: ConnectorAccount,
  routingContext: Pick<RoutingContext, 'payment_method' | 'transaction'>,
): readonly (MethodType | null)[] {
  if (routingContext.transaction === 'payout') return ANY
  const enabled = account.details.payment_methods_enabled as Enabled[] | null | undefined
  if (!enabled) return ANY
  const types = enabled.filter(one => one.payment_method === routingContext.payment_method).flatMap(one => one.payment_method_types ?? ANY)
  return types.length > 0 ? types : NOTHING
}
