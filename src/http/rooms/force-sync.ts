import { forceSync, whoTellsOnlyLater } from '../../operations/ask.ts'
import type { Call } from '../../operations/verb.ts'
import { ownerOf } from '../../payments/kind.ts'
import type { Payment } from '../../payments/payment.ts'

/** Of which processors nothing could be learnt, because they cannot be asked. Absent where all that was unfinished was asked about. */
export const UNANSWERED = 'force-sync-unanswered'

/** Asks the processor, and says what of it cannot be asked: that is told by webhook, and is not made up here. */
export async function synced(call: Call, payment: Payment): Promise<{ now: Payment; headers: Record<string, string> }> {
  const now = await forceSync(call, payment, ownerOf(payment))
  const silent = await whoTellsOnlyLater(call.world, ownerOf(payment))
  return { now, headers: silent.length === 0 ? {} : { [UNANSWERED]: silent.join(', ') } }
}
