import type { Call } from '../operations/verb.ts'
import { checkMaker, checkSecondPerson } from '../users/second-person.ts'
import { checkPayable, checkSame, refuseStatus } from './check.ts'
import { allowedStatuses } from './lifecycle.ts'
import type { Payout } from './payout.ts'
import { changePayout, planSending } from './plan.ts'
import type { ActAsk } from './request-shapes.ts'

export function checkFulfillPayout(payout: Payout): void {
  if (!allowedStatuses.fulfill.includes(payout.status)) refuseStatus(payout, 'fulfilled', allowedStatuses.fulfill)
  checkPayable(payout)
}

/** Sends a confirmed payout. Of two concurrent requests, one does. */
export async function fulfillPayout(call: Call, payout_id: string, ask: ActAsk): Promise<Payout> {
  return changePayout(call, payout_id, async before => {
    checkSame(before, ask)
    checkFulfillPayout(before)
    await checkMaker(call, payout_id)
    const { profile_id, currency, amount } = before
    checkSecondPerson(call, { subject_kind: 'payout', subject_id: payout_id, profile_id, currency, amount, total: amount })
    return planSending(call, before, before)
  })
}
