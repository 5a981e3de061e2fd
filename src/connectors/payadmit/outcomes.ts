import type { Outcome } from '../connector.ts'
import { declinedWith, unknown } from '../kit/parse-reply.ts'
import type { PayadmitPayment, PayadmitPaymentType } from './replies.ts'

/** The outcomes of PayAdmit's payments. Pure. */

export function outcomeOf(
  { id, referenceId, paymentType, state, money, redirectUrl, errorCode, externalResultCode }: PayadmitPayment,
  kind: PayadmitPaymentType | undefined,
): Outcome {
  if (paymentType !== kind) return unknown('the response is for another kind of payment')
  switch (state) {
    case 'COMPLETED':
      return { is: 'done', reference: id, request_id: referenceId, amount: money, captured: kind === 'DEPOSIT' ? money : null, facts: {} }
    case 'PENDING':
      return { is: 'waiting', reference: id, ...(redirectUrl !== null && { next_action: { type: 'redirect_to_url', url: redirectUrl } }) }
    case 'CANCELLED':
    case 'DECLINED':
    case 'ERROR':
      return {
        ...declinedWith(codeOf(state, kind), errorCode || state, `${state}${errorCode && ` (${errorCode})`}`, id),
        ...(externalResultCode !== null && { network_code: externalResultCode }),
      }
  }
}

const codeOf = (state: 'CANCELLED' | 'DECLINED' | 'ERROR', kind: PayadmitPaymentType) =>
  kind !== 'DEPOSIT'
    ? 'operation_declined'
    : state === 'CANCELLED'
      ? 'authentication_failed'
      : state === 'ERROR'
        ? 'processing_error'
        : 'card_declined'
