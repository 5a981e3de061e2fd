import { draw } from './draw.ts'
import type { SuccessConfig } from './dynamic.ts'
import type { AccountHealth } from './health.ts'

/** The ranking of accounts by their health. Pure: random draws follow from names. */

/**
 * Sorts accounts by their success rate, the best first. Accounts with equal rates keep their order, or take turns by a
 * random draw. `exploration` percent of the payments try a randomly drawn account first, because the rate of an
 * account changes only if payments are sent to it. `lot`: the name for the draws.
 */
export function bySuccess<A extends { merchant_connector_id: string }>(
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

/** Moves accounts that are down to the end of the order. They stay in it as a last resort. */
export function downLast<A>(accounts: readonly A[], of: (account: A) => AccountHealth): readonly A[] {
  const isDown = (account: A) => of(account).breaker === 'open'
  return accounts.some(isDown) ? [...accounts.filter(account => !isDown(account)), ...accounts.filter(isDown)] : accounts
}
