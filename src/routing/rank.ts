import { draw } from './draw.ts'
import type { SuccessConfig } from './dynamic.ts'
import type { AccountHealth } from './health.ts'

/** What is known of the accounts, turned into an order. Pure: lots are drawn by names. */

/**
 * The best rate first; what is equal stays as it was, or takes turns by lot. Of a hundred payments, `exploration` go
 * first to one that is drawn instead, so that what was bad once is seen to be better: only by being tried does a rate
 * change.
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

/** Accounts that are down after all others: they are still better than none. */
export function downLast<A>(accounts: readonly A[], of: (account: A) => AccountHealth): readonly A[] {
  const isDown = (account: A) => of(account).breaker === 'open'
  return accounts.some(isDown) ? [...accounts.filter(account => !isDown(account)), ...accounts.filter(isDown)] : accounts
}
