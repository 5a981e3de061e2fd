import { createHmac } from 'node:crypto'
import { findProfile, type Merchant } from '../accounts/merchant.ts'
import { refuse } from '../base/refusal.ts'
import type { Payment } from './payment.ts'

/** Where a customer goes back to: the payment's own return_url, else the profile's, else the merchant's. */
export const returnUrlOf = (merchant: Merchant, payment: Payment): string | undefined =>
  payment.asked.return_url ??
  (findProfile(merchant, payment.profile_id)?.details.return_url as string | undefined) ??
  (merchant.details.return_url as string | undefined)

/**
 * The address that the customer is sent to after a challenge: the merchant's return_url with the payment's id and status, signed with the profile's `payment_response_hash_key`:
 * hex HMAC-SHA512 over the other pairs, sorted by name and joined as `a=b&c=d` (contract 3.12). Refuses (HE_03) if no return_url is known.
 */
export function returnAddress(merchant: Merchant, payment: Payment): string {
  const url = new URL(returnUrlOf(merchant, payment) ?? refuse('no_return_url'))
  const pairs: Record<string, string> = {
    status: payment.status,
    payment_id: payment.payment_id,
    payment_intent_client_secret: payment.client_secret,
    amount: String(payment.amount),
    manual_retry_allowed: 'false',
  }
  const details = findProfile(merchant, payment.profile_id)?.details ?? {}
  if (details.enable_payment_response_hash !== false && typeof details.payment_response_hash_key === 'string') {
    const text = Object.keys(pairs)
      .sort()
      .map(name => `${name}=${pairs[name]}`)
      .join('&')
    pairs.signature = createHmac('sha512', details.payment_response_hash_key).update(text).digest('hex')
    pairs.signature_algorithm = 'HMAC-SHA512'
  }
  for (const [name, value] of Object.entries(pairs)) url.searchParams.set(name, value)
  return url.href
}
