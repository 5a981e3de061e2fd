import Type from 'typebox'
import type { Merchant } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { strictObject } from '../../base/shapes.ts'
import { disputeStatuses } from '../../connectors/dispute.ts'
import type { Change } from '../../context.ts'
import { acceptDispute } from '../../disputes/accept.ts'
import { contestDispute, contestShape } from '../../disputes/contest.ts'
import { createDispute } from '../../disputes/create.ts'
import { createShape, type Dispute, type disputes, findDisputes, needDispute, statusShape } from '../../disputes/dispute.ts'
import { fetchDisputes, MOST_FETCHED } from '../../disputes/fetch.ts'
import { disputeFields } from '../../disputes/fields.ts'
import { listedDisputes } from '../../disputes/list.ts'
import { forceSyncDispute } from '../../disputes/sync.ts'
import { updateStatus } from '../../disputes/update-status.ts'
import type { Call } from '../../operations/verb.ts'
import { findPayments, needPayment } from '../../payments/rows.ts'
import { exportedFields } from '../../resources/read.ts'
import { disputeMembers, showDispute } from '../../show/dispute.ts'
import { shapesOf } from '../../show/member.ts'
import { schema, text, texts, time } from '../answer-shapes.ts'
import { type ApiRequest, endpoint, tagged } from '../endpoint.ts'
import { EXAMPLE_DISPUTE, EXAMPLE_PAYMENT } from '../example-ids.ts'
import { profilesOf } from '../profile-header.ts'
import { disputeEvidence } from './dispute-evidence.ts'
import { forceSyncShape, UNANSWERED } from './force-sync.ts'
import { listOperations } from './lists.ts'

const disputeAnswer = schema('Dispute', shapesOf(disputeMembers))

const movedAnswer = schema('DisputeMoved', {
  dispute_id: text,
  payment_id: text,
  dispute_stage: disputeFields.dispute_stage.shape,
  dispute_status: disputeFields.dispute_status.shape,
  ...texts('transition_reason'),
})

const shown = async ({ context, merchant }: Call, dispute: Dispute) =>
  showDispute(dispute, await needPayment(context, merchant.merchant_id, dispute.payment_id))

async function shownAll({ context, merchant }: Pick<ApiRequest, 'context'> & { merchant: Merchant }, rows: readonly Dispute[]) {
  const payments = await findPayments(context, merchant.merchant_id, [...new Set(rows.map(({ payment_id }) => payment_id))])
  const byId = new Map(payments.map(payment => [payment.payment_id, payment]))
  return rows.map(dispute => showDispute(dispute, byId.get(dispute.payment_id)!))
}

const current = async (call: Call, dispute_id: string) =>
  shown(call, await needDispute(call.context, call.merchant.merchant_id, dispute_id))

/** Returns the answer of a request that is cut short: the dispute as far as it was written. */
const partialResponse = (_call: unknown, written: readonly Change[]) => {
  const change = written.findLast(one => one.rows.some(row => row.table === 'disputes'))
  const dispute = change?.rows.find(row => row.table === 'disputes')?.after as Dispute | undefined
  return change && dispute && showDispute(dispute, change.after as Parameters<typeof showDispute>[1])
}

