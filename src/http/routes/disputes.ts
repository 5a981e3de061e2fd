import { Readable } from 'node:stream'
import Type from 'typebox'
import { refuse } from '../../base/refusal.ts'
import type { Change } from '../../context.ts'
import { acceptDispute } from '../../disputes/accept.ts'
import { contestDispute, contestShape } from '../../disputes/contest.ts'
import { createDispute } from '../../disputes/create.ts'
import { createShape, type Dispute, findDisputes, needDispute, statusShape } from '../../disputes/dispute.ts'
import { attachEvidence, attachShape, deleteEvidence, deleteFile, deleteShape, uploadFile, uploadShape } from '../../disputes/evidence.ts'
import { fetchDisputes, MOST_FETCHED } from '../../disputes/fetch.ts'
import { fileKinds, needFile } from '../../disputes/files.ts'
import { syncDispute } from '../../disputes/look.ts'
import { updateStatus } from '../../disputes/update-status.ts'
import type { Call } from '../../operations/verb.ts'
import { needPayment } from '../../payments/begin-on-payment.ts'
import { showDispute, showEvidence } from '../../show/dispute.ts'
import { time } from '../answer-shapes.ts'
import { endpoint, tagged } from '../endpoint.ts'
import { EXAMPLE_DISPUTE, EXAMPLE_PAYMENT } from '../example-ids.ts'
import { profilesOf } from '../profile-header.ts'
import { disputeAnswer, evidenceAnswer, fileAnswer, movedAnswer } from './disputes-answers.ts'
import { disputeDraft } from './disputes-draft.ts'
import { disputeItems, disputeLists } from './disputes-lists.ts'
import { forceSyncShape, UNANSWERED } from './force-sync.ts'

/** Shows a dispute, with members from its payment. */
const shown = async ({ context, merchant }: Call, dispute: Dispute) =>
  showDispute(dispute, await needPayment(context, merchant.merchant_id, dispute.payment_id))

const current = async (call: Call, dispute_id: string) =>
  shown(call, await needDispute(call.context, call.merchant.merchant_id, dispute_id))

