import type { Merchant } from '../accounts/merchant.ts'
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
import { checkConfirmable } from '../payments/authorization/retries.ts'
import type { Payment } from '../payments/payment.ts'
import { checkRefund, leftToRefund } from '../refunds/check.ts'
import { SMALLEST_REFUND } from '../refunds/refund.ts'
import { showWhether } from './refused.ts'

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
    const { allowed, ...why } = showWhether(() => check(asked))
    const at_most = allowed && most ? most(asked.payment) : null
    return { action, allowed, at_most, currency: at_most === null ? null : currency, ...why }
  })
}
