import type { DeclineCode } from '../connector.ts'
import type { Refused } from '../kit/parse-reply.ts'
import { meaningsOf } from '../kit/read.ts'

/** PayPal's reasons for declines: the `issue` of an error, or the processor's response code for a card. */

/** Issues that report that an earlier request with the same key was accepted, or is being processed. */
export const decided = [
  'DUPLICATE_INVOICE_ID',
  'DUPLICATE_REQUEST_ID',
  'ORDER_ALREADY_AUTHORIZED',
  'ORDER_ALREADY_CAPTURED',
  'ORDER_ALREADY_COMPLETED',
  'ORDER_COMPLETED_OR_VOIDED',
  'ORDER_COMPLETION_IN_PROGRESS',
  'PREVIOUSLY_VOIDED',
  'PREVIOUS_REQUEST_IN_PROGRESS',
  'RESOURCE_CONFLICT',
  // For payouts: a batch with this sender_batch_id was created before.
  'USER_BUSINESS_ERROR',
]

/** All other issues, which report that nothing happened. */
export const issues = meaningsOf<Refused['as']>({
  configuration: `AUTHENTICATION_FAILURE NOT_ENABLED_FOR_CARD_PROCESSING NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE PAYEE_NOT_ENABLED_FOR_CARD_PROCESSING
    PAYEE_ACCOUNT_INVALID PAYEE_ACCOUNT_LOCKED_OR_CLOSED PAYEE_ACCOUNT_NOT_VERIFIED PAYEE_ACCOUNT_RESTRICTED`,
  not_allowed: `PERMISSION_DENIED NOT_AUTHORIZED AUTHORIZATION_ALREADY_CAPTURED AUTHORIZATION_VOIDED AUTHORIZATION_EXPIRED
    CAPTURE_FULLY_REFUNDED MAX_CAPTURE_AMOUNT_EXCEEDED REFUND_AMOUNT_EXCEEDED REFUND_NOT_ALLOWED REFUND_TIME_LIMIT_EXCEEDED
    REAUTHORIZATION_TOO_SOON ITEM_NOT_CANCELLABLE`,
  payment_declined: `INSTRUMENT_DECLINED PAYMENT_SOURCE_DECLINED_BY_PROCESSOR PAYMENT_SOURCE_CANNOT_BE_USED PAYMENT_SOURCE_INFO_CANNOT_BE_VERIFIED
    PAYER_ACCOUNT_LOCKED_OR_CLOSED PAYER_ACCOUNT_RESTRICTED PAYER_CANNOT_PAY REDIRECT_PAYER_FOR_ALTERNATE_FUNDING
    TRANSACTION_REFUSED TRANSACTION_BLOCKED_BY_PAYEE`,
  transaction_not_permitted: 'COMPLIANCE_VIOLATION DOMESTIC_TRANSACTION_REQUIRED',
  velocity_exceeded: 'TRANSACTION_LIMIT_EXCEEDED TRANSACTION_RECEIVING_LIMIT_EXCEEDED MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED',
  expired_card: 'CARD_EXPIRED REFERENCED_CARD_EXPIRED INVALID_EXPIRY_DATE',
  not_supported: 'CARD_BRAND_NOT_SUPPORTED CARD_TYPE_NOT_SUPPORTED CURRENCY_NOT_SUPPORTED_FOR_CARD_TYPE REAUTHORIZATION_NOT_SUPPORTED',
  incorrect_cvc: 'INVALID_SECURITY_CODE_LENGTH',
  invalid_request: 'VALIDATION_ERROR',
  authentication_required: 'PAYER_ACTION_REQUIRED ORDER_NOT_APPROVED',
  cancelled: 'ORDER_EXPIRED',
  revoked: 'TOKEN_EXPIRED TOKEN_ID_NOT_FOUND AGREEMENT_ALREADY_CANCELLED BILLING_AGREEMENT_NOT_FOUND',
  insufficient_funds: 'INSUFFICIENT_FUNDS',
  recipient_ineligible: 'RECEIVER_UNREGISTERED RECEIVER_UNCONFIRMED RECEIVER_ACCOUNT_LOCKED',
})

/** Response codes of card processors, in PayPal's format (its reference of `processor_response`). */
export const paypalResponseCodes = meaningsOf<DeclineCode>({
  incorrect_cvc: '00N7 5110',
  incorrect_number: '0390 1330',
  do_not_honor: '0500',
  transaction_not_permitted: '0580 5700',
  incorrect_pin: '0890 5130 5500',
  processing_error: '0960 8000',
  cancelled: '0R00',
  expired_card: '1380 5400',
  card_declined: '5100 9100 9540',
  insufficient_funds: '5120',
  restricted_card: '5140 5180 5930',
  stolen_card: '5150',
  incorrect_address: '5170',
  authentication_required: '5650',
  velocity_exceeded: '5710',
  authentication_failed: '7710',
  fraudulent: '9500',
  lost_card: '9520',
})
