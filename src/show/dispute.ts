import { type Dispute, isAlreadyRefunded } from '../disputes/dispute.ts'
import { disputeFields } from '../disputes/fields.ts'
import type { Payment } from '../payments/payment.ts'
import { type Audience, type Members, membersOf, renderer } from './member.ts'

type Looked = { audience: Audience; payment: Payment }

export const disputeMembers: Members<Dispute, Looked> = membersOf<Dispute, Looked, typeof disputeFields>(disputeFields, {
  amount: { from: ({ amount }) => String(amount) },
  is_already_refunded: { from: (_dispute, { payment }) => isAlreadyRefunded(payment) },
})

/** Only in the answer about a dispute alone: a payment's answer has these itself. Its currency may be another. */
const alone = 'payment_id attempt_id connector profile_id merchant_connector_id is_already_refunded is_manual'.split(' ')

const render = renderer(disputeMembers)
const renderOfPayment = renderer<Dispute, { audience: Audience }>(
  Object.fromEntries(Object.entries(disputeMembers).filter(([name]) => !alone.includes(name))) as Members<Dispute, { audience: Audience }>,
)

export const showDisputeOfPayment = (dispute: Dispute): Record<string, unknown> => renderOfPayment(dispute, { audience: 'server' })

export const showDispute = (dispute: Dispute, payment: Payment): Record<string, unknown> => render(dispute, { audience: 'server', payment })

export const showEvidence = ({ evidence }: Dispute): Record<string, unknown>[] =>
  Object.entries(evidence?.files ?? {}).map(([evidence_type, { file_id, file_name, file_size, file_type }]) => ({
    evidence_type,
    file_metadata_response: { file_id, file_name, file_size, file_type, available: true },
  }))