/** Returns the answer of a request that is cut short: the dispute as far as it was written. */
const begun = (_call: unknown, written: readonly Change[]) => {
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
      errors: ['not_found', 'precondition', 'duplicate', 'busy'],
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
      partialResponse: begun,
      json: async call => shown(call, await createDispute(call, call.body)),
    }),
    endpoint('GET /disputes/{dispute_id}', 'retrieveDispute', {
      title: 'Retrieve a dispute',
      description:
        'Retrieves a dispute; with force_sync=true its status is first synced with the processor, where that is possible (header force-sync-unanswered).',
      auth: { credential: 'secret', permission: 'payments:read', scope: 'profile' },
      query: Type.Object({ force_sync: forceSyncShape }, { additionalProperties: false }),
      answers: disputeAnswer,
      errors: ['absent'],
      run: async call => {
        const found = await needDispute(call.context, call.merchant.merchant_id, call.path.dispute_id)
        if (!call.query.force_sync) return { json: await shown(call, found) }
        const { dispute, isSilent } = await syncDispute(call, found)
        return { json: await shown(call, dispute), headers: isSilent ? { [UNANSWERED]: dispute.connector } : {} }
      },
    }),
    endpoint('GET /disputes/{connector_id}/fetch', 'fetchDisputes', {
      title: 'Fetch disputes from a processor',
      description: `The disputes of a connector account (its id, or the connector’s name) that were received in a time range, newest first, at most ${MOST_FETCHED}. Undecided disputes are first synced with the processor, where that is possible.`,
      auth: { credential: 'secret', permission: 'disputes:write', scope: 'profile' },
      query: Type.Object({ fetch_from: time, fetch_till: time }, { additionalProperties: false }),
      answers: Type.Array(disputeAnswer),
      errors: ['invalid_value', 'malformed', 'missing'],
      json: async call => {
        const found = await fetchDisputes(call, call.path.connector_id, call.query, profilesOf(call))
        return disputeItems(call, found)
      },
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
        const { dispute_id, payment_id, dispute_stage, dispute_status, transition_reason } = await updateStatus(
          call,
          call.path.dispute_id,
          call.body,
        )
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
      partialResponse: begun,
      json: async call => shown(call, await acceptDispute(call, call.path.dispute_id)),
    }),
    endpoint('PUT /disputes/evidence', 'attachEvidence', {
      title: 'Attach evidence',
      description:
        'Attaches a file to a dispute and replaces an earlier file of the same type. The file is sent to the processor when the evidence is submitted.',
      auth: { credential: 'secret', permission: 'disputes:write', scope: 'profile', ids: ['dispute_id'] },
      form: { files: ['file'] },
      body: attachShape,
      answers: fileAnswer,
      errors: ['absent', 'file_missing', 'dispute_id_missing', 'evidence_type_missing', 'file_refused', 'dispute_refused', 'busy'],
      example: {
        summary: 'A receipt',
        // A file is bytes; the example shows it as text.
        value: { dispute_id: EXAMPLE_DISPUTE, evidence_type: 'receipt', file: '%PDF-1.7 a receipt' as never },
      },
      json: async call => ({ file_id: (await attachEvidence(call, call.body)).file_id }),
    }),
    endpoint('DELETE /disputes/evidence', 'deleteEvidence', {
      title: 'Delete evidence',
      description: 'Removes an attached file that has not been submitted.',
      auth: { credential: 'secret', permission: 'disputes:write', scope: 'profile', ids: ['dispute_id'] },
      body: deleteShape,
      answers: 'nothing',
      errors: ['absent', 'dispute_refused', 'busy'],
      example: { summary: 'Removes the receipt', value: { dispute_id: EXAMPLE_DISPUTE, evidence_type: 'receipt' } },
      run: async call => {
        await deleteEvidence(call, call.body)
        return { empty: true }
      },
    }),
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
      partialResponse: begun,
      json: async call => shown(call, await contestDispute(call, call.body)),
    }),
    endpoint('GET /disputes/evidence/{dispute_id}', 'retrieveEvidence', {
      title: 'Retrieve evidence',
      description: 'Lists the files attached to a dispute.',
      auth: { credential: 'secret', permission: 'payments:read', scope: 'profile' },
      answers: evidenceAnswer,
      errors: ['absent'],
      json: async ({ context, merchant, path }) => showEvidence(await needDispute(context, merchant.merchant_id, path.dispute_id)),
    }),
    ...disputeDraft,
    endpoint('POST /files', 'uploadFile', {
      sdk: 'files.upload',
      title: 'Upload an evidence file',
      description:
        'Uploads a file for a dispute (PDF, JPEG or PNG). With `evidence_type` the file is attached as that evidence; without it, reference its `file_id` in `POST /disputes/evidence`. A file that is never referenced is not submitted.',
      auth: { credential: 'secret', permission: 'disputes:write', scope: 'profile', ids: ['dispute_id'] },
      form: { files: ['file'] },
      body: uploadShape,
      answers: fileAnswer,
      errors: ['absent', 'file_missing', 'dispute_id_missing', 'file_refused', 'dispute_refused', 'busy'],
      example: {
        summary: 'A receipt',
        // A file is bytes; the example shows it as text.
        value: { purpose: 'dispute_evidence', dispute_id: EXAMPLE_DISPUTE, file: '%PDF-1.7 a receipt' as never },
      },
      json: async call => ({ file_id: (await uploadFile(call, call.body)).file_id }),
    }),
    endpoint('DELETE /files/{file_id}', 'deleteFile', {
      sdk: 'files.delete',
      title: 'Delete an evidence file',
      description: 'Deletes a file that has not been submitted, by its id.',
      auth: { credential: 'secret', permission: 'disputes:write', scope: 'profile' },
      answers: 'nothing',
      errors: ['absent', 'dispute_refused', 'busy'],
      async run(call) {
        await deleteFile(call, call.path.file_id)
        return { empty: true }
      },
    }),
    endpoint('GET /files/{file_id}', 'retrieveFile', {
      sdk: 'files.retrieve',
      title: 'Retrieve an evidence file',
      description: 'Downloads a file that is attached to a dispute, unchanged. Its `file_id` is listed in the evidence.',
      auth: { credential: 'secret', permission: 'customers:personal', scope: 'profile' },
      answers: 'file',
      types: fileKinds,
      errors: ['absent'],
      async run({ context, merchant, path }) {
        const { bytes, type, name } = await needFile(context, merchant.merchant_id, path.file_id)
        return { parts: Readable.from([bytes]), type, name }
      },
    }),
    ...disputeLists,
  ],
)
