import { begun } from '../operations/open.ts'
import type { Call } from '../operations/verb.ts'
import { checkMaker, checkSecondPerson } from '../users/second-person.ts'
import { begin, moved } from './begin-on-payout.ts'
import { checkPayable, checkRecipient, checkSame, refuseStatus } from './check.ts'
import { type Planned, paidOut, recipientOf } from './confirm.ts'
import { allowedStatuses } from './lifecycle.ts'
import type { Payout } from './payout.ts'
import type { ActAsk } from './request-shapes.ts'
import { openPayout } from './send.ts'

/** Refuses (422 IR_06) a fulfill that the payout's status does not allow, and a payout that cannot be paid out. */
export function checkFulfillPayout(payout: Payout): void {
  if (!allowedStatuses.fulfill.includes(payout.status)) refuseStatus(payout, 'fulfilled', allowedStatuses.fulfill)
  checkPayable(payout)
}

/** Sends a confirmed payout. Of two concurrent requests, one does. */
export async function fulfillPayout(call: Call, payout_id: string, ask: ActAsk): Promise<Payout> {
  const { head, plan } = await begin(call, payout_id, async (before): Promise<Planned> => {
    checkSame(before, ask)
    checkFulfillPayout(before)
    await checkMaker(call, payout_id)
    const { profile_id, currency, amount } = before
    checkSecondPerson(call, { subject_kind: 'payout', subject_id: payout_id, profile_id, currency, amount, total: amount })
    const instrument = await recipientOf(call, before)
    await checkRecipient(call, instrument)
    const { payout, operation } = openPayout(call, before)
    return { change: moved(call.context, before, payout, 'sent', { rows: [begun(operation)] }), operation, instrument }
  })
  return paidOut(call, head, plan)
}
