import { LARGEST_AMOUNT } from '../base/money.ts'
import { refuse } from '../base/refusal.ts'
import type { PaymentParams } from './payment.ts'

/** Returns the amount charged in the end. Discounts, duty and tax on shipping are informational. */
export function netAmount(request: PaymentParams, amount: number): number {
  const net =
    amount +
    (request.shipping_cost ?? 0) +
    (request.order_tax_amount ?? 0) +
    (request.surcharge_details?.surcharge_amount ?? 0) +
    (request.surcharge_details?.tax_amount ?? 0)
  if (net > LARGEST_AMOUNT)
    refuse('precondition', {
      problem: `net_amount (amount + shipping_cost + order_tax_amount + surcharge_details.surcharge_amount + surcharge_details.tax_amount) must not exceed ${LARGEST_AMOUNT}`,
    })
  return net
}
