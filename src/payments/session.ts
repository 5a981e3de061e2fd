import type { Merchant } from '../accounts/merchant.ts'
import { profileSetting } from '../accounts/profile-settings.ts'
import { later } from '../base/time.ts'
import type { Time } from '../context.ts'
import type { PaymentParams } from './payment.ts'

/** Returns the end of the session: `session_expiry` of the request, else of the profile, after creation. */
export function sessionExpiry(merchant: Merchant, profile_id: string, request: PaymentParams, created: Time): Time {
  return later(created, 1000 * (request.session_expiry ?? profileSetting(merchant, profile_id, 'session_expiry')))
}
