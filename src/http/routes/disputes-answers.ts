import Type from 'typebox'
import { evidenceTypes } from '../../connectors/dispute.ts'
import { disputeFields } from '../../disputes/fields.ts'
import { disputeMembers } from '../../show/dispute.ts'
import { shapesOf } from '../../show/member.ts'
import { flag, text, texts } from '../answer-shapes.ts'

export const disputeAnswer = Type.Object(shapesOf(disputeMembers), { title: 'Dispute' })

export const movedAnswer = Type.Object(
  {
    dispute_id: text,
    payment_id: text,
    dispute_stage: disputeFields.dispute_stage.shape,
    dispute_status: disputeFields.dispute_status.shape,
    ...texts('transition_reason'),
  },
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
