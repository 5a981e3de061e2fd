import type { Merchant } from '../../accounts/merchant.ts'
import { profileSetting } from '../../accounts/profile-settings.ts'
import { refuse } from '../../base/refusal.ts'
import type { AuthenticationPreferences, NativeAuthentication, ThreeDsResult } from '../../connectors/authentication.ts'
import type { Authentication, Payment, PaymentParams } from '../payment.ts'

/** Authentication in the checkout. External 3-D Secure: an account of its own queries the issuer before a processor. */

type Waiting = Pick<Payment, 'next_action' | 'status'>

/** Whether the payment waits for its customer to be authenticated in the checkout. */
export const isBeingAuthenticated = ({ next_action, status }: Waiting): boolean =>
  status === 'requires_customer_action' && next_action?.type === 'three_ds_invoke'

/** Returns the authentication by the processor itself, which already has the authorization; null for any other. */
export const nativeOf = (payment: Waiting): NativeAuthentication | null =>
  (isBeingAuthenticated(payment) && payment.next_action?.type === 'three_ds_invoke' && payment.next_action.native) || null

/** Whether the customer is authenticated apart from the processor, which has no authorization yet. */
export const isBeingAuthenticatedApart = (payment: Waiting): boolean => isBeingAuthenticated(payment) && nativeOf(payment) === null

/** Whether external 3-D Secure is wanted: only for cards, and only with the customer present. */
export const isAuthenticatedApart = ({ request, authentication_type }: Pick<Payment, 'request' | 'authentication_type'>): boolean =>
  request.request_external_three_ds_authentication === true && authentication_type === 'three_ds' && request.off_session !== true

/** Returns the authentication features that the payment requires of its processor. */
export function authenticationPreferences(payment: Pick<Payment, 'request' | 'authentication_type'>): readonly AuthenticationPreferences[] {
  const { request, authentication_type } = payment
  const exemption = request.psd2_sca_exemption_type
  const apart = request.authentication !== undefined || (request.payment_method === 'card' && isAuthenticatedApart(payment))
  if (!apart && exemption === undefined && request.force_3ds_challenge !== true) return nothing
  const forced = request.force_3ds_challenge === true && authentication_type === 'three_ds' && !apart
  return [...(apart ? (['three_ds_result'] as const) : []), ...(forced ? (['challenge'] as const) : []), ...(exemption ? [exemption] : [])]
}
const nothing: readonly never[] = []

type Id = Pick<Payment, 'payment_id' | 'merchant_id'>
type Authenticated = Id &
  Waiting &
  Pick<Payment, 'connector' | 'authorization_request_id'> & { request: Pick<PaymentParams, 'authentication'> }

/** Returns the connector that authenticates the customer, and the request id of its operation. */
export const authenticatorIn = (payment: Authenticated): { connector: string | null; request_id: string | null } =>
  nativeOf(payment)
    ? { connector: payment.connector, request_id: payment.authorization_request_id }
    : { connector: payment.request.authentication?.connector ?? null, request_id: payment.request.authentication?.request_id ?? null }

/** Returns the address after the issuer's answer or challenge: not guessable, because it gives the client_secret. */
export const authorizeAddress = (publicUrl: string, { payment_id, merchant_id }: Id, connector: string, request_id: string): string =>
  `${publicUrl}/payments/${payment_id}/${merchant_id}/authorize/${connector}/${request_id}`

export function authorizePage(publicUrl: string, payment: Authenticated): string {
  const { connector, request_id } = authenticatorIn(payment)
  return authorizeAddress(publicUrl, payment, connector ?? '', request_id ?? '')
}

/** Returns the id with which a checkout polls whether an authentication is over. */
export const pollIdOf = (payment: Authenticated): string => `${payment.merchant_id}_${authenticatorIn(payment).request_id}`

/** Returns the payment with this confirmation's authentication, from a proof or the profile, not an earlier one's. */
export function authenticationAsked(merchant: Merchant, payment: Payment, threeDsResult: ThreeDsResult | null): Payment {
  const { request, authentication_type, profile_id } = payment
  const forced =
    request.force_3ds_challenge === undefined &&
    authentication_type === 'three_ds' &&
    request.psd2_sca_exemption_type === undefined &&
    profileSetting(merchant, profile_id, 'force_3ds_challenge')
  if (threeDsResult && request.payment_method !== 'card')
    refuse('unacceptable', { field: 'three_ds_data', problem: 'is for cards only: payment_method must be card' })
  if (!threeDsResult && !forced && request.authentication === undefined) return payment
  const { authentication: _earlier, ...rest } = request
  return {
    ...payment,
    request: { ...rest, ...(forced && { force_3ds_challenge: true }), ...(threeDsResult && { authentication: provenBy(threeDsResult) }) },
  }
}

const provenBy = ({ status, eci, ds_transaction_id, version }: ThreeDsResult): Authentication => ({
  ...{ connector: null, request_id: null, outcome: 'success' },
  ...{ flow: null, status, eci, ds_transaction_id, version },
})
