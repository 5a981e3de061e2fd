import type { DeclineCode } from '../connector.ts'
import { meaningsOf } from '../kit/read.ts'

/** An unlisted code is still a decline. */
export const responseCodes = meaningsOf<DeclineCode>({
  processing_error: '20003 20068 20091 20096 20099',
  invalid_request: '20012 20013',
  incorrect_number: '20014',
  card_declined: '20046',
  insufficient_funds: '20051 20061 20065',
  expired_card: '20054 30033',
  incorrect_cvc: '20087',
  authentication_failed: '20150 20151 20152 20153',
  authentication_required: '20154',
  lost_card: '30041',
  stolen_card: '30043',
})

/** Status 422: nothing happened. */
export const refusedCodes = meaningsOf<DeclineCode>({
  incorrect_number: 'card_number_invalid card_number_required',
  expired_card: 'card_expired card_expiry_month_invalid card_expiry_year_invalid',
  incorrect_cvc: 'cvv_invalid',
  configuration: 'processing_channel_id_invalid processing_channel_id_required',
  not_supported: 'currency_invalid payment_method_not_supported',
})
