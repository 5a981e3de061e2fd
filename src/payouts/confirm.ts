import { may } from '../base/lifecycle.ts'
import { refuse } from '../base/refusal.ts'
import type { UseCaseCall } from '../payments/services.ts'
import { checkSame, statusMessage } from './check.ts'
import { allowedStatuses, lifecycle } from './lifecycle.ts'
import type { Payout } from './payout.ts'
import { changePayout, planPayout } from './plan.ts'
import type { ConfirmPayoutBody } from './request-shapes.ts'
import { type PayoutCaller, type PayoutTerms, termsOf, wantedBy } from './terms.ts'

/** Refuses by IR_16, as existing clients expect. */
export function checkConfirmPayout(payout: Payout): void {
  if (!may(lifecycle, payout.status, 'confirmed'))
    refuse('precondition', { problem: statusMessage(payout, 'confirmed', allowedStatuses.confirm) })
}

/** With or without a payout method. With `auto_fulfill` the payout is sent at once; otherwise it awaits `fulfill`. */
export async function confirmPayout(
  call: UseCaseCall,
  payout_id: string,
  ask: ConfirmPayoutBody,
  caller: PayoutCaller = 'server',
): Promise<Payout> {
  const terms = termsOf(call, ask, caller)
  return changePayout(call, payout_id, before => {
    checkSame(before, ask)
    checkConfirmPayout(before)
    if (caller === 'client') checkBrowser(before, terms)
    return planPayout(call, before, wantedBy(call.merchant, before, terms), terms, caller, true)
  })
}

function checkBrowser(payout: Payout, { columns: { customer_id } }: PayoutTerms): void {
  if (customer_id !== undefined && customer_id !== payout.customer_id)
    refuse('unauthorized', {
      sentence: 'Unauthorised access to update customer',
      problem: 'customer_id cannot be changed with a publishable key',
    })
}
