import type { DeclineCode } from '../connector.ts'
import type { Refused } from '../kit/parse-reply.ts'
import { isRecord, tableOf } from '../kit/read.ts'
import { readStripeError, type StripeError } from './replies.ts'

/** Stripe's errors (docs.stripe.com/api/errors, docs.stripe.com/error-codes). */

/**
 * A refusal by Stripe. `exists`: the request, or one before it, may have taken effect; only a query shows the state.
 */
export type StripeRefusal = Refused & { error: StripeError }

const kinds = ['card_error', 'invalid_request_error', 'idempotency_error', 'api_error', 'authentication_error', 'rate_limit_error']

/** The meanings of HTTP statuses; any other status does not prove that nothing happened. */
const byStatus: Record<number, DeclineCode | 'later'> = {
  400: 'invalid_request',
  401: 'configuration',
  402: 'card_declined',
  403: 'configuration',
  404: 'invalid_request',
  429: 'later',
}

/** The errors after which only a query shows the state: the request, or one before it, may have taken effect. */
const look = [
  'charge_already_refunded',
  'charge_already_captured',
  'payment_intent_unexpected_state',
  'intent_invalid_state',
  'setup_intent_unexpected_state',
  'amount_too_large',
]

export function readRefused(status: number, body: unknown): StripeRefusal | null {
  const error = isRecord(body) ? readStripeError(body.error) : null
  const known = byStatus[status]
  if (!error || known === undefined || !kinds.includes(error.type)) return null
  return { is: 'refused', as: meaningOf(status, known, error), code: error.code, message: error.message, error }
}

function meaningOf(status: number, known: DeclineCode | 'later', { type, code }: StripeError): Refused['as'] {
  if (type === 'idempotency_error' || look.includes(code)) return 'exists'
  if (known === 'later') return known
  return status === 404 && code === 'resource_missing' ? 'not_found' : (declines[code] ?? known)
}

/** Stripe's decline codes in our vocabulary; a code that is not listed is still a decline. */
const declines = tableOf<DeclineCode>({
  insufficient_funds: 'insufficient_funds',
  withdrawal_count_limit_exceeded: 'velocity_exceeded',
  lost_card: 'lost_card',
  stolen_card: 'stolen_card',
  pickup_card: 'stolen_card',
  expired_card: 'expired_card',
  invalid_expiry_month: 'expired_card',
  invalid_expiry_year: 'expired_card',
  incorrect_cvc: 'incorrect_cvc',
  invalid_cvc: 'incorrect_cvc',
  incorrect_number: 'incorrect_number',
  invalid_number: 'incorrect_number',
  invalid_account: 'incorrect_number',
  new_account_information_available: 'incorrect_number',
  incorrect_address: 'incorrect_address',
  incorrect_zip: 'incorrect_zip',
  postal_code_invalid: 'incorrect_zip',
  incorrect_pin: 'incorrect_pin',
  invalid_pin: 'incorrect_pin',
  offline_pin_required: 'incorrect_pin',
  online_or_offline_pin_required: 'incorrect_pin',
  pin_try_exceeded: 'pin_try_exceeded',
  card_velocity_exceeded: 'velocity_exceeded',
  do_not_honor: 'do_not_honor',
  call_issuer: 'do_not_honor',
  no_action_taken: 'do_not_honor',
  not_permitted: 'transaction_not_permitted',
  service_not_allowed: 'transaction_not_permitted',
  transaction_not_allowed: 'transaction_not_permitted',
  fraudulent: 'fraudulent',
  merchant_blacklist: 'fraudulent',
  highest_risk_level: 'fraudulent',
  security_violation: 'fraudulent',
  restricted_card: 'restricted_card',
  revocation_of_all_authorizations: 'revoked',
  revocation_of_authorization: 'revoked',
  stop_payment_order: 'revoked',
  authentication_required: 'authentication_required',
  authentication_not_handled: 'authentication_failed',
  payment_intent_authentication_failure: 'authentication_failed',
  payment_intent_payment_attempt_expired: 'authentication_failed',
  payment_intent_payment_attempt_failed: 'payment_declined',
  payment_method_provider_decline: 'payment_declined',
  payment_method_customer_decline: 'payment_declined',
  payment_method_provider_timeout: 'processing_error',
  payment_method_microdeposit_failed: 'payment_declined',
  payment_method_microdeposit_verification_attempts_exceeded: 'authentication_failed',
  payment_method_microdeposit_verification_timeout: 'authentication_failed',
  account_closed: 'payment_declined',
  account_invalid: 'recipient_ineligible',
  balance_insufficient: 'insufficient_funds',
  insufficient_capabilities_for_transfer: 'recipient_ineligible',
  transfers_not_allowed: 'not_allowed',
  bank_account_declined: 'payment_declined',
  bank_account_restricted: 'payment_declined',
  bank_account_unusable: 'payment_declined',
  charge_exceeds_source_limit: 'payment_declined',
  charge_exceeds_transaction_limit: 'payment_declined',
  debit_not_authorized: 'payment_declined',
  no_account: 'payment_declined',
  refer_to_customer: 'payment_declined',
  sepa_unsupported_account: 'not_supported',
  payment_method_currency_mismatch: 'not_supported',
  payment_method_not_available: 'not_supported',
  payment_method_unactivated: 'configuration',
  processing_error: 'processing_error',
  approve_with_id: 'processing_error',
  reenter_transaction: 'processing_error',
  try_again_later: 'processing_error',
  issuer_not_available: 'processing_error',
  card_not_supported: 'not_supported',
  currency_not_supported: 'not_supported',
  charge_not_refundable: 'not_allowed',
  charge_disputed: 'not_allowed',
  charge_expired_for_capture: 'not_allowed',
  capture_charge_authorization_expired: 'not_allowed',
  charge_already_refunded: 'not_allowed',
  charge_already_captured: 'not_allowed',
  payment_intent_unexpected_state: 'not_allowed',
  intent_invalid_state: 'not_allowed',
  amount_too_large: 'not_allowed',
  api_key_expired: 'configuration',
  secret_key_required: 'configuration',
  platform_account_required: 'configuration',
})

export const declineOf = ({ code, type }: StripeError): DeclineCode =>
  declines[code] ?? (type === 'card_error' ? 'card_declined' : 'invalid_request')
