import type { DeclineCode } from '../connector.ts'
import { meaningsOf } from '../kit/read.ts'

/** Mollie's codes and codes of banks (`details.bankReasonCode`, ISO 20022). An unlisted code is still a decline. */
export const failureReasons = meaningsOf<DeclineCode>({
  authentication_failed: 'authentication_abandoned authentication_failed authentication_unavailable_acs card_authentication_failed',
  authentication_required: 'authentication_required additional_customer_authentication_required',
  card_declined: 'card_declined invalid_card_holder_name',
  expired_card: 'card_expired expired_card',
  restricted_card: 'inactive_card restricted_card',
  insufficient_funds: 'insufficient_funds AM04',
  incorrect_cvc: 'invalid_cvv decline_for_cvv2_failure missing_cvv2_cvc2',
  incorrect_number: 'invalid_card_number invalid_account_number AC01',
  not_supported: 'invalid_card_type',
  fraudulent: 'possible_fraud suspected_fraud fraud_security_related security_violation',
  do_not_honor: 'refused_by_issuer do_not_honor',
  lost_card: 'lost_card',
  stolen_card: 'stolen_card',
  transaction_not_permitted: 'transaction_not_permitted_to_cardholder',
  velocity_exceeded: 'exceeds_withdrawal_amount_limit exceeds_withdrawal_count_limit',
  incorrect_pin: 'invalid_pin',
  pin_try_exceeded: 'allowable_number_of_pin_tries_exceeded',
  revoked: 'stop_payment_order revocation_of_authorization revocation_of_all_authorizations MD01 MD06 MS02',
  processing_error: 'issuer_unavailable system_malfunction',
})
