import type { Merchant } from '../../accounts/merchant.ts'
import { profileSetting } from '../../accounts/profile-settings.ts'
import { connectors } from '../../connectors/all.ts'
import { capturesAtOnce, type Payment, type PaymentParams } from '../payment.ts'

/** What is asked of holds, and what may still be done with them. Pure. */

/** What a payment says, with what its profile asks of every hold where the payment itself says nothing of it. */
export function askedOfHolds(merchant: Merchant, payment: Pick<Payment, 'asked' | 'profile_id' | 'capture_method'>): PaymentParams {
  const { asked, profile_id } = payment
  if (capturesAtOnce(payment)) return asked
  const always = (name: 'always_request_extended_authorization' | 'always_enable_overcapture') => profileSetting(merchant, profile_id, name)
  const extend = asked.request_extended_authorization === undefined && always('always_request_extended_authorization')
  const over = asked.enable_overcapture === undefined && payment.capture_method === 'manual' && always('always_enable_overcapture')
  if (!extend && !over) return asked
  return { ...asked, ...(extend && { request_extended_authorization: true }), ...(over && { enable_overcapture: true }) }
}

/**
 * May what is held be raised? Null if it was not requested; it must have been requested, be a hold, and its processor
 * must do it (contract 3.9).
 */
export function incrementAllowed({ asked, amount_authorized, capture_method, connector, facts }: Payment): boolean | null {
  if (asked.request_incremental_authorization === undefined) return null
  const isHold = amount_authorized > 0 && !capturesAtOnce({ capture_method })
  return (
    asked.request_incremental_authorization &&
    isHold &&
    connectors[connector ?? '']?.increment !== undefined &&
    facts?.incremental_authorization !== false
  )
}

/** How much more than it holds may be captured of it by one capture (contract 3.9). */
export const overcapturable = ({ status, asked, facts, amount_authorized, net_amount }: Payment): number =>
  asked.enable_overcapture === true && status === 'requires_capture' && amount_authorized === net_amount
    ? Math.max((facts?.most_capturable ?? 0) - amount_authorized, 0)
    : 0

/** Null if it was not requested. */
export const overcaptureEnabled = ({ asked, facts, net_amount }: Payment): boolean | null =>
  asked.enable_overcapture === undefined ? null : asked.enable_overcapture && (facts?.most_capturable ?? 0) > net_amount

/** Does the hold last longer than it did at first? Null if that was never requested. */
export const extensionApplied = ({ asked, adjustments, facts }: Payment): boolean | null => {
  if (adjustments?.extended_at !== undefined) return true
  return asked.request_extended_authorization === undefined ? null : facts?.extended_authorization === true
}
