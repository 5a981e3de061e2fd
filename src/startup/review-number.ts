import { HOUR_MS, later } from '../base/time.ts'
import type { Context, Row, RowChange, Time } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { scheduledJob } from '../database/due.ts'
import type { JobContext } from '../operations/verb.ts'
import { isFollowedUp } from '../payments/authorization/follow-ups.ts'
import { numberNeededUntil } from '../payments/authorization/number-needed.ts'
import { payments } from '../payments/payment.ts'
import { findPayment } from '../payments/rows.ts'
import { findPayout, payouts } from '../payouts/payout.ts'
import { recipientNeededUntil } from '../payouts/recipient.ts'
import { vaultRecords } from '../vault/records.ts'
import {
  dueReviews,
  forgetNumbersOf,
  forgetOwnerless,
  hasNumber,
  OF_MERCHANT,
  reviewAgain,
  reviewed,
  type VaultReview,
  vaultReviews,
} from '../vault/reviews.ts'

/** When a number that is still needed is looked at again. */
const AGAIN_MS = HOUR_MS

/** The family of the numbers of payouts; all others are of payments. */
const RECIPIENT = 'recipient'

/**
 * Deletes a payment's or payout's number from the vault once nothing needs it (PCI DSS 3.2.1), as a change of its
 * owner: a concurrent confirm that would use it conflicts, and is planned anew.
 */
export const reviewNumber = scheduledJob(
  dueReviews,
  async ({ plain: context, cardNumberHours }: JobContext & { plain: Context; cardNumberHours: number }, review) => {
    if (review.family === OF_MERCHANT) {
      if (await forgetNumbersOf(context, review.merchant_id)) await reviewed(context, review)
      else await reviewAgain(context, review, context.now())
      return
    }
    if (!(await hasNumber(context, review))) return reviewed(context, review)
    const owner = await ownerOf(context, review, cardNumberHours * HOUR_MS)
    if (!owner) {
      await forgetOwnerless(context, review)
      return reviewed(context, review)
    }
    const now = context.now()
    if (owner.until === null) return reviewAgain(context, review, later(now, AGAIN_MS))
    if (owner.until > now) return reviewAgain(context, review, owner.until)
    const { merchant_id, family, object_id } = review
    const rows: RowChange[] = [
      { table: vaultRecords.name, before: { merchant_id, record: `${family} ${object_id}` }, after: null },
      { table: vaultReviews.name, before: review, after: null },
    ]
    const { head, before } = owner
    const written = await context.commit(changeTo(context, head, { before, after: { ...before } }, 'number_deleted', { rows }))
    // A concurrent change may be a confirm that needs the number.
    if (written.is !== 'written') await reviewAgain(context, review, now)
  },
)

/** The owner of a number as read, and the time until which it needs the number; null: not known yet. */
type Owner = { head: string; before: Row; until: Time | null }

async function ownerOf(context: Context, { merchant_id, family, object_id }: VaultReview, hours_ms: number): Promise<Owner | null> {
  if (family === RECIPIENT) {
    const before = await findPayout(context, merchant_id, object_id)
    return before ? { head: payouts.name, before, until: recipientNeededUntil(before, hours_ms) } : null
  }
  const before = await findPayment(context, merchant_id, object_id)
  if (!before) return null
  const until = numberNeededUntil(before, hours_ms)
  // The card of an approved payment is saved first.
  const isSavedLater = until !== null && until <= context.now() && (await isFollowedUp(context, before))
  return { head: payments.name, before, until: isSavedLater ? null : until }
}
