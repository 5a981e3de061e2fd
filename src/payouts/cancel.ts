import { after, may } from '../base/lifecycle.ts'
import { refuse } from '../base/refusal.ts'
import { connectors } from '../connectors/all.ts'
import { openOperation, operationRow } from '../operations/open.ts'
import type { Call } from '../operations/verb.ts'
import { checkSame, refuseStatus } from './check.ts'
import { allowedStatuses, lifecycle } from './lifecycle.ts'
import { moved, ownerOf, type Payout } from './payout.ts'
import { changePayout, type PayoutPlan } from './plan.ts'
import type { ActAsk } from './request-shapes.ts'

/**
 * Cancels a payout: before anything is sent, only in our own row; later at the processor, whose confirmation makes it
 * `cancelled`. Until the processor has confirmed that it has the payout, a cancel is refused: it could arrive first.
 */
export function cancelPayout(call: Call, payout_id: string, ask: ActAsk): Promise<Payout> {
  return changePayout(call, payout_id, before => {
    checkSame(before, ask)
    return planCancel(call, before)
  })
}

/** Refuses (422 IR_06) by status, (HE_00) while another is under way, (IR_20) if the processor has no cancel. */
export function checkCancelPayout(payout: Payout): void {
  if (may(lifecycle, payout.status, 'cancelled')) return
  if (!may(lifecycle, payout.status, 'cancel_sent')) refuseStatus(payout, 'cancelled', allowedStatuses.cancel)
  // Another request is cancelling the payout already.
  if (payout.alone !== null && payout.alone !== payout.payout_n) refuse('busy')
  const connector = payout.connector ?? ''
  if (!connectors[connector]?.cancel_payout) refuse('flow_not_supported', { flow: 'cancel_payout', connector })
}

function planCancel({ context }: Call, before: Payout): PayoutPlan {
  checkCancelPayout(before)
  if (may(lifecycle, before.status, 'cancelled')) {
    const cancelled = { ...before, status: after(lifecycle, before.status, 'cancelled'), expire_at: null }
    return { change: moved(context, before, cancelled, 'cancelled', { announces: 'payout_cancelled' }) }
  }
  const connector = before.connector ?? ''
  const account = { connector_name: connector, merchant_connector_id: before.merchant_connector_id ?? '' }
  const operation = openOperation(context, before, account, {
    ...ownerOf(before),
    verb: 'cancel_payout',
    purpose: 'merchant',
    acts_on: before.payout_n,
    amount: before.amount,
  })
  const sent: Payout = {
    ...before,
    status: after(lifecycle, before.status, 'cancel_sent'),
    alone: operation.n,
    operation_count: operation.n,
    last_error: null,
  }
  return { change: moved(context, before, sent, 'cancel_sent', { rows: [operationRow(operation)] }), operation }
}
