import type { Reads } from '../context.ts'
import { statement } from '../database/statement.ts'
import { count, int, jsonb, type RowOf, select, table, text, time } from '../database/table.ts'

/** Kept in memory with the merchant, so that a payment needs no query. The module `routing` interprets these rows. */

/** Payments and payouts are routed separately. */
export type TransactionType = 'payment' | 'payout'

/** A row never changes. `algorithm`: as the API defines it (`routing/algorithm.ts`). */
export const routingAlgorithms = table('routing_algorithms', {
  kind: 'routing_algorithm',
  key: ['merchant_id', 'algorithm_id'],
  columns: {
    merchant_id: text(),
    algorithm_id: text(),
    version: count(1),
    profile_id: text().fixed(),
    name: text().fixed(),
    description: text().fixed(),
    algorithm_kind: text<AlgorithmKind>('single').fixed(),
    algorithm_for: text<TransactionType>('payment').fixed(),
    algorithm: jsonb<object>().fixed(),
    created: time().fixed(),
  },
})
export type RoutingAlgorithmRow = RowOf<typeof routingAlgorithms>

export type AlgorithmKind = 'single' | 'priority' | 'volume_split' | 'advanced' | 'dynamic'

/** Whether a kind of dynamic routing selects connectors, only measures, or is off. */
export type Dynamic = { algorithm_id: string; enabled: 'dynamic_connector_selection' | 'metrics' | 'none' }

/**
 * `fallback`: connector accounts in the order in which they are tried without an algorithm; the others follow.
 * `dynamic_share`: the percentage of payments with dynamic routing.
 */
export const profileRouting = table('profile_routing', {
  kind: 'profile_routing',
  cached: true,
  key: ['merchant_id', 'profile_id'],
  columns: {
    merchant_id: text(),
    profile_id: text(),
    version: count(1),
    payment_algorithm: text().orNull(),
    fallback: jsonb<readonly string[]>([]),
    payout_algorithm: text().orNull(),
    payout_fallback: jsonb<readonly string[]>([]),
    success_based: jsonb<Dynamic>().orNull(),
    contract_based: jsonb<Dynamic>().orNull(),
    elimination: jsonb<Dynamic>().orNull(),
    dynamic_share: int(),
    /** Given with the last activation of an algorithm, for payments or payouts. */
    reason: text().orNull(),
    modified_at: time(),
  },
})
export type ProfileRoutingRow = RowOf<typeof profileRouting>

export type ProfileRouting = {
  row: ProfileRoutingRow
  active: RoutingAlgorithmRow | null
  payout_active?: RoutingAlgorithmRow | null
  success_based: RoutingAlgorithmRow | null
  contract_based: RoutingAlgorithmRow | null
  elimination: RoutingAlgorithmRow | null
}

const ofMerchant = statement('profile_routing_of_merchant', select(profileRouting, 'where merchant_id = $1'))
const ofProfile = statement('profile_routing', select(profileRouting, 'where merchant_id = $1 and profile_id = $2'))
const byIds = statement('routing_algorithms_by_id', select(routingAlgorithms, 'where merchant_id = $1 and algorithm_id = any($2::text[])'))

export const findProfileRouting = async (context: Reads, merchant_id: string, profile_id: string): Promise<ProfileRoutingRow | undefined> =>
  (await context.query<ProfileRoutingRow>(ofProfile, [merchant_id, profile_id]))[0]

export const findAlgorithms = (context: Reads, merchant_id: string, algorithm_ids: readonly string[]): Promise<RoutingAlgorithmRow[]> =>
  context.query<RoutingAlgorithmRow>(byIds, [merchant_id, algorithm_ids])

export const findAlgorithm = async (context: Reads, merchant_id: string, algorithm_id: string): Promise<RoutingAlgorithmRow | undefined> =>
  (await context.query<RoutingAlgorithmRow>(byIds, [merchant_id, [algorithm_id]]))[0]

export async function findRouting(context: Reads, merchant_id: string): Promise<ReadonlyMap<string, ProfileRouting>> {
  const rows = await context.query<ProfileRoutingRow>(ofMerchant, [merchant_id])
  const ids = rows.flatMap(row =>
    [
      row.payment_algorithm,
      row.payout_algorithm,
      ...[row.success_based, row.contract_based, row.elimination].map(kind => kind?.algorithm_id),
    ].filter(id => id != null),
  )
  // The algorithms are read after the rows that name them and are never deleted, so all of them are found.
  const named = ids.length === 0 ? [] : await context.query<RoutingAlgorithmRow>(byIds, [merchant_id, ids])
  const find = (id: string | null | undefined) => named.find(one => one.algorithm_id === id) ?? null
  return new Map(
    rows.map(row => [
      row.profile_id,
      {
        row,
        active: find(row.payment_algorithm),
        payout_active: find(row.payout_algorithm),
        success_based: find(row.success_based?.algorithm_id),
        contract_based: find(row.contract_based?.algorithm_id),
        elimination: find(row.elimination?.algorithm_id),
      },
    ]),
  )
}
