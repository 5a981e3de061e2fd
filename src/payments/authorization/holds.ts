import type { Merchant } from '../../accounts/merchant.ts'
import { profileSetting } from '../../accounts/profile-settings.ts'
import { connectors } from '../../connectors/all.ts'
import { capturesAtOnce, isManual, type Payment, type PaymentParams } from '../payment.ts'

/** The requested properties of holds, and the changes that a hold still allows. Pure. */

/** Returns the payment's request, completed with the profile's settings for every hold where the request has none. */
export function requestOfHolds(merchant: Merchant, payment: Pick<Payment, 'request' | 'profile_id' | 'capture_method'>): PaymentParams {
  const { request, profile_id } = payment
  if (capturesAtOnce(payment)) return request
  const always = (name: 'always_request_extended_authorization' | 'always_enable_overcapture') => profileSetting(merchant, profile_id, name)
  const extend =
    request.request_extended_authorization === undefined && isManual(payment) && always('always_request_extended_authorization')
  const over = request.enable_overcapture === undefined && payment.capture_method === 'manual' && always('always_enable_overcapture')
  if (!extend && !over) return request
  return { ...request, ...(extend && { request_extended_authorization: true }), ...(over && { enable_overcapture: true }) }
}

/** Whether the held amount may be raised (contract 3.9); null if increments were not requested. */
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

/** Returns the amount above the hold that one capture may take (contract 3.9). */
export const overcapturable = ({ status, request, facts, amount_authorized, net_amount }: Payment): number =>
  request.enable_overcapture === true && status === 'requires_capture' && amount_authorized === net_amount
    ? Math.max((facts?.most_capturable ?? 0) - amount_authorized, 0)
    : 0

/** Whether more than the amount may be captured. Null if overcapture was not requested. */
export const overcaptureEnabled = ({ request, facts, net_amount }: Payment): boolean | null =>
  request.enable_overcapture === undefined ? null : request.enable_overcapture && (facts?.most_capturable ?? 0) > net_amount

/** Whether the hold was extended. Null if an extension was never requested. */
export const extensionApplied = ({ request, adjustments, facts }: Payment): boolean | null => {
  if (adjustments?.extended_at !== undefined) return true
  return request.request_extended_authorization === undefined ? null : facts?.extended_authorization === true
}
