import Type from 'typebox'
import { bool, withDescription } from '../../base/shapes.ts'
import type { Owner } from '../../operations/operation.ts'
import { forceSync, webhookOnlyConnectors } from '../../operations/sync.ts'
import type { Call } from '../../operations/verb.ts'
import { ownerOf, type Payment } from '../../payments/payment.ts'

export const forceSyncShape = Type.Optional(withDescription(bool, 'true: sync unfinished operations with the processor first'))

/** The header that names the processors that cannot be queried; absent if all unfinished operations were queried. */
export const UNANSWERED = 'force-sync-unanswered'

/** Queries the processor about a payment's unfinished operations. Results that only come by webhook are not made up. */
export async function synced(call: Call, payment: Payment): Promise<{ now: Payment; headers: Record<string, string> }> {
  const now = await forceSync(call, payment, ownerOf(payment))
  return { now, headers: await whatWasSilent(call, ownerOf(payment)) }
}

export async function whatWasSilent({ context }: Pick<Call, 'context'>, owner: Owner): Promise<Record<string, string>> {
  const silent = await webhookOnlyConnectors(context, owner)
  return silent.length === 0 ? {} : { [UNANSWERED]: silent.join(', ') }
}
