import { after, may } from '../base/lifecycle.ts'
import { claimed, scheduledJob } from '../database/due.ts'
import type { JobContext } from '../operations/verb.ts'
import { lifecycle } from './lifecycle.ts'
import { findPayout, moved, type Payout, payouts } from './payout.ts'

/** Payouts whose session has ended before they were confirmed. */
const payoutSessions = claimed(payouts, { when: 'expire_at', gives: ['merchant_id', 'payout_id'] })

/** Expires an unconfirmed payout whose session has ended. A concurrent confirm or cancel has removed its job. */
async function expirePayout(
  { context }: Pick<JobContext, 'context'>,
  { merchant_id, payout_id }: Pick<Payout, 'merchant_id' | 'payout_id'>,
): Promise<void> {
  const before = await findPayout(context, merchant_id, payout_id)
  // A payout whose session was prolonged meanwhile falls due again when that ends.
  if (!before || before.expires_on > context.now() || !may(lifecycle, before.status, 'session_ended')) return
  const expired = { ...before, status: after(lifecycle, before.status, 'session_ended'), expire_at: null }
  await context.commit(moved(context, before, expired, 'session_ended', { announces: 'payout_expired' }))
}

export const payoutJobs = { sessionEnd: scheduledJob(payoutSessions, expirePayout) }
