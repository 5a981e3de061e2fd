import type { Merchant } from '../accounts/merchant.ts'
import { Refusal } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { checkCancel } from '../payments/actions/cancel-payment.ts'
import { checkCancelPostCapture } from '../payments/actions/cancel-post-capture.ts'
import { checkCapture, mostToCapture } from '../payments/actions/capture-payment.ts'
import { checkExpireSession } from '../payments/actions/expire-session.ts'
import { checkExtend } from '../payments/actions/extend-authorization.ts'
import { checkIncrementable } from '../payments/actions/increment-authorization.ts'
import { checkRelease } from '../payments/actions/release-payment.ts'
import { checkAnnotatable } from '../payments/actions/update-metadata.ts'
import { checkUpdatable } from '../payments/actions/update-payment.ts'
import { checkConfirmable } from '../payments/authorization/retry-target.ts'
import type { Payment } from '../payments/payment.ts'
import { checkCancelPayout } from '../payouts/cancel.ts'
import { checkConfirmPayout } from '../payouts/confirm.ts'
import { checkFulfillPayout } from '../payouts/fulfill.ts'
import type { Payout } from '../payouts/payout.ts'
import { route } from '../payouts/routing.ts'
import { checkUpdatePayout } from '../payouts/update.ts'
import { checkRefund, leftToRefund } from '../refunds/check.ts'
import { SMALLEST_REFUND } from '../refunds/refund.ts'
import { checkMaker } from '../users/second-person.ts'

type Asked = { context: Pick<Context, 'now'>; merchant: Merchant; payment: Payment }

/** Each with the check by which the operation itself refuses. `most`: the largest amount, of actions that take one. */
const actions = {
  update: { check: ({ payment }) => checkUpdatable(payment) },
  update_metadata: { check: ({ payment }) => checkAnnotatable(payment) },
  confirm: { check: ({ context, merchant, payment }) => checkConfirmable(merchant, payment, context.now()) },
  capture: {
    check: ({ payment }) => checkCapture(payment, { amount_to_capture: Math.max(1, mostToCapture(payment)) }),
    most: mostToCapture,
  },
  cancel: { check: ({ payment }) => checkCancel(payment) },
  release: { check: ({ payment }) => checkRelease(payment) },
  incremental_authorization: { check: ({ payment }) => checkIncrementable(payment) },
  extend_authorization: { check: ({ payment }) => checkExtend(payment) },
  expire_session: { check: ({ context, payment }) => checkExpireSession(payment, context.now()) },
  cancel_post_capture: { check: ({ payment }) => checkCancelPostCapture(payment) },
  refund: {
    check: ({ context, payment }) => checkRefund(context, payment, { amount: Math.max(SMALLEST_REFUND, leftToRefund(payment)) }),
    most: leftToRefund,
  },
} as const satisfies Record<string, { check(asked: Asked): unknown; most?(payment: Payment): number }>

export const actionNames = Object.keys(actions) as (keyof typeof actions)[]

export function showActions(asked: Asked): Record<string, unknown>[] {
  const { currency } = asked.payment
  return Object.entries<{ check(asked: Asked): unknown; most?(payment: Payment): number }>(actions).map(([action, { check, most }]) => {
    const { allowed, ...why } = whether(refusalOf(() => check(asked)))
    const at_most = allowed && most ? most(asked.payment) : null
    return { action, allowed, at_most, currency: at_most === null ? null : currency, ...why }
  })
}

type PayoutAsked = Parameters<typeof checkMaker>[0] & { merchant: Merchant; payout: Payout }

const payoutActions = {
  update: ({ payout }) => checkUpdatePayout(payout),
  confirm: ({ payout }) => checkConfirmPayout(payout),
  fulfill: async call => {
    checkFulfillPayout(call.payout)
    route(call.merchant, call.payout)
    await checkMaker(call, call.payout.payout_id)
  },
  cancel: ({ payout }) => checkCancelPayout(payout),
} as const satisfies Record<string, (asked: PayoutAsked) => unknown>

export const payoutActionNames = Object.keys(payoutActions) as (keyof typeof payoutActions)[]

export const showPayoutActions = (asked: PayoutAsked): Promise<Record<string, unknown>[]> =>
  Promise.all(
    Object.entries<(asked: PayoutAsked) => unknown>(payoutActions).map(async ([action, check]) => {
      const refusal = await (async () => check(asked))().then(() => null, refusalIn)
      return { action, ...whether(refusal) }
    }),
  )

function whether(refusal: Refusal | null): { allowed: boolean; code: string | null; words: string | null } {
  return { allowed: refusal === null, code: refusal?.entry.code ?? null, words: refusal && (refusal.why ?? refusal.message) }
}

function refusalOf(check: () => unknown): Refusal | null {
  try {
    check()
    return null
  } catch (error) {
    return refusalIn(error)
  }
}

function refusalIn(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}
