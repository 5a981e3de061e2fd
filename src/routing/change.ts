import type { Merchant } from '../accounts/merchant.ts'
import { findProfileRouting, type ProfileRoutingRow, profileRouting, type RoutingAlgorithmRow } from '../accounts/routing.ts'
import { refuse } from '../base/refusal.ts'
import type { Context, RowChange, Time } from '../context.ts'
import { changeTo } from '../database/change-to.ts'

const TRIES = 3

/** The merchant whose routing is read or changed, and wherein. */
export type RoutingCall = { context: Context; merchant: Merchant }

/** An algorithm with its number among those of its name, of which each takes the place of the one before. */
export type NumberedAlgorithm = RoutingAlgorithmRow & { number: number }

/** What the caller is shown of an algorithm. */
export type ShowAlgorithm<T> = (row: NumberedAlgorithm) => T

/** What holds for a profile of which nothing was ever said. */
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

/**
 * What a change does: the members of the row that it changes, what is written with it, and what the caller is shown.
 */
export type RoutingChange<T> = { set: Partial<ProfileRoutingRow>; rows?: RowChange[]; answer: T }

/**
 * Changes what holds for a profile. `plan` sees it as it is now and may refuse; after a concurrent change it is
 * called again, up to three times. `type`: what the history calls it.
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
