import type { DeclineCode } from '../connector.ts'
import type { Refused } from '../kit/parse-reply.ts'
import { isRecord, meaningsOf } from '../kit/read.ts'
import { readStripeError, type StripeError } from './replies.ts'

/** docs.stripe.com/api/errors, docs.stripe.com/error-codes. */

/** `exists`: the request, or one before it, may have taken effect; only a query shows the state. */
export type StripeRefusal = Refused & { error: StripeError }

const kinds = ['card_error', 'invalid_request_error', 'idempotency_error', 'api_error', 'authentication_error', 'rate_limit_error']

/** Any other status does not prove that nothing happened. */
const byStatus: Record<number, DeclineCode | 'later'> = {
  400: 'invalid_request',
  401: 'configuration',
  402: 'card_declined',
  403: 'configuration',
  404: 'invalid_request',
  429: 'later',
}

/** The errors after which only a query shows the state: the request, or one before it, may have taken effect. */
// biome-ignore format: a list reads better in rows
const look = [
  'charge_already_refunded', 'charge_already_captured', 'payment_intent_unexpected_state', 'intent_invalid_state',
  'setup_intent_unexpected_state', 'amount_too_large',
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

/** A code that is not listed is still a decline. */
const declines = meaningsOf<DeclineCode>({
  insufficient_funds: 'insufficient_funds balance_insufficient',
  velocity_exceeded: 'withdrawal_count_limit_exceeded card_velocity_exceeded',
  lost_card: 'lost_card',
  stolen_card: 'stolen_card pickup_card',
  expired_card: 'expired_card invalid_expiry_month invalid_expiry_year',
  incorrect_cvc: 'incorrect_cvc invalid_cvc',
  incorrect_number: 'incorrect_number invalid_number invalid_account new_account_information_available',
  incorrect_address: 'incorrect_address',
  incorrect_zip: 'incorrect_zip postal_code_invalid',
  incorrect_pin: 'incorrect_pin invalid_pin offline_pin_required online_or_offline_pin_required',
  pin_try_exceeded: 'pin_try_exceeded',
  do_not_honor: 'do_not_honor call_issuer no_action_taken',
  transaction_not_permitted: 'not_permitted service_not_allowed transaction_not_allowed',
  fraudulent: 'fraudulent merchant_blacklist highest_risk_level security_violation',
  restricted_card: 'restricted_card',
  revoked: 'revocation_of_all_authorizations revocation_of_authorization stop_payment_order',
  authentication_required: 'authentication_required',
  authentication_failed: `authentication_not_handled payment_intent_authentication_failure payment_intent_payment_attempt_expired
    payment_method_microdeposit_verification_attempts_exceeded payment_method_microdeposit_verification_timeout`,
  payment_declined: `payment_intent_payment_attempt_failed payment_method_provider_decline payment_method_customer_decline
    payment_method_microdeposit_failed account_closed bank_account_declined bank_account_restricted bank_account_unusable
    charge_exceeds_source_limit charge_exceeds_transaction_limit debit_not_authorized no_account refer_to_customer`,
  processing_error: `payment_method_provider_timeout processing_error approve_with_id reenter_transaction try_again_later issuer_not_available`,
  recipient_ineligible: 'account_invalid insufficient_capabilities_for_transfer',
  not_allowed: `transfers_not_allowed charge_not_refundable charge_disputed charge_expired_for_capture capture_charge_authorization_expired
    charge_already_refunded charge_already_captured payment_intent_unexpected_state intent_invalid_state amount_too_large`,
  not_supported: `sepa_unsupported_account payment_method_currency_mismatch payment_method_not_available card_not_supported currency_not_supported`,
  configuration: 'payment_method_unactivated api_key_expired secret_key_required platform_account_required',
})

export const declineOf = ({ code, type }: StripeError): DeclineCode =>
  declines[code] ?? (type === 'card_error' ? 'card_declined' : 'invalid_request')
