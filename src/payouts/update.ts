import { may } from '../base/lifecycle.ts'
import { refuse } from '../base/refusal.ts'
import type { UseCaseCall } from '../payments/services.ts'
import { checkSame, refuseStatus } from './check.ts'
import { confirmPayout } from './confirm.ts'
import { allowedStatuses, lifecycle } from './lifecycle.ts'
import { moved, type Payout } from './payout.ts'
import { changePayout, planPayout } from './plan.ts'
import type { UpdatePayoutBody } from './request-shapes.ts'
import { type PayoutCaller, termsOf, wantedBy } from './terms.ts'

/** Members that can change once the payout is on its way: notes, which no processor gets, and its own names. */
const harmlessMembers: readonly string[] = ['metadata', 'merchant_order_reference_id', 'payout_id', 'merchant_id', 'client_secret']

export function checkUpdatePayout(payout: Payout): void {
  if (!(allowedStatuses.update as readonly string[]).includes(payout.status)) refuseStatus(payout, 'updated', allowedStatuses.update)
}

/** Updates a payout; `confirm: true` confirms it too. Once it is on its way, only notes can be changed. */
export async function updatePayout(
  call: UseCaseCall,
  payout_id: string,
  ask: UpdatePayoutBody,
  caller: PayoutCaller = 'server',
): Promise<Payout> {
  if (ask.confirm === true) {
    const { confirm: _confirm, ...rest } = ask
    return confirmPayout(call, payout_id, rest, caller)
  }
  const terms = termsOf(call, ask, caller)
  return changePayout(call, payout_id, before => {
    checkSame(before, ask)
    checkUpdatePayout(before)
    const wanted = wantedBy(call.merchant, before, terms)
    if (!may(lifecycle, before.status, 'noted')) return planPayout(call, before, wanted, terms, caller, false)
    for (const name of Object.keys(ask))
      if (!harmlessMembers.includes(name))
        refuse('unacceptable', { field: name, problem: 'can no longer be changed: the payout has been sent' })
    return { change: moved(call.context, before, wanted, 'noted') }
  })
}
