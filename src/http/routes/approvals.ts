import Type from 'typebox'
import { updateMerchant } from '../../accounts/merchants.ts'
import { secondPersonOf, secondPersonShape } from '../../accounts/second-person.ts'
import { refuse } from '../../base/refusal.ts'
import { boundedText, shortText, strictObject } from '../../base/shapes.ts'
import { listApprovals, needApproval } from '../../users/approvals.ts'
import { checkOperatorRefund, checkSecondPerson } from '../../users/second-person.ts'
import { count, flag, schema } from '../answer-shapes.ts'
import { decideApproval } from '../approval-requests.ts'
import { type ApiRequest, endpoint, tagged } from '../endpoint.ts'
import { profilesOf, roleHoldsFor } from '../profile-header.ts'
import { afterWrite } from './accounts.ts'
import { approvalAnswer, approvalStatus, showApproval, showApprovals } from './approvals-answers.ts'
import { personIn } from './users-team.ts'

const USUAL = 50

const listQuery = strictObject({
  status: Type.Optional(approvalStatus),
  profile_id: Type.Optional(shortText),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: `Default ${USUAL}` })),
  starting_after: Type.Optional(boundedText(64)),
})

const reason = Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Why; it is shown with the approval' }))
const settings = schema('SecondPerson', secondPersonShape.properties)

type Decision = Pick<ApiRequest, 'who' | 'service' | 'context'> & { path: { approval_id: string }; body: { reason?: string } }

async function decide(call: Decision, as: 'approved' | 'rejected') {
  const { service, context, body } = call
  const person = personIn(call)
  const { merchant_id } = person.merchant ?? refuse('forbidden', { problem: 'You have no role at a merchant' })
  const approval = await needApproval(context, merchant_id, call.path.approval_id)
  if (as === 'approved' && approval.subject_kind === 'payment') checkOperatorRefund(person.merchant!, person.role, approval)
  return showApproval(context, await decideApproval(service, context, person, approval, as, body.reason ?? null))
}

export const approvalRoutes = tagged(
  'Approvals',
  'Money that one person alone does not move. Where the merchant account says so (`second_person`), a refund or a payout that a *person* asks for above an amount is not sent: the response is a 202 with an approval, and another person of the merchant who may do the same approves or rejects it. The operation then runs once, under the name and the Idempotency-Key of the person who asked. Requests with an API key are never held.',
  { confidential: 'personal data', sdk: ['approvals', 'Approval'] },
  [
    endpoint('GET /approvals', 'listApprovals', {
      title: 'List approvals',
      description: 'Lists requests that need the approval of a second person, newest first.',
      auth: { credential: 'secret', permission: 'payments:read', scope: 'profile' },
      query: listQuery,
      answers: schema('Approvals', { size: count, has_more: flag, data: Type.Array(approvalAnswer) }),
      json: async call => {
        const { context, merchant, query } = call
        const { status = null, profile_id, limit = USUAL, starting_after: after = null } = query
        const profiles =
          profile_id === undefined ? profilesOf(call) : [profile_id].filter(id => roleHoldsFor(call.who)?.includes(id) ?? true)
        const found = await listApprovals(context, merchant.merchant_id, { status, profiles, after, limit: limit + 1 })
        const data = await showApprovals(context, found.slice(0, limit))
        return { size: data.length, has_more: found.length > limit, data }
      },
    }),
    endpoint('GET /approvals/settings', 'retrieveSecondPerson', {
      sdk: 'approvals.retrieveSettings',
      title: 'Retrieve what needs a second person',
      description: 'Retrieves what of this merchant needs a second person.',
      auth: { credential: 'secret', permission: 'payments:read', scope: 'profile' },
      query: strictObject({}),
      answers: settings,
      json: ({ merchant }) => secondPersonOf(merchant),
    }),
    endpoint('POST /approvals/settings', 'updateSecondPerson', {
      sdk: 'approvals.updateSettings',
      title: 'Set when a second person is needed',
      description:
        'Replaces what of this merchant needs a second person. Once amounts are set, a person changes this with a second one too.',
      auth: { credential: 'secret', permission: 'users:write', scope: 'merchant' },
      body: secondPersonShape,
      answers: settings,
      approval: approvalAnswer,
      errors: ['invalid_value', 'busy'],
      example: { summary: 'Above 500.00 EUR', value: { above: { EUR: 50_000 } } },
      json: call => {
        const { context, merchant, service, body } = call
        const { merchant_id } = merchant
        const unknown = { profile_id: null, currency: null, amount: null, total: null }
        checkSecondPerson(call, { subject_kind: 'merchant', subject_id: merchant_id, ...unknown })
        return afterWrite(service, updateMerchant(context, merchant_id, { second_person: body }, secondPersonOf))
      },
    }),
    endpoint('GET /approvals/{approval_id}', 'retrieveApproval', {
      title: 'Retrieve an approval',
      description: 'Retrieves an approval.',
      auth: { credential: 'secret', permission: 'payments:read', scope: 'profile' },
      answers: approvalAnswer,
      json: async ({ context, merchant, path }) =>
        showApproval(context, await needApproval(context, merchant.merchant_id, path.approval_id)),
    }),
    endpoint('POST /approvals/{approval_id}/approve', 'approveApproval', {
      title: 'Approve a request',
      description:
        'Approves what another person asked for: the operation runs, and the approval contains its result. Requires the permission of that operation.',
      auth: { credential: 'user', permission: 'payments:write', scope: 'profile' },
      body: strictObject({ reason }),
      answers: approvalAnswer,
      errors: ['busy'],
      json: call => decide(call, 'approved'),
    }),
    endpoint('POST /approvals/{approval_id}/reject', 'rejectApproval', {
      title: 'Reject a request',
      description: 'Rejects what another person asked for: nothing is sent. Requires the permission of that operation.',
      auth: { credential: 'user', permission: 'payments:write', scope: 'profile' },
      body: strictObject({ reason }),
      answers: approvalAnswer,
      errors: ['busy'],
      example: { summary: 'Another amount was agreed', value: { reason: 'the customer agreed to half' } },
      json: call => decide(call, 'rejected'),
    }),
  ],
)
