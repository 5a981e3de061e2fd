import { draw } from './draw.ts'
import type { SuccessConfig } from './dynamic.ts'
import type { AccountHealth } from './health.ts'

/** Pure: random draws follow from names. */

/**
 * The best rate first; equal rates keep their order, or take turns by a random draw. `exploration` percent of the
 * payments try a randomly drawn account first, because a rate changes only if payments are sent to the account. `lot`:
 * the name for the draws.
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

/** Accounts that are down stay at the end as a last resort. */
export function downLast<A>(accounts: readonly A[], of: (account: A) => AccountHealth): readonly A[] {
  const isDown = (account: A) => of(account).breaker === 'open'
  return accounts.some(isDown) ? [...accounts.filter(account => !isDown(account)), ...accounts.filter(isDown)] : accounts
}
