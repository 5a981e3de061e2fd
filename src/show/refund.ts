import type { Refund } from '../refunds/refund.ts'

/** A refund as the interface shows it. */
export function showRefund(refund: Refund): Record<string, unknown> {
  const error = refund.last_error
  return {
    refund_id: refund.refund_id,
    payment_id: refund.payment_id,
    amount: refund.amount,
    currency: refund.currency,
    status: refund.status,
    reason: refund.reason,
    metadata: refund.metadata,
    error_message: error?.error_message ?? null,
    error_code: error?.error_code ?? null,
    unified_code: error?.unified_code ?? null,
    unified_message: error?.unified_message ?? null,
    issuer_error_code: error?.issuer_error_code ?? null,
    issuer_error_message: error?.issuer_error_message ?? null,
    created_at: refund.created_at,
    updated_at: refund.updated_at,
    connector: refund.connector,
    profile_id: refund.profile_id,
    merchant_connector_id: refund.merchant_connector_id,
    connector_refund_id: refund.connector_refund_id,
    split_refunds: refund.split_refunds,
    fee_snapshot: refund.fee,
    raw_connector_response: null,
  }
}
