import type { Merchant } from '../../accounts/merchant.ts'
import { type Merged, merge, type OfferFilters, offers } from '../../routing/offers.ts'
import type { Payment } from '../payment.ts'
import { routingContextOf } from '../routing/routing-context.ts'

/**
 * Returns the methods that this payment may be paid with: those that a connector account of its profile accepts, that
 * its merchant allows, and that pass the filters. Pure.
 */
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

/** Returns all payment methods that the profile's accounts accept and that pass the filters. */
export const offeredIn = (merchant: Merchant, profile_id: string, filters: OfferFilters): Merged[] =>
  merge(offers(merchant, { profile_id, routingContext: null, off_session: false, types: null, filters }))
