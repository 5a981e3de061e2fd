import type { Money } from '../base/money.ts'
import type { Time } from '../context.ts'

/** Disputes as processors tell of them, and as they are answered. A part of the contract of a connector. */

/** How far a dispute has come, in the interface's words; each comes after those before it. */
export const disputeStages = ['pre_dispute', 'dispute', 'pre_arbitration', 'arbitration', 'dispute_reversal'] as const
export type DisputeStage = (typeof disputeStages)[number]

export const disputeStatuses = [
  'dispute_opened',
  'dispute_expired',
  'dispute_accepted',
  'dispute_cancelled',
  'dispute_challenged',
  'dispute_won',
  'dispute_lost',
] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

/**
 * What a processor says of a dispute. `said`: in its own word. `respond_by`: until when it may be answered. Null: not
 * told.
 */
export type DisputeSaid = {
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

/** The files that may be evidence, by what they show. */
export const evidenceTypes = [
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'invoice_showing_distinct_transactions',
  'recurring_transaction_agreement',
  'uncategorized_file',
] as const
export type EvidenceType = (typeof evidenceTypes)[number]

/** And what may be said in words. */
export const evidenceTexts = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'product_description',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_tracking_number',
  'uncategorized_text',
] as const
export type EvidenceText = (typeof evidenceTexts)[number]

/** A file that a processor is given. */
export type EvidenceFile = { type: EvidenceType; name: string; content_type: string; bytes: Buffer }

/** Files that the processor has already (`upload_evidence`) are called as it calls them; the others are given along. */
export type Evidence = {
  texts: Readonly<Partial<Record<EvidenceText, string>>>
  uploaded: Readonly<Partial<Record<EvidenceType, string>>>
  files: readonly EvidenceFile[]
}

/** What it said of a file. */
export type Uploaded = { is: 'done'; reference: string } | { is: 'refused'; code: string; said: string } | { is: 'unknown'; why: string }
