import type { DeclineCode } from '../connector.ts'
import type { DisputeStage, DisputeStatus, EvidenceText } from '../dispute.ts'
import { meaningsOf, tableOf } from '../kit/read.ts'

/** Processor response codes of authorizations and settlements. An unlisted code is still a decline. */
export const processorCodes = meaningsOf<DeclineCode>({
  do_not_honor: '2000 2043',
  insufficient_funds: '2001',
  velocity_exceeded: '2002 2003 2086',
  expired_card: '2004 2006',
  incorrect_number: '2005 2007 2008 2009 2022 2051 2062',
  incorrect_cvc: '2010',
  authentication_required: '2011 2099',
  lost_card: '2012 2053',
  stolen_card: '2013 2047',
  fraudulent: '2014 2021 2077 4005',
  transaction_not_permitted: '2015 2019 2085',
  card_declined: '2016 2020 2038 2044 2046',
  revoked: '2017 2018 2070',
  not_supported: '2023 2024 2031 2032 2045 2064 2081 2082',
  configuration: '2025 2026 2028 2029 2030 2071 2072 2079 2087 4018 4023',
  processing_error: '2027 3000',
  operation_declined: '2036 2040',
  invalid_request: '2039 2048 2050 2061 2068 2069 2073',
  restricted_card: '2057',
  incorrect_address: '2059 2060',
  payment_declined: '2074 2075 2076 2084',
  not_allowed: '4019 4021 4024',
})

export const rejections = meaningsOf<DeclineCode>({
  incorrect_address: 'AVS',
  incorrect_cvc: 'AVS_AND_CVV CVV',
  card_declined: 'DUPLICATE',
  velocity_exceeded: 'EXCESSIVE_RETRY',
  fraudulent: 'FRAUD RISK_THRESHOLD',
  authentication_failed: 'THREE_D_SECURE',
  configuration: 'APPLICATION_INCOMPLETE MANUAL_TRANSACTIONS_DISABLED TOKEN_ISSUANCE',
  restricted_card: 'PAYMENT_METHOD_BLOCKED',
})

/** Codes of validation errors, which report that the request did nothing. An unlisted code is an invalid request. */
export const validationCodes = meaningsOf<DeclineCode>({
  not_supported: '81703 91517 91546 91547 91558 91567 91577 82902 915104 915195 915213 915220 915222',
  incorrect_cvc: '81706 81707 81736',
  expired_card: '81709 81710 81711 81712 81713',
  incorrect_number: '81714 81715 81716 81717 81750',
  authentication_failed: '81571',
  not_allowed: '91504 91505 91506 91507 91512 91521 91522 91564 91574 95701 95704 95705',
  configuration: '91513 91514 91538 91559 91576 82904',
  invalid_request: '91565',
  operation_declined: '91579 95601 95602 95603 95606 915200 915201',
  revoked: '91583',
  processing_error: '92910',
})

/** Another request with this key is under way, or was before; its result decides. */
export const keyErrors: readonly string[] = ['915231', '915232', '915233', '915234', '915235']

/** As card networks write them. */
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

/** Unlisted texts are general. */
export const textCategories: Readonly<Partial<Record<EvidenceText, string>>> = {
  customer_email_address: 'PURCHASER_EMAIL_ADDRESS',
  customer_name: 'PURCHASER_NAME',
  customer_purchase_ip: 'PURCHASER_IP_ADDRESS',
  shipping_carrier: 'CARRIER_NAME',
  shipping_tracking_number: 'TRACKING_NUMBER',
}
