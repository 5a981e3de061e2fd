import Type, { type Static } from 'typebox'
import type { Merchant } from '../../accounts/merchant.ts'
import { profileSetting } from '../../accounts/profile-settings.ts'
import { taxOn } from '../../accounts/tax-rates.ts'
import { refuse } from '../../base/refusal.ts'
import { shortText, strictObject } from '../../base/shapes.ts'
import type { Call } from '../../operations/verb.ts'
import { checkTerms, needStatus } from '../check.ts'
import { fields } from '../fields/all.ts'
import { netAmount } from '../net-amount.ts'
import type { Payment, PaymentParams } from '../payment.ts'
import { clientSecret } from '../request-shapes.ts'
import { changePayment, moved } from '../rows.ts'

export const calculateTaxShape = strictObject({
  client_secret: Type.Optional(clientSecret),
  shipping: Type.Optional(fields.shipping.shape),
  payment_method_type: Type.Optional(fields.payment_method_type.shape),
  session_id: Type.Optional(shortText),
})
export type CalculateTaxAsk = Static<typeof calculateTaxShape>

/**
 * Calculates the tax from the shipping address (the profile's `tax_rates`) and adds it to the charged amount. The tax
 * then follows the address, until the merchant sends an `order_tax_amount`. Refuses (IR_16) a payment that was sent to
 * a processor, and a profile without rates.
 */
export async function calculateTax(call: Call, payment_id: string, { shipping }: CalculateTaxAsk): Promise<Payment> {
  const { context, merchant } = call
  const { payment } = await changePayment(call, payment_id, before => {
    needStatus(before, 'calculate_tax', 'calculate the tax of')
    if (profileSetting(merchant, before.profile_id, 'tax_rates').length === 0)
      refuse('precondition', { problem: 'Taxes cannot be calculated: the business profile has no tax_rates' })
    const updated = { ...before.request, ...(shipping && { shipping }), taxed: true as const }
    if (updated.shipping?.address?.country === undefined) refuse('missing', { field: 'shipping.address.country' })
    const request = withTax(merchant, before, updated)
    const after: Payment = { ...before, request, net_amount: netAmount(request, before.amount), modified_at: context.now() }
    checkTerms(after)
    return { change: moved(context, before, after, 'tax_calculated') }
  })
  return payment
}

/** Returns the request with the calculated tax. `taxed` marks a tax that was calculated, not sent by the merchant. */
function withTax(
  merchant: Merchant,
  { profile_id, amount }: Pick<Payment, 'profile_id' | 'amount'>,
  request: PaymentParams,
): PaymentParams {
  const { country, state } = request.shipping?.address ?? {}
  const none = request.tax_status === 'exempt' || request.skip_external_tax_calculation === true || country === undefined
  const rates = profileSetting(merchant, profile_id, 'tax_rates')
  return { ...request, order_tax_amount: none ? 0 : taxOn(rates, { amount, shipping: request.shipping_cost ?? 0, country, state }) }
}

/** Calculates the tax of an updated request again, unless the update sends a tax. */
export function taxAnew(
  merchant: Merchant,
  payment: Pick<Payment, 'profile_id' | 'amount'>,
  request: PaymentParams,
  given: PaymentParams,
): PaymentParams {
  if (!request.taxed) return request
  if (given.order_tax_amount === undefined) return withTax(merchant, payment, request)
  const { taxed: _no, ...own } = request
  return own
}
