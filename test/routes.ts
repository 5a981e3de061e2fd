import { type ConnectorAccount, connectorAccounts, type Merchant } from '../src/accounts/merchant.ts'
import { merchants } from '../src/accounts/merchant-row.ts'
import {
  type Dynamic,
  type ProfileRouting,
  type ProfileRoutingRow,
  profileRouting,
  type RoutingAlgorithmRow,
  routingAlgorithms,
} from '../src/accounts/routing.ts'
import { exampleOf } from '../src/database/table.ts'
import type { Algorithm } from '../src/routing/algorithm.ts'
import { readAlgorithm } from '../src/routing/read.ts'
import { plainRoutingContext, type RoutingContext } from '../src/routing/routing-context.ts'

/**
 * Input of routing, for tests that need no service: a profile `p` with accounts, and a payment of 12.50 USD by a Visa
 * card.
 */

/** Gives a connector account at the sandbox with this id. */
export const accountOf = (merchant_connector_id: string, more: Partial<ConnectorAccount> = {}): ConnectorAccount => {
  const { sealed: _sealed, ...row } = exampleOf(connectorAccounts, {
    merchant_connector_id,
    profile_id: 'p',
    connector_type: 'payment_processor',
    connector_name: 'phonypay',
  })
  return { ...row, since: null, wallets: {}, account: { base_url: '', credentials: {}, webhook_secret: null, metadata: {} }, ...more }
}

export const routingContext = (more: Partial<RoutingContext> = {}): RoutingContext => ({
  ...plainRoutingContext,
  payment_id: 'pay_1',
  profile_id: 'p',
  amount: 1250,
  currency: 'USD',
  family: 'card',
  payment_method: 'card',
  payment_method_type: 'credit',
  card_network: 'Visa',
  ...more,
})

const rowOf = (algorithm_kind: RoutingAlgorithmRow['algorithm_kind'], algorithm: object, algorithm_id: string): RoutingAlgorithmRow =>
  exampleOf(routingAlgorithms, { algorithm_id, profile_id: 'p', algorithm_kind, algorithm })

type Routing = {
  /** The routing algorithm as a merchant sends it. */
  algorithm?: unknown
  fallback?: readonly string[]
  success_based?: object
  elimination?: object
  contract_based?: object
  enabled?: Dynamic['enabled']
  dynamic_share?: number
}

function routingOf(has: Routing): ProfileRouting {
  const enabled = has.enabled ?? 'dynamic_connector_selection'
  const active = has.algorithm === undefined ? null : readAlgorithm(has.algorithm, ['algorithm'])
  const row: ProfileRoutingRow = exampleOf(profileRouting, {
    profile_id: 'p',
    payment_algorithm: active && 'routing_1',
    fallback: has.fallback ?? [],
    success_based: has.success_based ? { algorithm_id: 'routing_s', enabled } : null,
    contract_based: has.contract_based ? { algorithm_id: 'routing_c', enabled } : null,
    elimination: has.elimination ? { algorithm_id: 'routing_e', enabled } : null,
    dynamic_share: has.dynamic_share ?? 100,
  })
  return {
    row,
    active: active && rowOf((active as Algorithm).type, active, 'routing_1'),
    success_based: has.success_based ? rowOf('dynamic', has.success_based, 'routing_s') : null,
    contract_based: has.contract_based ? rowOf('dynamic', has.contract_based, 'routing_c') : null,
    elimination: has.elimination ? rowOf('dynamic', has.elimination, 'routing_e') : null,
  }
}

/** Gives a merchant with these accounts, and these routing settings of its profile. */
export const merchantOf = (accounts: readonly (ConnectorAccount | string)[], routing: Routing = {}): Merchant => ({
  ...exampleOf(merchants),
  profiles: [],
  connectorAccounts: accounts.map(one => (typeof one === 'string' ? accountOf(one) : one)),
  routing: new Map([['p', routingOf(routing)]]),
  deleted: false,
  former: { profiles: [], connectorAccounts: [] },
  inlineAccounts: [],
  moving: null,
})

/** Gives a routing choice of an account by its id. */
export const choice = (merchant_connector_id: string) => ({ connector: 'phonypay', merchant_connector_id })
export const priority = (...ids: string[]) => ({ type: 'priority', data: ids.map(choice) })
export const split = (...parts: [id: string, split: number][]) => ({
  type: 'volume_split',
  data: parts.map(([id, share]) => ({ connector: choice(id), split: share })),
})
