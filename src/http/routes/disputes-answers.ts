import Type from 'typebox'
import { disputeStages, disputeStatuses, evidenceTypes } from '../../connectors/dispute.ts'
import { currency } from '../../payments/fields/sold.ts'
import { flag, text, texts, time, times } from '../answer-shapes.ts'

const stage = Type.Enum([...disputeStages])
const status = Type.Enum([...disputeStatuses])
const ofPayment = {
  dispute_id: text,
  amount: Type.String({ description: 'In the lowest denomination of the currency, as text' }),
  dispute_stage: stage,
  dispute_status: status,
  connector_status: text,
  connector_dispute_id: text,
  ...texts('connector_reason connector_reason_code'),
  ...times('challenge_required_by connector_created_at connector_updated_at'),
  created_at: time,
}

export const disputeAnswer = Type.Object(
  {
    ...ofPayment,
    payment_id: text,
    attempt_id: text,
    currency,
    connector: text,
    ...texts('profile_id merchant_connector_id'),
    is_already_refunded: flag,
    is_manual: flag,
  },
  { title: 'Dispute' },
)

export const movedAnswer = Type.Object(
  { dispute_id: text, payment_id: text, dispute_stage: stage, dispute_status: status, ...texts('transition_reason') },
  { title: 'DisputeMoved' },
)

export const fileAnswer = Type.Object({ file_id: text }, { title: 'EvidenceFile' })

export const evidenceAnswer = Type.Array(
  Type.Object(
    {
      evidence_type: Type.Enum([...evidenceTypes]),
      file_metadata_response: Type.Object(
        { file_id: text, file_name: text, file_size: Type.Integer(), file_type: text, available: flag },
        { title: 'FileMetadata' },
      ),
    },
    { title: 'DisputeEvidence' },
  ),
)
