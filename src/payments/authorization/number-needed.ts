import type { Merchant } from '../../accounts/merchant.ts'
import { profileSetting } from '../../accounts/profile-settings.ts'
import { DAY_MS, later } from '../../base/time.ts'
import type { Time } from '../../context.ts'
import { statuses } from '../lifecycle.ts'
import { cardOf, type Payment } from '../payment.ts'
import type { PaymentCaller } from '../terms.ts'
import { retriesByHand } from './retry-target.ts'

/**
 * The need for a payment's number after its attempt has begun: the operation that sends it has it in memory, and later
 * operations (captures, refunds, disputes) name the processor's ids. Pure.
 */

/**
 * Whether the number of an attempt is stored: for a customer who is authenticated first, to save the card once
 * approved, for a profile that returns it encrypted, or for a server that may confirm again without it. Browsers send
 * it again.
 */
export const isNeededLater = (merchant: Merchant, payment: Payment, authenticates: boolean, { is: caller }: PaymentCaller): boolean =>
  authenticates ||
  payment.request.saves === 'card' ||
  (caller === 'server' && retriesByHand(merchant, payment, false)) ||
  (cardOf(payment) !== null && profileSetting(merchant, payment.profile_id, 'is_extended_card_info_enabled'))

/** How long the number of a payment stays that is to be saved, if its processor does not report a result. */
const UNRESOLVED_MS = 30 * DAY_MS

/**
 * Returns the time from which nothing needs the stored number; null while the payment is under way. `hours_ms`: how
 * long it stays after that, for a merchant that confirms again (`CARD_NUMBER_HOURS`).
 */
export function numberNeededUntil({ status, alone, request, expires_on, modified_at }: Payment, hours_ms: number): Time | null {
  const { traits } = statuses[status]
  if (status === 'requires_merchant_action') return later(modified_at, request.saves === 'card' ? UNRESOLVED_MS : hours_ms)
  if (alone !== null || traits.includes('awaits approval')) return null
  // Not begun: the payment can be confirmed with the stored number during its session.
  const isBegun = status !== 'requires_confirmation' && status !== 'requires_payment_method'
  return later(isBegun || expires_on < modified_at ? modified_at : expires_on, hours_ms)
}
