import { refuse } from '../base/refusal.ts'
import type { SplitBack } from '../connectors/split.ts'
import { checkSum, splitNameOf } from '../payments/authorization/split.ts'
import { checkSplitRefunds, type SplitRefunds } from '../payments/fields/split.ts'
import type { Payment } from '../payments/payment.ts'

/** Returns the shares that a refund takes back, as its processor receives them; null for a refund without a split. */
export function splitBackOf(given: SplitRefunds | null): SplitBack | null {
  if (given?.stripe_split_refund) {
    const { revert_transfer = false, revert_platform_fee = false } = given.stripe_split_refund
    return { is: 'stripe', reverse_transfer: revert_transfer, refund_application_fee: revert_platform_fee }
  }
  return given?.adyen_split_refund ? { is: 'adyen', items: given.adyen_split_refund.split_items } : null
}

/**
 * Refuses (IR_07) shares of a payment that was not split this way, and (IR_16) shares that do not add up to the
 * amount.
 */
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
