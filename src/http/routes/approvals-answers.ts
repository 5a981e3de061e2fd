import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import type { Context } from '../../context.ts'
import { type Approval, approvalStatuses, askedBody, namesOfDeciders } from '../../users/approvals.ts'
import { amounts, open, schema, text, texts, time, times } from '../answer-shapes.ts'

export const approvalStatus = Type.Enum(Object.keys(approvalStatuses), {
  description: Object.entries(approvalStatuses)
    .map(([status, means]) => `\`${status}\`: ${means}`)
    .join('. '),
})

export const approvalAnswer = schema('Approval', {
  approval_id: text,
  status: approvalStatus,
  operation: Type.String({ description: 'What was asked for, by the name of the operation: createRefund, fulfillPayout …' }),
  object_kind: Type.Enum(['payment', 'payout', 'merchant']),
  object_id: text,
  ...texts('profile_id'),
  ...amounts('amount'),
  ...texts('currency'),
  request: orNull(Type.Object({}, { ...open, description: 'The body of the request; null once the approval is over' })),
  asked_by: Type.String({ description: 'The person who asked' }),
  ...texts('asked_by_name'),
  ...texts('decided_by decided_by_name'),
  ...times('decided_at'),
  ...texts('reason'),
  result_id: orNull(Type.String({ description: 'What the operation made or changed: a refund, a payout, a payment' })),
  ...texts('error_code error_message'),
  created: time,
  expires_at: time,
})

export async function showApprovals(context: Pick<Context, 'query' | 'vault'>, all: readonly Approval[]) {
  const names = await namesOfDeciders(context, all)
  return all.map(approval => ({
    approval_id: approval.approval_id,
    status: approval.status,
    operation: approval.operation,
    object_kind: approval.subject_kind,
    object_id: approval.subject_id,
    profile_id: approval.profile_id,
    amount: approval.amount,
    currency: approval.currency,
    request: askedBody(context, approval),
    asked_by: approval.asked_by,
    asked_by_name: names.get(approval.asked_by) ?? null,
    decided_by: approval.decided_by,
    decided_by_name: (approval.decided_by && names.get(approval.decided_by)) ?? null,
    decided_at: approval.decided_at,
    reason: approval.reason,
    result_id: approval.result_id,
    error_code: approval.error_code,
    error_message: approval.error_message,
    created: approval.created,
    expires_at: approval.expires_at,
  }))
}

export const showApproval = async (context: Pick<Context, 'query' | 'vault'>, approval: Approval) =>
  (await showApprovals(context, [approval]))[0]!
