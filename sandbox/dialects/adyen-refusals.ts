// Adyen's errors for wrong requests, and its refusal reasons of payments.

import type { CardName, DeclineCode } from '../cards.ts'

type ErrorType = 'validation' | 'security' | 'configuration' | 'internal'

/** An error answer. Nothing happened. */
export class AdyenRefusal extends Error {
  readonly status: number
  readonly errorCode: string
  readonly errorType: ErrorType

  constructor(status: number, errorCode: string, message: string, errorType: ErrorType = 'validation') {
    super(message)
    this.status = status
    this.errorCode = errorCode
    this.errorType = errorType
  }

  get body(): object {
    const { status, errorCode, message, errorType } = this
    return { status, errorCode, message, errorType }
  }
}

type Refusal = { reason: string; resultCode: 'Refused' | 'Error' | 'Cancelled' }
const refused = (reason: string): Refusal => ({ reason, resultCode: 'Refused' })

/** The refusalReason and resultCode of each refusalReasonCode. */
export const refusals: Record<string, Refusal> = {
  0: refused('Unknown'),
  2: refused('Refused'),
  3: refused('Referral'),
  4: { reason: 'Acquirer Error', resultCode: 'Error' },
  5: refused('Blocked Card'),
  6: refused('Expired Card'),
  7: refused('Invalid Amount'),
  8: refused('Invalid Card Number'),
  9: refused('Issuer Unavailable'),
  10: refused('Not supported'),
  11: refused('3D Not Authenticated'),
  12: refused('Not enough balance'),
  14: refused('Acquirer Fraud'),
  15: { reason: 'Cancelled', resultCode: 'Cancelled' },
  16: { reason: 'Shopper Cancelled', resultCode: 'Cancelled' },
  17: refused('Invalid Pin'),
  18: refused('Pin tries exceeded'),
  20: refused('FRAUD'),
  22: { reason: 'FRAUD-CANCELLED', resultCode: 'Cancelled' },
  23: refused('Transaction Not Permitted'),
  24: refused('CVC Declined'),
  25: refused('Restricted Card'),
  26: refused('Revocation Of Auth'),
  27: refused('Declined Non Generic'),
  28: refused('Withdrawal amount exceeded'),
  29: refused('Withdrawal count exceeded'),
  31: refused('Issuer Suspected Fraud'),
  32: refused('AVS Declined'),
  33: refused('Card requires online pin'),
  36: refused('Mobile pin required'),
  38: refused('Authentication required'),
  42: refused('3DS Authentication Error'),
  46: refused('Transaction blocked by Adyen to prevent excessive retry fees'),
}

/** The refusalReasonCode that a holder name requests in Adyen's test environment. */
const holders: Record<string, string> = {
  UNKNOWN: '0',
  DECLINED: '2',
  REFERRAL: '3',
  ERROR: '4',
  BLOCK_CARD: '5',
  CARD_EXPIRED: '6',
  INVALID_AMOUNT: '7',
  INVALID_CARD: '8',
  ISSUER_UNAVAILABLE: '9',
  NOT_SUPPORTED: '10',
  NOT_3D_AUTHENTICATED: '11',
  NOT_ENOUGH_BALANCE: '12',
  ACQUIRER_FRAUD: '14',
  INVALID_PIN: '17',
  PIN_TRIES_EXCEEDED: '18',
  FRAUD: '20',
  TRANSACTION_NOT_PERMITTED: '23',
  CVC_DECLINED: '24',
  RESTRICTED_CARD: '25',
  REVOCATION_OF_AUTH: '26',
  DECLINED_NON_GENERIC: '27',
  WITHDRAWAL_AMOUNT_EXCEEDED: '28',
  WITHDRAWAL_COUNT_EXCEEDED: '29',
  ISSUER_SUSPECTED_FRAUD: '31',
  AVS_DECLINED: '32',
}

/**
 * Returns the refusalReasonCode that a payment requests in the test environment, by
 * additionalData.RequestedTestAcquirerResponseCode or the holder's name; null if none.
 */
export function requestedRefusal(code: string | null, holder: string | null): string | null {
  const asked = code ?? (holder !== null && Object.hasOwn(holders, holder) ? holders[holder]! : null)
  if (asked === null || asked === '1') return null
  if (!Object.hasOwn(refusals, asked)) throw new AdyenRefusal(422, '702', `Invalid RequestedTestAcquirerResponseCode: ${asked}`)
  return asked
}

export const cardOfRefusal = (code: string): CardName =>
  (({ 4: 'processing_error', 6: 'expired', 12: 'insufficient_funds', 24: 'incorrect_cvc' }) as const)[code] ?? 'declined'

export const refusalOf: Partial<Record<DeclineCode, string>> = {
  card_declined: '2',
  insufficient_funds: '12',
  lost_card: '5',
  stolen_card: '5',
  expired_card: '6',
  incorrect_cvc: '24',
  processing_error: '4',
  avs_declined: '32',
  authentication_required: '38',
  authentication_failed: '11',
  authentication_expired: '11',
  voided: '15',
  payment_declined: '2',
  rejected: '16',
  not_paid: '16',
}

/** The reasons in notifications for failed modifications. */
export const reasons: Partial<Record<DeclineCode, string>> = {
  capture_declined: 'Insufficient balance on payment',
  capture_failed: 'Capture Failed',
  void_declined: 'Transaction is not cancellable',
  refund_declined: 'Insufficient balance on payment',
  refund_failed: 'Refund Failed',
}
