import { later } from '../base/time.ts'
import type { Context, Reads } from '../context.ts'
import { claimed } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { table, text, time } from '../database/table.ts'

/**
 * When the numbers in the vault are looked at: is the number of this payment or payout still needed? A trigger writes
 * the row with each number, except of saved payment methods; it goes with the number. `family` and `object_id` are the
 * record's name; the family `merchant` is all numbers of a deleted merchant (docs/design/cards.md).
 */
export const vaultReviews = table('vault_reviews', {
  pointer: true,
  key: ['merchant_id', 'family', 'object_id'],
  columns: { merchant_id: text(), family: text(), object_id: text(), review_at: time().unrecorded() },
})
export type VaultReview = { merchant_id: string; family: string; object_id: string }

export const OF_MERCHANT = 'merchant'

const LEASE_MS = 60_000

export const dueReviews = claimed(vaultReviews, { when: 'review_at', lease_ms: LEASE_MS, gives: ['merchant_id', 'family', 'object_id'] })

const isThere = statement('reviewed_number', 'select 1 from vault_records where merchant_id = $1 and record = $2')
const postpone = statement(
  'postpone_vault_review',
  'update vault_reviews set review_at = $4 where merchant_id = $1 and family = $2 and object_id = $3',
)
/** A number that was stored meanwhile has set the time of its own review, beyond the lease. */
const done = statement(
  'vault_review_done',
  'delete from vault_reviews where merchant_id = $1 and family = $2 and object_id = $3 and review_at <= $4',
)
const forgetOne = statement('forget_number_without_owner', 'delete from vault_records where merchant_id = $1 and record = $2')

export const hasNumber = async ({ query }: Reads, { merchant_id, family, object_id }: VaultReview): Promise<boolean> =>
  (await query(isThere, [merchant_id, `${family} ${object_id}`])).length > 0

export const reviewAgain = async ({ query }: Reads, { merchant_id, family, object_id }: VaultReview, at: string): Promise<void> =>
  void (await query(postpone, [merchant_id, family, object_id, at]))

export const reviewed = async (
  { query, now }: Pick<Context, 'query' | 'now'>,
  { merchant_id, family, object_id }: VaultReview,
): Promise<void> => void (await query(done, [merchant_id, family, object_id, later(now(), LEASE_MS)]))

export const forgetOwnerless = async ({ query }: Reads, { merchant_id, family, object_id }: VaultReview): Promise<void> =>
  void (await query(forgetOne, [merchant_id, `${family} ${object_id}`]))

const AT_ONCE = 1000

const forgetAll = statement(
  'forget_numbers_of_merchant',
  `delete from vault_records where merchant_id = $1 and record in (select record from vault_records where merchant_id = $1 limit ${AT_ONCE}) returning 1`,
)
const forgetCodes = statement('forget_codes_of_merchant', 'delete from waiting_cvcs where merchant_id = $1')

/** Also those of saved payment methods. Returns whether none is left. */
export async function forgetNumbersOf({ query }: Reads, merchant_id: string): Promise<boolean> {
  await query(forgetCodes, [merchant_id])
  return (await query(forgetAll, [merchant_id])).length < AT_ONCE
}
