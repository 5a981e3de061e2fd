import Type from 'typebox'
import { evidenceTypes } from '../../connectors/dispute.ts'
import { disputeFields } from '../../disputes/fields.ts'
import { disputeMembers } from '../../show/dispute.ts'
import { shapesOf } from '../../show/member.ts'
import { flag, schema, text, texts } from '../answer-shapes.ts'

export const disputeAnswer = schema('Dispute', shapesOf(disputeMembers))

export const movedAnswer = schema('DisputeMoved', {
  dispute_id: text,
  payment_id: text,
  dispute_stage: disputeFields.dispute_stage.shape,
  dispute_status: disputeFields.dispute_status.shape,
  ...texts('transition_reason'),
})

export const fileAnswer = schema('EvidenceFile', { file_id: text })

export const evidenceAnswer = Type.Array(
  schema('DisputeEvidence', {
    evidence_type: Type.Enum([...evidenceTypes]),
    file_metadata_response: schema('FileMetadata', {
      file_id: text,
      file_name: text,
      file_size: Type.Integer(),
      file_type: text,
      available: flag,
    }),
  }),
)
