import { type ConnectorAccount, findConnectorAccount, type Merchant } from '../accounts/merchant.ts'
import type { ProfileRoutingRow } from '../accounts/routing.ts'
import { millisecondsOf } from '../base/time.ts'
import type { Time } from '../context.ts'
import type { Choice } from '../routing/algorithm.ts'
import type { NumberedAlgorithm } from '../routing/change.ts'
import type { Routed } from '../routing/decide.ts'
import { unknownHealth } from '../routing/dynamic/dynamic-routing.ts'
import { whyIneligible } from '../routing/eligible.ts'
import type { Activation } from '../routing/history.ts'
import { keys, valueTypes } from '../routing/keys.ts'
import type { RoutingContext } from '../routing/routing-context.ts'
import type { RuleEvaluated } from '../routing/rule-evaluate.ts'

/** Since 1970: the ecosystem's form of times in routing. */
const seconds = (time: Time): number => Math.floor(millisecondsOf(time) / 1000)

export const showKeys = () =>
  Object.entries(keys).map(([name, key]) => ({
    name,
    is: key.is,
    value_types: valueTypes[key.is],
    values: 'words' in key ? key.words : null,
    expected: 'expected' in key ? key.expected : null,
  }))

/** In lists and after changes. */
export const showRecord = (row: NumberedAlgorithm): Record<string, unknown> => ({
  id: row.algorithm_id,
  profile_id: row.profile_id,
  name: row.name,
  version: row.number,
  kind: row.algorithm_kind,
  description: row.description,
  created_at: seconds(row.created),
  modified_at: seconds(row.created),
  algorithm_for: row.algorithm_for,
  decision_engine_routing_id: null,
})

export const showAlgorithm = (row: NumberedAlgorithm): Record<string, unknown> => ({
  id: row.algorithm_id,
  profile_id: row.profile_id,
  name: row.name,
  version: row.number,
  description: row.description,
  algorithm: row.algorithm,
  created_at: seconds(row.created),
  modified_at: seconds(row.created),
  algorithm_for: row.algorithm_for,
})

export const showActivation = ({ algorithm: { algorithm_id, name, number }, ...activation }: Activation) => ({
  routing_algorithm_id: algorithm_id,
  name,
  version: number,
  ...activation,
})

const named = (merchant: Merchant, merchant_connector_id: string) => ({
  connector: findConnectorAccount(merchant, merchant_connector_id)?.connector_name ?? null,
  merchant_connector_id,
})

/** `routingContext`: set if the reasons are shown in full. */
export function showRouted(merchant: Merchant, routed: Routed, routingContext?: RoutingContext): Record<string, unknown> {
  const { approach, algorithm_id, rule, order, chosen = [], left_out = {}, dynamic } = routed
  return {
    approach,
    algorithm_id: algorithm_id ?? null,
    rule: rule ?? null,
    ranked: dynamic?.ranked ?? false,
    explored: dynamic?.explored ?? false,
    connectors: order.map(id => ({
      ...named(merchant, id),
      chosen: chosen.includes(id),
      contract: null,
      ...(dynamic?.health[id] ?? unknownHealth),
    })),
    left_out: Object.entries(left_out).map(([id, reason]) => ({
      ...named(merchant, id),
      reason,
      ...(routingContext && { message: `${id} ${whyIneligible(reason, routingContext)}` }),
    })),
  }
}

/** In the words of the ecosystem's decision service. */
export function showGateways(merchant: Merchant, { approach, order, dynamic }: Routed): Record<string, unknown> {
  const names = order.map(id => findConnectorAccount(merchant, id)?.connector_name ?? null)
  return {
    decided_gateway: names[0] ?? null,
    gateway_priority_map: Object.fromEntries(order.map((id, i) => [`${names[i]}:${id}`, (order.length - i) / order.length])),
    routing_approach: dynamic?.ranked ? 'SR_SELECTION' : approach === 'default' ? 'DEFAULT' : 'PRIORITY_LOGIC',
  }
}

/** In the words of the ecosystem's decision service. */
export function showRuleEvaluated({ rule, selection, evaluated, eligible }: RuleEvaluated): Record<string, unknown> {
  const gateway = ({ connector, merchant_connector_id }: Choice) => ({ gateway_name: connector, gateway_id: merchant_connector_id })
  const { type, data } = selection
  return {
    status: rule === null ? 'default_selection' : 'success',
    rule,
    output:
      type === 'priority'
        ? { type, connectors: data.map(gateway) }
        : { type, splits: data.map(({ connector, split }) => ({ connector: gateway(connector), split })) },
    evaluated_output: showChoices(evaluated),
    eligible_connectors: showChoices(eligible),
  }
}

export const showChoices = (order: readonly ConnectorAccount[]) =>
  order.map(({ connector_name, merchant_connector_id }) => ({ connector: connector_name, merchant_connector_id }))

export const showDynamic = (row: ProfileRoutingRow | undefined): Record<string, unknown> => ({
  success_based: row?.success_based?.enabled ?? 'none',
  contract_based: row?.contract_based?.enabled ?? 'none',
  elimination: row?.elimination?.enabled ?? 'none',
  split: row?.dynamic_share ?? 100,
})
