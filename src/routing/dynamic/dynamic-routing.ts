import type { ConnectorAccount } from '../../accounts/merchant.ts'
import type { ProfileRouting } from '../../accounts/routing.ts'
import { draw } from '../draw.ts'
import { contractOf, eliminationOf, type SuccessConfig, successOf } from './config.ts'
import { byContract } from './contract.ts'
import { type AccountHealth, type Health, unknownHealth } from './health.ts'

/** The entry of dynamic routing: other files import nothing else of this folder. Random draws follow from names. */

export { cellParams, type DynamicKind, eliminationShape, kindNamed, successBasedShape } from './config.ts'
export { contractShape } from './contract.ts'
export { type Breaker, type Health, unknownHealth } from './health.ts'
export { type CountVolumes, type HealthMemory, openHealth, type PastAuthorization } from './health-memory.ts'
export type { HealthReport } from './profile-health.ts'
export { createDynamic, enableQuery, setDynamicShare, toggleDynamic, updateDynamic } from './switch.ts'

/**
 * `explored`: the first account was drawn at random to test it. Algorithms that only measure are null. Decisions older
 * than contracts have no `contract_based`. `share`: the percentage of payments that are ranked.
 */
export type DynamicDecision = {
  ranked: boolean
  explored: boolean
  success_based: string | null
  contract_based?: string | null
  elimination: string | null
  share: number
  health: Health
}

/** Unless `mayBeRanked` (a request has its own `routing`), only accounts that are down change their place. */
export function rankDynamically(
  accounts: readonly ConnectorAccount[],
  mayBeRanked: boolean,
  payment_id: string,
  health: Health,
  routing: ProfileRouting,
): { order: readonly ConnectorAccount[]; dynamic: DynamicDecision | null } {
  const of = ({ merchant_connector_id }: ConnectorAccount) => health[merchant_connector_id] ?? unknownHealth
  const [success, contract, elimination] = [successOf(routing), contractOf(routing), eliminationOf(routing)]
  if (!success && !contract && !elimination) return { order: accounts, dynamic: null }
  let order = accounts
  let explored = false
  const inShare = draw(`${payment_id} dynamic`) * 100 < routing.row.dynamic_share
  const mayRank = mayBeRanked && inShare && order.length > 1
  const ranked = success?.decides === true && mayRank
  if (ranked) ({ order, explored } = bySuccess(order, of, success.config, payment_id))
  // Contracts take precedence over success rates.
  if (contract?.decides && mayRank) order = byContract(order, of)
  if (elimination?.decides) order = downLast(order, of)
  return {
    order,
    dynamic: {
      ranked,
      explored,
      success_based: success?.decides ? success.algorithm_id : null,
      ...(contract && { contract_based: contract.decides ? contract.algorithm_id : null }),
      elimination: elimination?.decides ? elimination.algorithm_id : null,
      share: routing.row.dynamic_share,
      health,
    },
  }
}

/**
 * The best rate first; equal rates keep their order, or take turns at random. `exploration` percent of the payments
 * try a random account first, because only payments change a rate. `lot`: the name for the draws.
 */
function bySuccess<A extends { merchant_connector_id: string }>(
  accounts: readonly A[],
  of: (account: A) => AccountHealth,
  { default_rate, exploration, shuffle }: SuccessConfig,
  lot: string,
): { order: readonly A[]; explored: boolean } {
  const lots = shuffle ? new Map(accounts.map(account => [account, draw(`${lot} tie ${account.merchant_connector_id}`)])) : null
  const rate = (account: A) => of(account).success_rate ?? default_rate
  const order = accounts.toSorted((a, b) => rate(b) - rate(a) || (lots ? lots.get(a)! - lots.get(b)! : 0))
  if (draw(`${lot} explore`) * 100 >= exploration) return { order, explored: false }
  const first = order[Math.floor(draw(`${lot} explorer`) * order.length)]!
  return { order: [first, ...order.filter(account => account !== first)], explored: true }
}

/** Accounts that are down stay at the end as a last resort. */
function downLast<A>(accounts: readonly A[], of: (account: A) => AccountHealth): readonly A[] {
  const isDown = (account: A) => of(account).breaker === 'open'
  return accounts.some(isDown) ? [...accounts.filter(account => !isDown(account)), ...accounts.filter(isDown)] : accounts
}
