import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { forgetAnswersOfNothing } from '../database/claims.ts'
import { statement } from '../database/statement.ts'
import { OF_MERCHANT, vaultReviews } from '../vault/reviews.ts'
import { move, needMerchant } from './rows.ts'

/** Passed in by a module that knows operations at processors. `accounts`: only those of these connector accounts. */
export type HasUnfinished = (context: Context, merchant_id: string, accounts?: readonly string[]) => Promise<boolean>

export const refuseUnfinished = (what: string): never =>
  refuse('precondition', {
    problem: `Some processor operations are still in progress; the ${what} can be deleted once they have completed`,
  })

const forgetAnswersOfCustomers = statement(
  'forget_answers_about_customers',
  "update idempotency_keys set status = null, answer = null where merchant_id = $1 and kind = 'customer' and answer is not null",
)

/**
 * The keys become invalid everywhere within a second. The rows stay, so that operations that have begun go on, and the
 * id stays taken; the numbers of its cards and stored answers about its customers do not stay.
 */
export async function deleteMerchant(context: Context, merchant_id: string, hasUnfinished: HasUnfinished) {
  const deleted = await move(context, 'merchants', 'deleted', async () => {
    const before = await needMerchant(context, merchant_id)
    if (await hasUnfinished(context, merchant_id)) refuseUnfinished('merchant account')
    const now = context.now()
    // The saved cards of a deleted merchant cannot be charged: all its numbers go.
    const review = { merchant_id, family: OF_MERCHANT, object_id: merchant_id, review_at: now }
    const rows = [{ table: vaultReviews.name, before: null, after: review }]
    return { before, after: { ...before, deleted_at: now }, rows, answer: { merchant_id, deleted: true } }
  })
  for (const forget of [forgetAnswersOfNothing, forgetAnswersOfCustomers]) await context.query(forget, [merchant_id])
  return deleted
}
