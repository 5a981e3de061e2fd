import type { Merchant } from '../accounts/merchant.ts'
import type { OperationHistory } from '../operations/history.ts'
import { type AttemptResult, isANo, isUnfinished, type Operation } from '../operations/operation.ts'
import type { PaymentStatus } from '../payments/lifecycle.ts'
import type { Payment } from '../payments/payment.ts'
import type { View } from './member.ts'
import { labelOf } from './operations.ts'
import { errorDetails, unifiedMessage } from './problem.ts'
import { showRouted } from './routing.ts'

/** `operations`: all, because some undo others. Without `historyOf`, the latency is unknown. No `why` for browsers. */
export function showAttempts(
  merchant: Merchant,
  payment: Payment,
  operations: readonly Operation[],
  historyOf?: (operation: Operation) => OperationHistory,
  view: Pick<View, 'audience' | 'acceptLanguage'> = { audience: 'server' },
): Record<string, unknown>[] {
  const besidesOf = ({ n }: Operation): Besides => ({
    undoing: operations.findLast(one => one.purpose === 'reversal' && one.acts_on === n),
    changing: operations.findLast(
      one => one.purpose === 'merchant' && one.acts_on === n && isUnfinished(one) && (one.verb === 'void' || one.verb === 'capture'),
    ),
  })
  return operations
    .filter(one => one.verb === 'authorize')
    .map(one => showAttempt(merchant, payment, one, { ...besidesOf(one), view }, historyOf?.(one).latency_ms ?? null))
    .map(shown => (view.audience === 'server' ? shown : { ...shown, why: null }))
}

export const showRoute = (merchant: Merchant, stops: readonly AttemptResult[]): Record<string, unknown>[] =>
  stops.map(({ merchant_connector_id, state, code }) => ({
    merchant_connector_id,
    connector_label: labelOf(merchant, merchant_connector_id),
    state,
    error_code: isANo({ state }) ? (code ?? state) : null,
  }))

/** `undoing` returns the money, which no payment expected; `changing`: the merchant's unanswered void or capture. */
type Besides = { undoing: Operation | undefined; changing: Operation | undefined }

function attemptStatus(payment: Payment, operation: Operation, { undoing, changing }: Besides): string {
  switch (operation.state) {
    case 'open':
    case 'unknown':
      return 'pending'
    case 'waiting':
      return payment.next_action ? 'authentication_pending' : 'pending'
    case 'unresolved':
      return 'unresolved'
    case 'conflicted':
      return 'integrity_failure'
    case 'lapsed':
      return 'expired'
    case 'done':
      if (undoing) return undone(undoing)
      if (endings[payment.status] !== undefined) return endings[payment.status]!
      if (payment.amount_received === 0)
        return changing ? `${changing.verb}_initiated` : payment.status === PARTLY_AUTHORIZED ? 'partially_authorized' : 'authorized'
      if (payment.amount_received >= payment.net_amount) return 'charged'
      return payment.amount_capturable > 0 ? 'partial_charged_and_chargeable' : 'partial_charged'
    default:
      return 'failure'
  }
}

const PARTLY_AUTHORIZED = 'partially_authorized_and_requires_capture'

/** Of an approved attempt, in payments that have ended in another way than by their capture. */
const endings: Partial<Record<PaymentStatus, string>> = {
  cancelled: 'voided',
  cancelled_post_capture: 'voided_post_charge',
  expired: 'expired',
  review: 'capture_review',
}

/** Of an attempt whose money no payment expected: it was returned, or is being returned. */
function undone({ verb, state }: Operation): string {
  if (state === 'done' || state === 'lapsed') return verb === 'void' ? 'voided' : 'auto_refunded'
  if (isUnfinished({ state })) return verb === 'void' ? 'void_initiated' : 'charged'
  return 'unresolved'
}

function showAttempt(
  merchant: Merchant,
  payment: Payment,
  operation: Operation,
  { view, ...besides }: Besides & { view: Pick<View, 'acceptLanguage'> },
  latency_ms: number | null,
): Record<string, unknown> {
  const no = isANo(operation)
  // The payment keeps the unified error of its latest attempt.
  const unified = no && operation.attempt === payment.attempt_count ? payment.last_error : null
  return {
    attempt_id: `${payment.payment_id}_${operation.attempt}`,
    status: attemptStatus(payment, operation, besides),
    amount: operation.amount,
    order_tax_amount: payment.request.order_tax_amount ?? null,
    currency: operation.currency,
    connector: operation.connector,
    merchant_connector_id: operation.merchant_connector_id,
    connector_label: labelOf(merchant, operation.merchant_connector_id),
    state: operation.state,
    latency_ms,
    why: operation.response?.why ?? null,
    error_message: no ? (operation.response?.words ?? operation.response?.why ?? null) : null,
    payment_method: payment.request.payment_method ?? null,
    connector_transaction_id: operation.reference,
    capture_method: payment.capture_method,
    authentication_type: payment.authentication_type,
    created_at: operation.began,
    modified_at: operation.modified_at,
    cancellation_reason: payment.cancellation_reason,
    mandate_id: payment.request.mandate_id ?? null,
    error_code: no ? (operation.response?.code ?? operation.state) : null,
    payment_token: null,
    connector_metadata: null,
    payment_experience: payment.request.payment_experience ?? null,
    payment_method_type: payment.request.payment_method_type ?? null,
    reference_id: operation.request_id,
    unified_code: unified?.unified_code ?? null,
    unified_message: unified && unifiedMessage(payment, view),
    client_source: null,
    client_version: null,
    error_details: unified && errorDetails(payment),
    routing: operation.routing && showRouted(merchant, operation.routing),
  }
}
