import { refuse } from '../base/refusal.ts'
import { listByFilters } from '../lists/queries.ts'
import type { Call } from '../operations/verb.ts'
import type { Dispute } from './dispute.ts'
import { listedDisputes } from './list.ts'
import { forceSyncDispute } from './sync.ts'

export const MOST_FETCHED = 20

/** Received in a time range, latest first, each synced. Refuses (IR_07) an account that the merchant does not have. */
export async function fetchDisputes(
  call: Call,
  connector_id: string,
  { fetch_from: start_time, fetch_till: end_time }: { fetch_from: string; fetch_till: string },
  profiles: readonly string[] | null,
): Promise<Dispute[]> {
  const { context, merchant } = call
  const ids = [...merchant.connectorAccounts, ...merchant.inlineAccounts]
    .filter(account => account.merchant_connector_id === connector_id || account.connector_name === connector_id)
    .map(account => account.merchant_connector_id)
  if (ids.length === 0) refuse('invalid_value', { field: 'connector_id', problem: 'is not a connector account of this merchant' })
  const ask = {
    start_time,
    end_time,
    limit: MOST_FETCHED,
    column_predicates: [{ column: 'merchant_connector_id', operator: 'in', value: ids }],
  }
  const { rows } = await listByFilters(context, listedDisputes, { merchant_id: merchant.merchant_id, profiles }, ask)
  return Promise.all(rows.map(async row => (await forceSyncDispute(call, row)).dispute))
}
