import type { ConnectorAccount } from '../accounts/merchant.ts'
import type { Decision, DynamicDecision } from './decide.ts'
import type { CheckName } from './eligibility-checks.ts'

/**
 * A decision as stored with its authorization: accounts by their ids, without empty members. `chosen`: the accounts of
 * the order that were selected; the others are the fallback.
 */
export type Routed = {
  approach: Decision['approach']
  algorithm_id?: string
  rule?: string
  order: readonly string[]
  chosen?: readonly string[]
  left_out?: Readonly<Record<string, CheckName>>
  dynamic?: DynamicDecision
}

const idOf = (account: ConnectorAccount): string => account.merchant_connector_id

export function routedOf({ approach, algorithm_id, rule, order, chosen, left_out, dynamic }: Decision): Routed {
  const routed: Routed = { approach, order: order.map(idOf) }
  if (algorithm_id !== null) routed.algorithm_id = algorithm_id
  if (rule !== null) routed.rule = rule
  if (chosen.length > 0) routed.chosen = chosen.map(idOf)
  if (left_out.length > 0) routed.left_out = Object.fromEntries(left_out.map(({ account, check }) => [idOf(account), check]))
  if (dynamic) routed.dynamic = dynamic
  return routed
}
