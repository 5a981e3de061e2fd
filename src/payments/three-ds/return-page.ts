import { createHmac } from 'node:crypto'
import { responseHashKey } from '../../accounts/hidden-members.ts'
import { findProfileOnce, type Merchant } from '../../accounts/merchant.ts'
import { profileSetting } from '../../accounts/profile-settings.ts'
import { refuse } from '../../base/refusal.ts'
import type { Time, Vault } from '../../context.ts'
import { retryAllowed } from '../authorization/retry-target.ts'
import { attemptId, type Payment } from '../payment.ts'

/** Returns the address of our page that leads a customer to the processor's page. */
export const startPage = (publicUrl: string, payment: Payment): string =>
  `${publicUrl}/payments/redirect/${payment.payment_id}/${payment.merchant_id}/${attemptId(payment)}`

/** Returns the address of our page that a customer returns to from a processor. */
export const returnPage = (
  publicUrl: string,
  { payment_id, merchant_id }: Pick<Payment, 'payment_id' | 'merchant_id'>,
  connector: string,
  request_id: string,
): string => `${publicUrl}/payments/${payment_id}/${merchant_id}/redirect/response/${connector}/${request_id}`

/** Returns the page that waits with a customer: not guessable, because it knows the client_secret. */
export const waitingPage = (
  publicUrl: string,
  { payment_id, merchant_id, authorization_request_id }: Pick<Payment, 'payment_id' | 'merchant_id' | 'authorization_request_id'>,
): string => `${publicUrl}/payments/${payment_id}/${merchant_id}/waiting/${authorization_request_id}`

/** Returns where a customer returns to: the payment's own return_url, else the profile's, else the merchant's. */
export const returnUrlOf = (merchant: Merchant, payment: Payment): string | undefined =>
  payment.request.return_url ?? profileSetting(merchant, payment.profile_id, 'return_url')

/** Whether the customer returns in an iframe of the checkout, which must receive the next URL. */
export const comesBackFramed = (merchant: Merchant, { request, profile_id }: Payment): boolean =>
  request.is_iframe_redirection_enabled ?? profileSetting(merchant, profile_id, 'is_iframe_redirection_enabled')

/** Returns the origins that may receive the next URL around a frame: of the confirming page, and of the shop. */
export function checkoutsOf(merchant: Merchant, payment: Payment): string[] {
  const shop = returnUrlOf(merchant, payment)
  const origins = [payment.request.checkout_origin, shop !== undefined && isWeb(shop) ? new URL(shop).origin : undefined]
  return [...new Set(origins.filter(origin => origin !== undefined))]
}

/** Whether an address is one of the web; an app's own address has no origin, and takes no form. */
export const isWeb = (address: string): boolean => /^https?:/i.test(address)

/**
 * Returns the merchant's return_url with the payment's id and status, signed with the profile's
 * `payment_response_hash_key`: hex HMAC-SHA512 over all other pairs of the address, sorted by name and joined as
 * `a=b&c=d` (contract 3.12). `no secret`: without client secret and amount, for a link that could be guessed; `no
 * amount`: for a form. Refuses (HE_03) without a return_url.
 */
export function returnAddress(
  vault: Pick<Vault, 'open'>,
  merchant: Merchant,
  payment: Payment,
  now: Time,
  disclosure: 'all' | 'no amount' | 'no secret' = 'all',
): string {
  const url = new URL(returnUrlOf(merchant, payment) ?? refuse('no_return_url'))
  const pairs = url.searchParams
  for (const name of ['signature', 'signature_algorithm']) pairs.delete(name)
  pairs.set('status', payment.status)
  pairs.set('payment_id', payment.payment_id)
  if (disclosure !== 'no secret') pairs.set('payment_intent_client_secret', payment.client_secret)
  if (disclosure === 'all') pairs.set('amount', String(payment.amount))
  pairs.set('manual_retry_allowed', String(retryAllowed(merchant, payment, now) ?? false))
  const signs = profileSetting(merchant, payment.profile_id, 'enable_payment_response_hash')
  const profile = signs && findProfileOnce(merchant, payment.profile_id)
  const key = profile ? responseHashKey(vault, profile) : null
  if (key !== null) {
    const text = [...pairs]
      .sort(([a, x], [b, y]) => (a < b || (a === b && x < y) ? -1 : 1))
      .map(([name, value]) => `${name}=${value}`)
      .join('&')
    pairs.set('signature', createHmac('sha512', key).update(text).digest('hex'))
    pairs.set('signature_algorithm', 'HMAC-SHA512')
  }
  return url.href
}
