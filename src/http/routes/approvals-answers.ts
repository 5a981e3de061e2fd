import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import type { Context } from '../../context.ts'
import { type Approval, approvalStatuses, askedBody, namesOfDeciders } from '../../users/approvals.ts'
import { amounts, open, schema, text, texts, time, times, wordOf } from '../answer-shapes.ts'

export const approvalStatus = wordOf(approvalStatuses)

export const approvalAnswer = schema('Approval', {
  approval_id: text,
  status: approvalStatus,
  operation: Type.String({ description: 'What was asked for, by the name of the operation: createRefund, fulfillPayout …' }),
  object_kind: Type.Enum(['payment', 'payout', 'merchant', 'settlement_difference']),
  object_id: text,
  ...texts('profile_id'),
  ...amounts('amount'),
  ...texts('currency'),
  request: orNull(Type.Object({}, { ...open, description: 'The body of the request; null once the approval is over' })),
  asked_by: Type.String({ description: 'The person who asked' }),
  ...texts('asked_by_name decided_by decided_by_name'),
  ...times('decided_at'),
  ...texts('reason'),
  result_id: orNull(Type.String({ description: 'What the operation made or changed: a refund, a payout, a payment' })),
  ...texts('error_code error_message'),
  created: time,
  expires_at: time,
})

export async function showApprovals(context: Pick<Context, 'query' | 'vault'>, all: readonly Approval[]) {
  const names = await namesOfDeciders(context, all)
  return all.map(approval => {
    const { approval_id, status, operation, subject_kind, subject_id, profile_id, amount, currency, asked_by, decided_by } = approval
    const { decided_at, reason, result_id, error_code, error_message, created, expires_at } = approval
    return {
      ...{ approval_id, status, operation, object_kind: subject_kind, object_id: subject_id, profile_id, amount, currency },
      request: askedBody(context, approval),
      asked_by,
      asked_by_name: names.get(asked_by) ?? null,
      decided_by,
      decided_by_name: (decided_by && names.get(decided_by)) ?? null,
      ...{ decided_at, reason, result_id, error_code, error_message, created, expires_at },
    }
  })
}

export const showApproval = async (context: Pick<Context, 'query' | 'vault'>, approval: Approval) =>
  (await showApprovals(context, [approval]))[0]!