export const disputeRoutes = tagged(
  'Disputes',
  'Payments disputed by customers at their bank. Processors report disputes by webhook; respond with evidence, or accept the dispute. Amounts withheld by a dispute cannot be refunded.',
  { confidential: 'personal data', sdk: ['disputes', 'Dispute'] },
  [
    endpoint('POST /disputes', 'createDispute', {
      title: 'Record a dispute',
      description: 'Records a dispute that you learned about outside this service. Update its status with update-status.',
      auth: { credential: 'secret', permission: 'disputes:write', scope: 'profile', ids: ['payment_id'] },
      body: createShape,
      answers: disputeAnswer,
      errors: ['not_found', 'duplicate', 'busy'],
      example: {
        summary: 'A chargeback of 5.00 received by letter',
        value: { payment_id: EXAMPLE_PAYMENT, amount: 500, connector_dispute_id: 'CB-2026-0117', connector_reason: 'product_not_received' },
      },
      async replay(call) {
        const { payment_id, connector_dispute_id } = call.body
        const all = await findDisputes(call.context, call.merchant.merchant_id, payment_id)
        const made = all.findLast(one => one.is_manual && one.connector_dispute_id === (connector_dispute_id ?? one.connector_dispute_id))
        return shown(call, made ?? refuse('absent', { what: 'dispute' }))
      },
      partialResponse,
      json: async call => shown(call, await createDispute(call, call.body)),
    }),
    endpoint('GET /disputes/{dispute_id}', 'retrieveDispute', {
      title: 'Retrieve a dispute',
      description:
        'Retrieves a dispute; with force_sync=true its status is first synced with the processor, where that is possible (header force-sync-unanswered).',
      auth: { credential: 'secret', permission: 'payments:read', scope: 'profile' },
      query: strictObject({ force_sync: forceSyncShape }),
      answers: disputeAnswer,
      errors: ['absent'],
      run: async call => {
        const found = await needDispute(call.context, call.merchant.merchant_id, call.path.dispute_id)
        if (!call.query.force_sync) return { json: await shown(call, found) }
        const { dispute, isSilent } = await forceSyncDispute(call, found)
        return { json: await shown(call, dispute), headers: isSilent ? { [UNANSWERED]: dispute.connector } : {} }
      },
    }),
    endpoint('GET /disputes/{connector_id}/fetch', 'fetchDisputes', {
      title: 'Fetch disputes from a processor',
      description: `The disputes of a connector account (its id, or the connector’s name) that were received in a time range, newest first, at most ${MOST_FETCHED}. Undecided disputes are first synced with the processor, where that is possible.`,
      auth: { credential: 'secret', permission: 'disputes:write', scope: 'profile' },
      query: strictObject({ fetch_from: time, fetch_till: time }),
      answers: Type.Array(disputeAnswer),
      errors: ['invalid_value'],
      json: async call => shownAll(call, await fetchDisputes(call, call.path.connector_id, call.query, profilesOf(call))),
    }),
    endpoint('PUT /disputes/{dispute_id}/update-status', 'updateDisputeStatus', {
      title: 'Update the status of a recorded dispute',
      description: 'Updates the status of a manually recorded dispute.',
      auth: { credential: 'secret', permission: 'disputes:write', scope: 'profile' },
      body: statusShape,
      answers: movedAnswer,
      errors: ['absent', 'dispute_refused', 'busy'],
      example: {
        summary: 'The bank decided for the merchant',
        value: { dispute_status: 'dispute_won', transition_reason: 'letter of 2 March' },
      },
      json: async call => {
        const updated = await updateStatus(call, call.path.dispute_id, call.body)
        const { dispute_id, payment_id, dispute_stage, dispute_status, transition_reason } = updated
        return { dispute_id, payment_id, dispute_stage, dispute_status, transition_reason }
      },
    }),
    endpoint('POST /disputes/accept/{dispute_id}', 'acceptDispute', {
      title: 'Accept a dispute',
      description: 'Accepts a dispute: the customer keeps the money.',
      auth: { credential: 'secret', permission: 'disputes:write', scope: 'profile' },
      answers: disputeAnswer,
      errors: ['absent', 'dispute_refused', 'flow_not_supported', 'connector_refused', 'busy'],
      // The claim of the Idempotency-Key names the row that moved, which is the payment; the path names the dispute.
      replay: call => current(call, call.path.dispute_id),
      partialResponse,
      json: async call => shown(call, await acceptDispute(call, call.path.dispute_id)),
    }),
    ...disputeEvidence,
    endpoint('POST /disputes/evidence', 'submitEvidence', {
      title: 'Submit evidence',
      description: 'Contests a dispute: submits the evidence in the body together with every attached file. Submission is final.',
      auth: { credential: 'secret', permission: 'disputes:write', scope: 'profile', ids: ['dispute_id'] },
      body: contestShape,
      answers: disputeAnswer,
      errors: ['absent', 'dispute_refused', 'flow_not_supported', 'not_supported', 'connector_refused', 'busy'],
      example: {
        summary: 'Describes the goods and their delivery',
        value: { dispute_id: EXAMPLE_DISPUTE, product_description: 'Two oak chairs', shipping_tracking_number: 'RR123456785NO' },
      },
      replay: call => current(call, call.body.dispute_id),
      partialResponse,
      json: async call => shown(call, await contestDispute(call, call.body)),
    }),
    ...listOperations<typeof disputes>({
      listed: listedDisputes,
      path: 'disputes',
      name: 'Disputes',
      item: disputeAnswer,
      bare: true,
      show: shownAll,
      facets: { connector: 'connector', currency: 'currency', dispute_status: 'dispute_status', dispute_stage: 'dispute_stage' },
      statuses: { facet: 'dispute_status', all: disputeStatuses },
      choicesAt: '/filter',
      example: {
        summary: 'Disputes that await a response',
        value: { start_time: '2026-01-01T00:00:00.000Z', dispute_status: ['dispute_opened'] },
      },
      columns: exportedFields(disputeFields),
      exportPermission: 'payments:read',
    }),
  ],
)
