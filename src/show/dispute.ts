import { type Dispute, isAlreadyRefunded } from '../disputes/dispute.ts'
import type { Payment } from '../payments/payment.ts'

/** What a payment shows of each of its disputes. */
export const showDisputeOfPayment = (dispute: Dispute): Record<string, unknown> => ({
  dispute_id: dispute.dispute_id,
  amount: String(dispute.amount),
  dispute_stage: dispute.dispute_stage,
  dispute_status: dispute.dispute_status,
  connector_status: dispute.connector_status,
  connector_dispute_id: dispute.connector_dispute_id,
  connector_reason: dispute.connector_reason,
  connector_reason_code: dispute.connector_reason_code,
  challenge_required_by: dispute.challenge_required_by,
  connector_created_at: dispute.connector_created_at,
  connector_updated_at: dispute.connector_updated_at,
  created_at: dispute.created_at,
})

/** A dispute as the interface shows it. */
export const showDispute = (dispute: Dispute, payment: Payment): Record<string, unknown> => ({
  ...showDisputeOfPayment(dispute),
  payment_id: dispute.payment_id,
  attempt_id: dispute.attempt_id,
  currency: dispute.currency,
  connector: dispute.connector,
  profile_id: dispute.profile_id,
  merchant_connector_id: dispute.merchant_connector_id,
  is_already_refunded: isAlreadyRefunded(payment),
  is_manual: dispute.is_manual,
})

/** The files that are attached. */
export const showEvidence = ({ evidence }: Dispute): Record<string, unknown>[] =>
  Object.entries(evidence?.files ?? {}).map(([evidence_type, { file_id, file_name, file_size, file_type }]) => ({
    evidence_type,
    file_metadata_response: { file_id, file_name, file_size, file_type, available: true },
  }))
