import { refuse } from '../base/refusal.ts'
import { between } from '../base/time.ts'
import { connectors } from '../connectors/all.ts'
import { offerOf } from '../connectors/offer.ts'
import type { SplitBack } from '../connectors/split.ts'
import type { Context } from '../context.ts'
import { needAmount, needVerb } from '../payments/authorization/open-authorization.ts'
import { checkSum, splitNameOf } from '../payments/authorization/split.ts'
import { checkSplitRefunds, type SplitRefunds } from '../payments/fields/split.ts'
import { allowedStatuses } from '../payments/lifecycle.ts'
import type { Payment } from '../payments/payment.ts'
import { type RefundBody, SMALLEST_REFUND } from './refund.ts'

/** The ecosystem's limit: a payment that already has more than this number of refunds allows no further refund. */
const MOST_REFUNDS = 10
const OLDEST_DAYS = 365

function gone({ amount_received, amount_refunded, amount_refunding, amount_disputed }: Payment): string {
  const parts = [
    [amount_refunded, 'are refunded already'],
    [amount_refunding, 'are being refunded'],
    [amount_disputed, 'are disputed by the customer at their bank, and kept back for that'],
  ] as const
  const used = parts.filter(([amount]) => amount > 0).map(([amount, label]) => `${amount} ${label}`)
  return [` of ${amount_received} captured`, ...used].join(', ')
}

export const leftToRefund = (payment: Payment): number =>
  Math.max(0, payment.amount_received - payment.amount_refunded - payment.amount_refunding - payment.amount_disputed)

/** Returns the amount to refund. Refuses a refund that the payment, its amounts or its processor do not allow. */
export function checkRefund(context: Pick<Context, 'now'>, payment: Payment, ask: Pick<RefundBody, 'amount'>): number {
  const amount = amountToRefund(context, payment, ask)
  needVerb(payment, 'refund')
  needRefundable(payment)
  needAmount(payment, 'amount', amount)
  return amount
}

/** Refuses (IR_20) a payment method that its processor does not refund. */
function needRefundable(payment: Payment): void {
  const connector = payment.connector ?? ''
  const { payment_method, payment_method_type } = payment.request
  const offer = offerOf(connectors[connector]?.accepts, payment_method ?? null, payment_method_type ?? null)
  if (offer?.refunds === false) refuse('flow_not_supported', { flow: `refund of ${payment_method_type}`, connector })
}

/** Returns the amount to refund. Every limit is a comparison of columns of the payment's row. */
function amountToRefund(context: Pick<Context, 'now'>, payment: Payment, ask: Pick<RefundBody, 'amount'>): number {
  if (!allowedStatuses.refund.includes(payment.status))
    refuse('wrong_state', {
      flow: 'refund',
      field: 'status',
      value: payment.status,
      expected: ['succeeded', 'partially_captured'],
      explained: `A payment can be refunded while its status is ${allowedStatuses.refund.join(', ')}`,
    })
  if (payment.alone !== null)
    refuse('precondition', {
      problem: 'This payment cannot be refunded: it is being cancelled after capture (state_metadata.post_capture_void)',
    })
  if (between(payment.created, context.now()) > OLDEST_DAYS * 86_400_000)
    refuse('malformed', { field: 'created_at', expected: `a payment of the last ${OLDEST_DAYS} days` })
  const amount = ask.amount ?? payment.amount_received
  const left = leftToRefund(payment)
  if (amount < SMALLEST_REFUND) {
    const rest = left < SMALLEST_REFUND ? `; the ${left} that are left of this payment cannot be refunded` : ''
    refuse('malformed', { field: 'amount', expected: `at least ${SMALLEST_REFUND}${rest}` })
  }
  if (payment.refund_count > MOST_REFUNDS) refuse('too_many_refunds', { limit: MOST_REFUNDS + 1 })
  if (amount > left) refuse('refund_too_large', { amount, left, of: gone(payment) })
  return amount
}

export function checkReason(connector: string, reason: string | undefined): void {
  const known = connectors[connector]?.accepts.refund_reasons
  if (reason === undefined || !known || known.includes(reason)) return
  refuse('invalid_value', { field: 'reason', problem: `must be one of ${known.join(', ')} for ${connector}` })
}

/** Returns the shares that a refund takes back, as its processor receives them; null for a refund without a split. */
export function splitBackOf(given: SplitRefunds | null): SplitBack | null {
  if (given?.stripe_split_refund) {
    const { revert_transfer = false, revert_platform_fee = false } = given.stripe_split_refund
    return { is: 'stripe', reverse_transfer: revert_transfer, refund_application_fee: revert_platform_fee }
  }
  return given?.adyen_split_refund ? { is: 'adyen', items: given.adyen_split_refund.split_items } : null
}

/** Refuses (IR_07) shares of a payment that was not split this way, (IR_16) shares that miss the amount. */
export function checkSplitBack({ request }: Payment, amount: number, given: SplitRefunds | undefined): void {
  if (given === undefined) return
  checkSplitRefunds('split_refunds', given)
  const back = splitBackOf(given)!
  const split = splitNameOf(request)
  if (back.is !== split)
    refuse('invalid_value', {
      field: 'split_refunds',
      problem: split === null ? 'the payment was not split (split_payments)' : `the payment was split with ${split}`,
    })
  if (back.is === 'adyen') checkSum('split_refunds.adyen_split_refund.split_items', back.items, amount)
}
