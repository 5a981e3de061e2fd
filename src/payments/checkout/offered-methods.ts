import type { Merchant } from '../../accounts/merchant.ts'
import { type Merged, merge, type OfferFilters, offers } from '../../routing/offers.ts'
import type { Payment } from '../payment.ts'
import { routingContextOf } from '../routing/routing-context.ts'

/**
 * What this payment may be paid with: what some connector account of its profile takes of what its merchant allows,
 * as far as the filters let it through. Pure.
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

/** What the profile's accounts take at all. */
export const offeredIn = (merchant: Merchant, profile_id: string, filters: OfferFilters): Merged[] =>
  merge(offers(merchant, { profile_id, routingContext: null, off_session: false, types: null, filters }))
