import Type from 'typebox'
import { bool, withWords } from '../../base/shapes.ts'
import type { Owner } from '../../operations/operation.ts'
import { forceSync, whoTellsOnlyLater } from '../../operations/sync.ts'
import type { Call } from '../../operations/verb.ts'
import { ownerOf } from '../../payments/kind.ts'
import type { Payment } from '../../payments/payment.ts'

/** Of a query or a body. */
export const forceSyncShape = Type.Optional(withWords(bool, 'true: sync unfinished operations with the processor first'))

/**
 * Of which processors nothing could be learnt, because they cannot be asked. Absent where all that was unfinished was
 * asked about.
 */
export const UNANSWERED = 'force-sync-unanswered'

/** Asks the processor, and says what of it cannot be asked: that is told by webhook, and is not made up here. */
export async function synced(call: Call, payment: Payment): Promise<{ now: Payment; headers: Record<string, string> }> {
  const now = await forceSync(call, payment, ownerOf(payment))
  return { now, headers: await whatWasSilent(call, ownerOf(payment)) }
}

/** The header that names who could not be asked. */
export async function whatWasSilent({ context }: Pick<Call, 'context'>, owner: Owner): Promise<Record<string, string>> {
  const silent = await whoTellsOnlyLater(context, owner)
  return silent.length === 0 ? {} : { [UNANSWERED]: silent.join(', ') }
}
