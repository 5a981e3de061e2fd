import type { Merchant } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import type { Requirement } from '../../connectors/offer.ts'
import { type Merged, merge, type OfferFilters, offers } from '../../routing/offers.ts'
import { providedBy } from '../authorization/provided.ts'
import type { Payment } from '../payment.ts'
import { routingContextOf } from '../routing/routing-context.ts'

/** Returns the methods that an account of the profile accepts, the merchant allows, and the filters let pass. Pure. */
export function offeredFor(merchant: Merchant, payment: Payment, filters: OfferFilters): Merged[] {
  const { profile_id, request } = payment
  return merge(
    offers(merchant, {
      profile_id,
      routingContext: routingContextOf(payment),
      off_session: request.setup_future_usage === 'off_session' || request.mandate_data !== undefined,
      types: request.allowed_payment_method_types ?? null,
      filters,
    }),
  )
}

/** The requirements that only the merchant can meet. */
const ofMerchant: readonly Requirement[] = ['lines', 'shipping']

/** Returns what a customer may pay with: what requires data of the merchant that the payment lacks would be refused. */
export function offeredToCustomer(merchant: Merchant, payment: Payment, filters: OfferFilters): Merged[] {
  const provided = providedBy(payment)
  return offeredFor(merchant, payment, filters).filter(({ requires }) =>
    requires.every(one => provided.includes(one) || !ofMerchant.includes(one)),
  )
}

/** Returns all payment methods that the profile's accounts accept and that pass the filters. */
export const offeredIn = (merchant: Merchant, profile_id: string, filters: OfferFilters): Merged[] =>
  merge(offers(merchant, { profile_id, routingContext: null, off_session: false, types: null, filters }))

/** Refuses (IR_39) a payment if no account of its profile accepts any of its `allowed_payment_method_types`. */
export function checkOffered(merchant: Merchant, { profile_id, request }: Payment): void {
  const types = request.allowed_payment_method_types ?? null
  if (types === null) return
  const offered = offers(merchant, { profile_id, routingContext: null, off_session: false, types, filters: {} })
  if (offered.length === 0) refuse('no_connector', { why: 'no enabled account accepts any of allowed_payment_method_types' })
}
