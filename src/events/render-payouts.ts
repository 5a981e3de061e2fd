import { rowAt } from '../database/past-row.ts'
import { findOperationsOf, type Operation, operations } from '../operations/operation.ts'
import { findPayout, PAYOUT, type Payout, payouts } from '../payouts/payout.ts'
import { showPayout } from '../show/payout.ts'
import { eventBase, eventRenderer } from './event-renderer.ts'

export const payoutEvents = eventRenderer<Payout, Map<string, Operation[]>>({
  table: payouts,
  beside: ({ context, merchant }, ids) => findOperationsOf(context, merchant.merchant_id, PAYOUT, ids),
  payloadOf({ merchant, publicUrl }, now, all, change, asked) {
    const payout = rowAt(payouts, now, payouts, all, change.version)!
    const then = (asked.get(now.payout_id) ?? [])
      .map(one => rowAt(operations, one, payouts, all, change.version))
      .filter(one => one !== null)
    return {
      ...eventBase(change, payout.profile_id, payout.request.platform_merchant_id ?? null),
      object: showPayout(merchant, payout, { publicUrl, audience: 'server', operations: then }),
      status: payout.status,
    }
  },
  listedBy: findPayout,
})
