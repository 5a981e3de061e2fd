import type { Money } from '../base/money.ts'
import type { Time } from '../context.ts'

/** In the API's terms and in order. */
export const disputeStages = ['pre_dispute', 'dispute', 'pre_arbitration', 'arbitration', 'dispute_reversal'] as const
export type DisputeStage = (typeof disputeStages)[number]

// biome-ignore format: a list reads better in rows
export const disputeStatuses = [
  'dispute_opened', 'dispute_expired', 'dispute_accepted', 'dispute_cancelled', 'dispute_challenged', 'dispute_won',
  'dispute_lost',
] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

/** `said`: the processor's own status. Null: not reported. */
export type DisputeReport = {
  reference: string
  stage: DisputeStage
  status: DisputeStatus
  said: string
  amount: Money
  reason: string | null
  reason_code: string | null
  respond_by: Time | null
  created: Time | null
  updated: Time | null
}

// biome-ignore format: a list reads better in rows
export const evidenceTypes = [
  'cancellation_policy', 'customer_communication', 'customer_signature', 'receipt', 'refund_policy',
  'service_documentation', 'shipping_documentation', 'invoice_showing_distinct_transactions',
  'recurring_transaction_agreement', 'uncategorized_file',
] as const
export type EvidenceType = (typeof evidenceTypes)[number]

// biome-ignore format: a list reads better in rows
export const evidenceTexts = [
  'access_activity_log', 'billing_address', 'cancellation_policy_disclosure', 'cancellation_rebuttal',
  'customer_email_address', 'customer_name', 'customer_purchase_ip', 'product_description', 'refund_policy_disclosure',
  'refund_refusal_explanation', 'service_date', 'shipping_address', 'shipping_carrier', 'shipping_date',
  'shipping_tracking_number', 'uncategorized_text',
] as const
export type EvidenceText = (typeof evidenceTexts)[number]

export type EvidenceFile = { type: EvidenceType; name: string; content_type: string; bytes: Buffer }

/** `uploaded`: the processor's ids of files that it received (`upload_evidence`); `files`: sent with the request. */
export type Evidence = {
  texts: Readonly<Partial<Record<EvidenceText, string>>>
  uploaded: Readonly<Partial<Record<EvidenceType, string>>>
  files: readonly EvidenceFile[]
}

export type Uploaded = { is: 'done'; reference: string } | { is: 'refused'; code: string; message: string } | { is: 'unknown'; why: string }
