import type { PaymentParams } from './payment.ts'

type Address = NonNullable<PaymentParams['billing']>

/** Returns an address with the members of another; an address in another country replaces the first as a whole. */
export function mergedAddress(before: Address | null | undefined, more: Address): Address {
  // A payment read column by column has null for no address.
  if (!before) return more
  const [from, to] = [before.address?.country, more.address?.country]
  const moves = from !== undefined && to !== undefined && from !== to
  return {
    ...before,
    ...more,
    ...(more.address && { address: moves ? more.address : { ...before.address, ...more.address } }),
    ...(more.phone && { phone: { ...before.phone, ...more.phone } }),
  }
}

/** Returns the method's billing details, completed with the payment's: checkouts send only what that lacks. */
export const billingOf = ({ billing, payment_method_billing }: Pick<PaymentParams, 'billing' | 'payment_method_billing'>) =>
  payment_method_billing ? mergedAddress(billing, payment_method_billing) : billing
