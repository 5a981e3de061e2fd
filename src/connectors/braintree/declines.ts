import type { DeclineCode } from '../connector.ts'
import type { DisputeStage, DisputeStatus, EvidenceText } from '../dispute.ts'
import { tableOf } from '../kit/read.ts'

/** Words of Braintree, in ours. */

/** Processor response codes of authorizations and settlements. What is not here is still a no. */
export const processorCodes = tableOf<DeclineCode>({
  '2000': 'do_not_honor',
  '2001': 'insufficient_funds',
  '2002': 'velocity_exceeded',
  '2003': 'velocity_exceeded',
  '2004': 'expired_card',
  '2005': 'incorrect_number',
  '2006': 'expired_card',
  '2007': 'incorrect_number',
  '2008': 'incorrect_number',
  '2009': 'incorrect_number',
  '2010': 'incorrect_cvc',
  '2011': 'authentication_required',
  '2012': 'lost_card',
  '2013': 'stolen_card',
  '2014': 'fraudulent',
  '2015': 'transaction_not_permitted',
  '2016': 'card_declined',
  '2017': 'revoked',
  '2018': 'revoked',
  '2019': 'transaction_not_permitted',
  '2020': 'card_declined',
  '2021': 'fraudulent',
  '2022': 'incorrect_number',
  '2023': 'not_supported',
  '2024': 'not_supported',
  '2025': 'configuration',
  '2026': 'configuration',
  '2027': 'processing_error',
  '2028': 'configuration',
  '2029': 'configuration',
  '2030': 'configuration',
  '2031': 'not_supported',
  '2032': 'not_supported',
  '2036': 'operation_declined',
  '2038': 'card_declined',
  '2039': 'invalid_request',
  '2040': 'operation_declined',
  '2043': 'do_not_honor',
  '2044': 'card_declined',
  '2045': 'not_supported',
  '2046': 'card_declined',
  '2047': 'stolen_card',
  '2048': 'invalid_request',
  '2050': 'invalid_request',
  '2051': 'incorrect_number',
  '2053': 'lost_card',
  '2057': 'restricted_card',
  '2059': 'incorrect_address',
  '2060': 'incorrect_address',
  '2061': 'invalid_request',
  '2062': 'incorrect_number',
  '2064': 'not_supported',
  '2075': 'card_declined',
  '2084': 'card_declined',
  '2099': 'authentication_required',
  '3000': 'processing_error',
})

/** Why Braintree's own rules rejected it. */
export const rejections = tableOf<DeclineCode>({
  AVS: 'incorrect_address',
  AVS_AND_CVV: 'incorrect_cvc',
  CVV: 'incorrect_cvc',
  DUPLICATE: 'card_declined',
  EXCESSIVE_RETRY: 'velocity_exceeded',
  FRAUD: 'fraudulent',
  RISK_THRESHOLD: 'fraudulent',
  THREE_D_SECURE: 'authentication_failed',
  APPLICATION_INCOMPLETE: 'configuration',
  MANUAL_TRANSACTIONS_DISABLED: 'configuration',
  PAYMENT_METHOD_BLOCKED: 'restricted_card',
  TOKEN_ISSUANCE: 'configuration',
})

/** Codes of validation errors, of requests that did nothing. What is not here is an invalid request. */
export const validationCodes = tableOf<DeclineCode>({
  '81703': 'not_supported',
  '81706': 'incorrect_cvc',
  '81707': 'incorrect_cvc',
  '81736': 'incorrect_cvc',
  '81709': 'expired_card',
  '81710': 'expired_card',
  '81711': 'expired_card',
  '81712': 'expired_card',
  '81713': 'expired_card',
  '81714': 'incorrect_number',
  '81715': 'incorrect_number',
  '81716': 'incorrect_number',
  '81717': 'incorrect_number',
  '81750': 'incorrect_number',
  '81571': 'authentication_failed',
  '91504': 'not_allowed',
  '91505': 'not_allowed',
  '91506': 'not_allowed',
  '91507': 'not_allowed',
  '91512': 'not_allowed',
  '91513': 'configuration',
  '91514': 'configuration',
  '91517': 'not_supported',
  '91521': 'not_allowed',
  '91522': 'not_allowed',
  '91538': 'configuration',
  '91546': 'not_supported',
  '91547': 'not_supported',
  '91558': 'not_supported',
  '91559': 'configuration',
  '91567': 'not_supported',
  '91574': 'not_allowed',
  '91577': 'not_supported',
  '95601': 'operation_declined',
  '95602': 'operation_declined',
  '95603': 'operation_declined',
  '95606': 'operation_declined',
  '95701': 'not_allowed',
  '95704': 'not_allowed',
  '95705': 'not_allowed',
  '915104': 'not_supported',
  '915195': 'not_supported',
  '915200': 'operation_declined',
  '915201': 'operation_declined',
  '915213': 'not_supported',
  '915220': 'not_supported',
  '915222': 'not_supported',
})

/** Errors of the key that a request goes under: another one of that key is on its way, or was, and decides. */
export const keyErrors: readonly string[] = ['915231', '915232', '915233', '915234', '915235']

/** Checks of the security code and the address, as networks write them. */
export const checks = tableOf<string>({
  MATCHES: 'M',
  DOES_NOT_MATCH: 'N',
  NOT_VERIFIED: 'U',
  NOT_PROVIDED: 'I',
  ISSUER_DOES_NOT_PARTICIPATE: 'S',
  NOT_APPLICABLE: 'A',
  BYPASS: 'B',
})

export const stagesByType = tableOf<DisputeStage>({
  RETRIEVAL: 'pre_dispute',
  CHARGEBACK: 'dispute',
  PRE_ARBITRATION: 'pre_arbitration',
})

export const statusesByWord = tableOf<DisputeStatus>({
  OPEN: 'dispute_opened',
  DISPUTED: 'dispute_challenged',
  UNDER_REVIEW: 'dispute_challenged',
  ACCEPTED: 'dispute_accepted',
  AUTO_ACCEPTED: 'dispute_accepted',
  EXPIRED: 'dispute_expired',
  WON: 'dispute_won',
  LOST: 'dispute_lost',
})

/** Under which category a text is handed in; the others are general. */
export const textCategories: Readonly<Partial<Record<EvidenceText, string>>> = {
  customer_email_address: 'PURCHASER_EMAIL_ADDRESS',
  customer_name: 'PURCHASER_NAME',
  customer_purchase_ip: 'PURCHASER_IP_ADDRESS',
  shipping_carrier: 'CARRIER_NAME',
  shipping_tracking_number: 'TRACKING_NUMBER',
}
