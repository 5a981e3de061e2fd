import type { Merchant } from '../../accounts/merchant.ts'
import { profileSetting } from '../../accounts/profile-settings.ts'
import { connectors } from '../../connectors/all.ts'
import { capturesAtOnce, type Payment, type PaymentParams } from '../payment.ts'

/** What is asked of holds, and what may still be done with them. Pure. */

/** What a payment says, with what its profile asks of every hold where the payment itself says nothing of it. */
export function requestOfHolds(merchant: Merchant, payment: Pick<Payment, 'request' | 'profile_id' | 'capture_method'>): PaymentParams {
  const { request, profile_id } = payment
  if (capturesAtOnce(payment)) return request
  const always = (name: 'always_request_extended_authorization' | 'always_enable_overcapture') => profileSetting(merchant, profile_id, name)
  const extend = request.request_extended_authorization === undefined && always('always_request_extended_authorization')
  const over = request.enable_overcapture === undefined && payment.capture_method === 'manual' && always('always_enable_overcapture')
  if (!extend && !over) return request
  return { ...request, ...(extend && { request_extended_authorization: true }), ...(over && { enable_overcapture: true }) }
}

/**
 * May what is held be raised? Null if it was not requested; it must have been requested, be a hold, and its processor
 * must do it (contract 3.9).
 */
export function incrementAllowed({ request, amount_authorized, capture_method, connector, facts }: Payment): boolean | null {
  if (request.request_incremental_authorization === undefined) return null
  const isHold = amount_authorized > 0 && !capturesAtOnce({ capture_method })
  return (
    request.request_incremental_authorization &&
    isHold &&
    connectors[connector ?? '']?.increment !== undefined &&
    facts?.incremental_authorization !== false
  )
}

/** How much more than it holds may be captured of it by one capture (contract 3.9). */
export const overcapturable = ({ status, request, facts, amount_authorized, net_amount }: Payment): number =>
  request.enable_overcapture === true && status === 'requires_capture' && amount_authorized === net_amount
    ? Math.max((facts?.most_capturable ?? 0) - amount_authorized, 0)
    : 0

/** Null if it was not requested. */
export const overcaptureEnabled = ({ request, facts, net_amount }: Payment): boolean | null =>
  request.enable_overcapture === undefined ? null : request.enable_overcapture && (facts?.most_capturable ?? 0) > net_amount

/** Does the hold last longer than it did at first? Null if that was never requested. */
export const extensionApplied = ({ request, adjustments, facts }: Payment): boolean | null => {
  if (adjustments?.extended_at !== undefined) return true
  return request.request_extended_authorization === undefined ? null : facts?.extended_authorization === true
}
