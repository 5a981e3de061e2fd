import type { DeclineCode } from '../connector.ts'
import { tableOf } from '../kit/read.ts'

/** Response codes of Checkout.com in our vocabulary. An unlisted code is still a decline. */
export const responseCodes = tableOf<DeclineCode>({
  '20003': 'processing_error',
  '20012': 'invalid_request',
  '20013': 'invalid_request',
  '20014': 'incorrect_number',
  '20046': 'card_declined',
  '20051': 'insufficient_funds',
  '20054': 'expired_card',
  '20061': 'insufficient_funds',
  '20065': 'insufficient_funds',
  '20068': 'processing_error',
  '20087': 'incorrect_cvc',
  '20091': 'processing_error',
  '20096': 'processing_error',
  '20099': 'processing_error',
  '20150': 'authentication_failed',
  '20151': 'authentication_failed',
  '20152': 'authentication_failed',
  '20153': 'authentication_failed',
  '20154': 'authentication_required',
  '30033': 'expired_card',
  '30041': 'lost_card',
  '30043': 'stolen_card',
})

/** Error codes of requests that Checkout.com refuses (422): nothing happened. */
export const refusedCodes = tableOf<DeclineCode>({
  card_number_invalid: 'incorrect_number',
  card_number_required: 'incorrect_number',
  card_expired: 'expired_card',
  card_expiry_month_invalid: 'expired_card',
  card_expiry_year_invalid: 'expired_card',
  cvv_invalid: 'incorrect_cvc',
  processing_channel_id_invalid: 'configuration',
  processing_channel_id_required: 'configuration',
  currency_invalid: 'not_supported',
  payment_method_not_supported: 'not_supported',
})
