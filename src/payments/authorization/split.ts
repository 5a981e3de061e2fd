import { refuse } from '../../base/refusal.ts'
import type { Split, SplitBack, SplitItem, SplitName } from '../../connectors/split.ts'
import { type Payment, type PaymentParams, takesAtOnce } from '../payment.ts'

/** Returns the split of a payment between accounts, as its processor receives it; null if the payment is not split. */
export function splitOf({ split_payments: given }: PaymentParams): Split | null {
  if (given?.stripe_split_payment) {
    const { application_fees = 0, transfer_account_id, on_behalf_of = null } = given.stripe_split_payment
    return { is: 'stripe', application_fee: application_fees, destination: transfer_account_id, on_behalf_of }
  }
  const { split_items, store = null } = given?.adyen_split_payment ?? {}
  return split_items ? { is: 'adyen', store, items: split_items } : null
}

/** Returns the processor whose kind of split the payment uses, null if the payment is not split. */
export const splitNameOf = ({ split_payments: given }: PaymentParams): SplitName | null =>
  given === undefined ? null : given.stripe_split_payment ? 'stripe' : given.adyen_split_payment ? 'adyen' : null

/** Returns the split as answers show it. */
export function showSplit({ request: { split_payments: given }, facts }: Pick<Payment, 'request' | 'facts'>): object | null {
  if (!given?.stripe_split_payment) return given ?? null
  return { ...given, stripe_split_payment: { ...given.stripe_split_payment, charge_id: facts?.charge_id ?? null } }
}

/** Returns the split that takes back all shares, for the reversal of money that should not have moved. */
export function splitOfReversal(request: PaymentParams): SplitBack | null {
  const split = splitOf(request)
  if (!split) return null
  return split.is === 'stripe'
    ? { is: 'stripe', reverse_transfer: true, refund_application_fee: true }
    : { is: 'adyen', items: split.items }
}

/** Refuses (IR_16) shares that do not add up to the amount, and splits that no processor supports. */
export function checkSplit(payment: Pick<Payment, 'request' | 'net_amount' | 'capture_method'>): void {
  const { request, net_amount } = payment
  const split = splitOf(request)
  if (!split) return
  if (net_amount === 0) refuse('precondition', { problem: 'split_payments requires an amount greater than 0' })
  if (split.is === 'stripe') {
    if (split.application_fee > net_amount)
      refuse('precondition', { problem: `split_payments.stripe_split_payment.application_fees must be at most ${net_amount}, the amount` })
    return
  }
  // A partial capture would not be split as the whole amount was.
  if (!takesAtOnce(payment)) refuse('not_supported', { problem: 'adyen_split_payment requires capture_method automatic' })
  if (request.enable_partial_authorization === true)
    refuse('not_supported', {
      problem: 'adyen_split_payment cannot be used with partial authorization: enable_partial_authorization must be false',
    })
  checkSum('split_payments.adyen_split_payment.split_items', split.items, net_amount)
}

/** Refuses (IR_16) shares whose amounts do not add up to the amount. */
export function checkSum(field: string, items: readonly SplitItem[], amount: number): void {
  const sum = items.reduce((sum, item) => sum + (item.amount ?? 0), 0)
  if (sum !== amount) refuse('precondition', { problem: `the amounts in ${field} must add up to ${amount}, but add up to ${sum}` })
}
