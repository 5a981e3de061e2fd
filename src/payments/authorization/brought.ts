import type { Requirement } from '../../connectors/offer.ts'
import type { Payment } from '../payment.ts'

/**
 * What a payment brings of all that a way to pay may require. A customer who is kept may have a name, an e-mail address
 * and a telephone number: that is only known when the processor is asked. Pure.
 */
export function broughtBy({ request, customer_id }: Pick<Payment, 'request' | 'customer_id'>): Requirement[] {
  const { customer, shipping, order_details } = request
  const billing = request.payment_method_billing ?? request.billing
  const address = billing?.address
  const isKept = customer_id !== null
  const has: Readonly<Record<Requirement, unknown>> = {
    'billing.name': isKept || (address?.first_name ?? address?.last_name ?? request.name ?? customer?.name),
    'billing.email': isKept || (billing?.email ?? request.email ?? customer?.email),
    'billing.phone': isKept || (billing?.phone?.number ?? request.phone ?? customer?.phone),
    'billing.country': address?.country,
    'billing.address': address?.line1 && address.city && address.zip && address.country,
    shipping: shipping?.address,
    lines: order_details?.length,
  }
  return (Object.keys(has) as Requirement[]).filter(name => has[name])
}
