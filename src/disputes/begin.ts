import type { DisputeReport } from '../connectors/dispute.ts'
import type { Time } from '../context.ts'
import type { Payment } from '../payments/payment.ts'
import { initialRowOf, storedMembers } from '../resources/read.ts'
import type { Dispute } from './dispute.ts'
import { disputeFields } from './fields.ts'
import { mergeReport } from './merge.ts'

/**
 * The disputed authorization and its account. `is_manual`: the merchant recorded the dispute, no processor reported
 * it.
 */
type Of = Pick<Dispute, 'attempt_id' | 'authorization_n' | 'connector' | 'merchant_connector_id' | 'is_manual'>

const initialRow = initialRowOf(disputeFields)

/** `report`: the first news. `ask`: the request of a merchant who records the dispute. Pure. */
export const newDispute = (payment: Payment, dispute_id: string, report: DisputeReport, of: Of, now: Time, ask: object = {}): Dispute => ({
  ...initialRow(storedMembers(disputeFields, 'column', ask)),
  ...mergeReport(undefined, report)!,
  ...of,
  merchant_id: payment.merchant_id,
  dispute_id,
  payment_id: payment.payment_id,
  alone: null,
  kept: 0,
  withdrawn_at: null,
  returned_at: null,
  profile_id: payment.profile_id,
  connector_dispute_id: report.reference,
  evidence: null,
  due_at: null,
  created_at: now,
  updated_at: now,
})
