import type { Merchant } from '../accounts/merchant.ts'
import { checkCancelPayout } from '../payouts/cancel.ts'
import { checkConfirmPayout } from '../payouts/confirm.ts'
import { checkFulfillPayout } from '../payouts/fulfill.ts'
import type { Payout } from '../payouts/payout.ts'
import { route } from '../payouts/send.ts'
import { checkUpdatePayout } from '../payouts/update.ts'
import { checkMaker } from '../users/second-person.ts'
import { showWhetherLater } from './refused.ts'

type Asked = Parameters<typeof checkMaker>[0] & { merchant: Merchant; payout: Payout }

/** Each with the check by which the operation itself refuses. */
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

export const showPayoutActions = (asked: Asked): Promise<Record<string, unknown>[]> =>
  Promise.all(
    Object.entries<(asked: Asked) => unknown>(actions).map(async ([action, check]) => ({
      action,
      ...(await showWhetherLater(async () => check(asked))),
    })),
  )
