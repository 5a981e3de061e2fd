import type { ConnectorAccount } from '../accounts/merchant.ts'
import type { RoutingContext } from './routing-context.ts'

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

/** Stands for a list without the method. */
export const NOT_ENABLED: MethodType = { payment_method_type: '' }
const ANY = [null]
const NOTHING = [NOT_ENABLED]

/** A method may be listed more than once; without a list all are enabled. The list does not apply to payouts. */
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
