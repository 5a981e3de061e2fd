import Type from 'typebox'
import type { Merchant } from '../../accounts/merchant.ts'
import { strictObject, withDescription } from '../../base/shapes.ts'
import { needPayment } from '../../payments/rows.ts'
import { createRefund } from '../../refunds/create.ts'
import { refundFields } from '../../refunds/fields.ts'
import { refundStatuses } from '../../refunds/lifecycle.ts'
import { listedRefunds } from '../../refunds/list.ts'
import { manualRefundShape, updateRefundByHand } from '../../refunds/manual-update.ts'
import { needRefund, type Refund, refundShape, type refunds, refundUpdateShape } from '../../refunds/refund.ts'
import { updateRefund } from '../../refunds/update.ts'
import { exportedFields } from '../../resources/read.ts'
import { shapesOf } from '../../show/member.ts'
import { refundMembers, showRefund } from '../../show/refund.ts'
import { flag, schema } from '../answer-shapes.ts'
import { operator } from '../auth.ts'
import { type ApiRequest, endpoint, tagged } from '../endpoint.ts'
import { EXAMPLE_PAYMENT, EXAMPLE_REFUND } from '../example-ids.ts'
import { approvalAnswer } from './approvals-answers.ts'
import { forceSyncShape, synced } from './force-sync.ts'
import { listOperations } from './lists.ts'
import { onBehalf } from './manual-updates.ts'
import { recordReplies } from './processor-responses.ts'

export const refundAnswer = schema('Refund', shapesOf(refundMembers))

const retrieveMembers = {
  force_sync: forceSyncShape,
  all_keys_required: Type.Optional(withDescription(flag, refundFields.all_keys_required.description)),
}

/** Returns a refund, with `all_keys_required` together with the processor's last response in this call. */
async function retrieve(call: ApiRequest<Merchant>, refund_id: string, ask: { force_sync?: boolean; all_keys_required?: boolean }) {
  if (ask.all_keys_required !== true) return syncedRefund(call, refund_id, ask.force_sync ?? false)
  const { call: recorded, lastReply } = recordReplies(call, null)
  const { json, ...more } = await syncedRefund(recorded, refund_id, true)
  return { json: { ...json, raw_connector_response: lastReply() }, ...more }
}

/** Returns a refund. With `force_sync`, and if its result may still change, the processor is queried first. */
async function syncedRefund(call: ApiRequest<Merchant>, refund_id: string, force_sync: boolean) {
  const { merchant_id } = call.merchant
  const refund = await needRefund(call.context, merchant_id, refund_id)
  if (!force_sync || refund.status === 'succeeded') return { json: showRefund(refund) }
  const { headers } = await synced(call, await needPayment(call.context, merchant_id, refund.payment_id))
  return { json: showRefund(await needRefund(call.context, merchant_id, refund_id)), headers }
}

export const refundRoutes = tagged(
  'Refunds',
  'Refunds of captured payments, in full or in parts, never more than the captured amount. A refund is `pending` until the processor responds.',
  { confidential: 'personal data', sdk: ['refunds', 'Refund'] },
  [
    endpoint('POST /refunds', 'createRefund', {
      title: 'Create a refund',
      description: 'Refunds a captured payment, fully or in part.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'profile', ids: ['payment_id'] },
      body: refundShape,
      answers: refundAnswer,
      approval: approvalAnswer,
      errors: [
        'not_found',
        'wrong_state',
        'refund_too_large',
        'invalid_value',
        'too_many_refunds',
        'moved_outside',
        'not_supported',
        'flow_not_supported',
        'duplicate',
        'busy',
      ],
      example: { summary: 'Gives 5.00 back', value: { payment_id: EXAMPLE_PAYMENT, amount: 500, reason: 'one chair came back' } },
      replay: async ({ context, merchant }, refund_id) => showRefund(await needRefund(context, merchant.merchant_id, refund_id)),
      partialResponse: (_call, written) => {
        const rows = written.flatMap(change => change.rows).filter(row => row.table === 'refunds')
        // Refunds of others may be written meanwhile.
        const refund = rows.map(row => row.after as Refund).findLast(({ origin }) => origin === null)
        return refund && showRefund(refund)
      },
      json: async call => {
        if (call.body.all_keys_required !== true) return showRefund(await createRefund(call, call.body))
        const { call: recorded, lastReply } = recordReplies(call, null)
        return { ...showRefund(await createRefund(recorded, call.body)), raw_connector_response: lastReply() }
      },
    }),
    endpoint('GET /refunds/{refund_id}', 'retrieveRefund', {
      title: 'Retrieve a refund',
      description:
        'Retrieves a refund; with force_sync=true its status is first synced with the processor, where that is possible (header force-sync-unanswered).',
      auth: { credential: 'secret', permission: 'payments:read', scope: 'profile' },
      query: strictObject(retrieveMembers),
      answers: refundAnswer,
      run: call => retrieve(call, call.path.refund_id, call.query),
    }),
    endpoint('POST /refunds/{refund_id}', 'updateRefund', {
      title: 'Update a refund',
      description:
        'Updates the reason or metadata of a refund in any status. The processor keeps the reason that the refund was created with.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'profile' },
      body: refundUpdateShape,
      answers: refundAnswer,
      errors: ['invalid_value', 'busy'],
      example: { summary: 'Adds metadata later', value: { metadata: { parcel: 'came back on Friday' } } },
      json: async call => showRefund(await updateRefund(call, call.path.refund_id, call.body)),
    }),
    endpoint('POST /refunds/sync', 'syncRefund', {
      title: 'Sync a refund',
      reads: true,
      description:
        'Syncs a refund with its processor, where that is possible (header force-sync-unanswered), and returns it; force_sync: false skips the sync.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'profile', ids: ['refund_id'] },
      body: strictObject({ refund_id: withDescription(Type.String(), 'Id of the refund'), ...retrieveMembers }),
      answers: refundAnswer,
      errors: ['not_found'],
      example: { summary: 'A refund', value: { refund_id: EXAMPLE_REFUND } },
      run: call => retrieve(call, call.body.refund_id, { force_sync: true, ...call.body }),
    }),
    endpoint('PUT /refunds/{refund_id}/manual-update', 'updateRefundManually', {
      title: 'Resolve a refund manually',
      description:
        'For the operator: sets the result of a refund that is unresolved at the processor, after checking with the processor. A completed refund cannot be changed.',
      auth: operator,
      body: manualRefundShape,
      answers: refundAnswer,
      example: { summary: 'The refund was made', value: { merchant_id: 'chairs', status: 'succeeded' } },
      json: async call => showRefund(await updateRefundByHand(await onBehalf(call, call.body.merchant_id), call.path.refund_id, call.body)),
    }),
    ...listOperations<typeof refunds>({
      listed: listedRefunds,
      path: 'refunds',
      name: 'Refunds',
      item: refundAnswer,
      show: (_call, rows) => rows.map(showRefund),
      facets: { connector: 'connector', currency: 'currency', refund_status: 'status' },
      statuses: { all: Object.keys(refundStatuses) },
      choicesAt: '/v2/filter',
      example: { summary: 'Refunds of this year', value: { start_time: '2026-01-01T00:00:00.000Z', refund_status: ['succeeded'] } },
      columns: exportedFields(refundFields),
      exportPermission: 'payments:read',
    }),
  ],
)
