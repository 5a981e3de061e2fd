import type { Merchant } from '../accounts/merchant.ts'
import { checkCancelPayout } from '../payouts/cancel.ts'
import { checkConfirmPayout } from '../payouts/confirm.ts'
import { checkFulfillPayout } from '../payouts/fulfill.ts'
import type { Payout } from '../payouts/payout.ts'
import { route } from '../payouts/send.ts'
import { checkUpdatePayout } from '../payouts/update.ts'
import { checkMaker } from '../users/second-person.ts'
import { showWhetherLater } from './refused.ts'

/** What a payout's action is checked with; `person`: who asks, if it is one. */
type Asked = Parameters<typeof checkMaker>[0] & { merchant: Merchant; payout: Payout }

/** What a merchant may ask of a payout: each is refused by the check that the operation itself goes by. */
const actions = {
  update: ({ payout }) => checkUpdatePayout(payout),
  confirm: ({ payout }) => checkConfirmPayout(payout),
  fulfill: async call => {
    checkFulfillPayout(call.payout)
    route(call.merchant, call.payout)
    await checkMaker(call, call.payout.payout_id)
  },
  cancel: ({ payout }) => checkCancelPayout(payout),
} as const satisfies Record<string, (asked: Asked) => unknown>

export const payoutActionNames = Object.keys(actions) as (keyof typeof actions)[]

/** What may be asked of a payout now, and why the rest may not. */
export const showPayoutActions = (asked: Asked): Promise<Record<string, unknown>[]> =>
  Promise.all(
    Object.entries<(asked: Asked) => unknown>(actions).map(async ([action, check]) => ({
      action,
      ...(await showWhetherLater(async () => check(asked))),
    })),
  )
