import type { Merchant } from '../accounts/merchant.ts'
import { findProfileRouting, type ProfileRoutingRow, profileRouting, type RoutingAlgorithmRow } from '../accounts/routing.ts'
import { refuse } from '../base/refusal.ts'
import type { Context, RowChange, Time } from '../context.ts'
import { changeTo } from '../database/change-to.ts'

const TRIES = 3

export type RoutingCall = { context: Context; merchant: Merchant }

/** Each algorithm of a name replaces the previous one. */
export type NumberedAlgorithm = RoutingAlgorithmRow & { number: number }

export type ShowAlgorithm<T> = (row: NumberedAlgorithm) => T

export const unsaid = (merchant_id: string, profile_id: string, now: Time): ProfileRoutingRow => ({
  merchant_id,
  profile_id,
  version: 1,
  payment_algorithm: null,
  fallback: [],
  payout_algorithm: null,
  payout_fallback: [],
  success_based: null,
  contract_based: null,
  elimination: null,
  dynamic_share: 100,
  reason: null,
  modified_at: now,
})

export type RoutingChange<T> = { set: Partial<ProfileRoutingRow>; rows?: RowChange[]; answer: T }

/**
 * `plan` receives the current row and may refuse; after a concurrent change it is called again, up to three times in
 * all. `type`: the name of the change in the history.
 */
export async function changeRouting<T>(
  { context, merchant: { merchant_id } }: RoutingCall,
  profile_id: string,
  type: string,
  plan: (row: ProfileRoutingRow) => RoutingChange<T> | Promise<RoutingChange<T>>,
): Promise<T> {
  for (let i = 0; i < TRIES; i++) {
    const before = (await findProfileRouting(context, merchant_id, profile_id)) ?? null
    const row = before ?? unsaid(merchant_id, profile_id, context.now())
    const { set, rows = [], answer } = await plan(row)
    const after = { ...row, ...set, modified_at: context.now() }
    const written = await context.commit(changeTo(context, profileRouting.name, { before, after }, type, { rows, answer }))
    if (written.is === 'written') return answer
  }
  return refuse('busy')
}
