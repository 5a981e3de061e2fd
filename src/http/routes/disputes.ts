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
  [
    endpoint({
      at: 'POST /disputes',
      name: 'createDispute',
      title: 'Record a dispute',
      does: 'Records a dispute that you learned about outside this service. Update its status with update-status.',
      body: createShape,
      answers: disputeAnswer,
      refuses: ['not_found', 'precondition', 'duplicate', 'busy'],
      example: {
        summary: 'A chargeback of 5.00 received by letter',
        value: { payment_id: EXAMPLE_PAYMENT, amount: 500, connector_dispute_id: 'CB-2026-0117', connector_reason: 'product_not_received' },
      },
      async current(call) {
        const { payment_id, connector_dispute_id } = call.body
        const all = await findDisputes(call.context, call.merchant.merchant_id, payment_id)
        const made = all.findLast(one => one.is_manual && one.connector_dispute_id === (connector_dispute_id ?? one.connector_dispute_id))
        return shown(call, made ?? refuse('absent', { what: 'dispute' }))
      },
      begun,
      run: async call => ({ json: await shown(call, await createDispute(call, call.body)) }),
    }),
    endpoint({
      at: 'GET /disputes/{dispute_id}',
      name: 'retrieveDispute',
      title: 'Retrieve a dispute',
      does: 'Retrieves a dispute; with force_sync=true its status is first synced with the processor, where that is possible (header force-sync-unanswered).',
      query: Type.Object({ force_sync: forceSyncShape }, { additionalProperties: false }),
      answers: disputeAnswer,
      refuses: ['absent'],
      run: async call => {
        const found = await needDispute(call.context, call.merchant.merchant_id, call.path.dispute_id)
        if (!call.query.force_sync) return { json: await shown(call, found) }
        const { dispute, isSilent } = await syncDispute(call, found)
        return { json: await shown(call, dispute), headers: isSilent ? { [UNANSWERED]: dispute.connector } : {} }
      },
    }),
    endpoint({
      at: 'GET /disputes/{connector_id}/fetch',
      name: 'fetchDisputes',
      title: 'Fetch disputes from a processor',
      does: `The disputes of a connector account (its id, or the connector’s name) that were received in a time range, newest first, at most ${MOST_FETCHED}. Undecided disputes are first synced with the processor, where that is possible.`,
      query: Type.Object({ fetch_from: time, fetch_till: time }, { additionalProperties: false }),
      answers: Type.Array(disputeAnswer),
      refuses: ['invalid_value', 'malformed', 'missing'],
      run: async call => {
        const found = await fetchDisputes(call, call.path.connector_id, call.query, profilesOf(call))
        return { json: await disputeItems(call, found) }
      },
    }),
    endpoint({
      at: 'PUT /disputes/{dispute_id}/update-status',
      name: 'updateDisputeStatus',
      title: 'Update the status of a recorded dispute',
      does: 'Updates the status of a manually recorded dispute.',
      body: statusShape,
      answers: movedAnswer,
      refuses: ['absent', 'dispute_refused', 'busy'],
      example: {
        summary: 'The bank decided for the merchant',
        value: { dispute_status: 'dispute_won', transition_reason: 'letter of 2 March' },
      },
      run: async call => {
        const { dispute_id, payment_id, dispute_stage, dispute_status, transition_reason } = await updateStatus(
          call,
          call.path.dispute_id,
          call.body,
        )
        return { json: { dispute_id, payment_id, dispute_stage, dispute_status, transition_reason } }
      },
    }),
    endpoint({
      at: 'POST /disputes/accept/{dispute_id}',
      name: 'acceptDispute',
      title: 'Accept a dispute',
      does: 'Accepts a dispute: the customer keeps the money.',
      answers: disputeAnswer,
      refuses: ['absent', 'dispute_refused', 'flow_not_supported', 'connector_refused', 'busy'],
      // The claim of the Idempotency-Key names the row that moved, which is the payment; the path names the dispute.
      current: call => current(call, call.path.dispute_id),
      begun,
      run: async call => ({ json: await shown(call, await acceptDispute(call, call.path.dispute_id)) }),
    }),
    endpoint({
      at: 'PUT /disputes/evidence',
      name: 'attachEvidence',
      title: 'Attach evidence',
      does: 'Attaches a file to a dispute and replaces an earlier file of the same type. The file is sent to the processor when the evidence is submitted.',
      form: { files: ['file'] },
      body: attachShape,
      answers: fileAnswer,
      refuses: ['absent', 'file_missing', 'dispute_id_missing', 'evidence_type_missing', 'file_refused', 'dispute_refused', 'busy'],
      example: {
        summary: 'A receipt',
        // A file is bytes; the example shows it as text.
        value: { dispute_id: EXAMPLE_DISPUTE, evidence_type: 'receipt', file: '%PDF-1.7 a receipt' as never },
      },
      run: async call => ({ json: { file_id: (await attachEvidence(call, call.body)).file_id } }),
    }),
    endpoint({
      at: 'DELETE /disputes/evidence',
      name: 'deleteEvidence',
      title: 'Delete evidence',
      does: 'Removes an attached file that has not been submitted.',
      body: deleteShape,
      answers: 'nothing',
      refuses: ['absent', 'dispute_refused', 'busy'],
      example: { summary: 'Removes the receipt', value: { dispute_id: EXAMPLE_DISPUTE, evidence_type: 'receipt' } },
      run: async call => {
        await deleteEvidence(call, call.body)
        return { empty: true }
      },
    }),
    endpoint({
      at: 'POST /disputes/evidence',
      name: 'submitEvidence',
      title: 'Submit evidence',
      does: 'Contests a dispute: submits the evidence in the body together with every attached file. Submission is final.',
      body: contestShape,
      answers: disputeAnswer,
      refuses: ['absent', 'dispute_refused', 'flow_not_supported', 'not_supported', 'connector_refused', 'busy'],
      example: {
        summary: 'Describes the goods and their delivery',
        value: { dispute_id: EXAMPLE_DISPUTE, product_description: 'Two oak chairs', shipping_tracking_number: 'RR123456785NO' },
      },
      current: call => current(call, call.body.dispute_id),
      begun,
      run: async call => ({ json: await shown(call, await contestDispute(call, call.body)) }),
    }),
    endpoint({
      at: 'GET /disputes/evidence/{dispute_id}',
      name: 'retrieveEvidence',
      title: 'Retrieve evidence',
      does: 'Lists the files attached to a dispute.',
      answers: evidenceAnswer,
      refuses: ['absent'],
      run: async ({ context, merchant, path }) => ({
        json: showEvidence(await needDispute(context, merchant.merchant_id, path.dispute_id)),
      }),
    }),
    ...disputeDraft,
    endpoint({
      at: 'POST /files',
      name: 'uploadFile',
      title: 'Upload an evidence file',
      does: 'Uploads a file for a dispute (PDF, JPEG or PNG). With `evidence_type` the file is attached as that evidence; without it, reference its `file_id` in `POST /disputes/evidence`. A file that is never referenced is not submitted.',
      form: { files: ['file'] },
      body: uploadShape,
      answers: fileAnswer,
      refuses: ['absent', 'file_missing', 'dispute_id_missing', 'file_refused', 'dispute_refused', 'busy'],
      example: {
        summary: 'A receipt',
        // A file is bytes; the example shows it as text.
        value: { purpose: 'dispute_evidence', dispute_id: EXAMPLE_DISPUTE, file: '%PDF-1.7 a receipt' as never },
      },
      run: async call => ({ json: { file_id: (await uploadFile(call, call.body)).file_id } }),
    }),
    endpoint({
      at: 'DELETE /files/{file_id}',
      name: 'deleteFile',
      title: 'Delete an evidence file',
      does: 'Deletes a file that has not been submitted, by its id.',
      answers: 'nothing',
      refuses: ['absent', 'dispute_refused', 'busy'],
      async run(call) {
        await deleteFile(call, call.path.file_id)
        return { empty: true }
      },
    }),
    endpoint({
      at: 'GET /files/{file_id}',
      name: 'retrieveFile',
      title: 'Retrieve an evidence file',
      does: 'Downloads a file that is attached to a dispute, unchanged. Its `file_id` is listed in the evidence.',
      answers: 'file',
      types: fileKinds,
      refuses: ['absent'],
      async run({ context, merchant, path }) {
        const { bytes, type, name } = await needFile(context, merchant.merchant_id, path.file_id)
        return { parts: Readable.from([bytes]), type, name }
      },
    }),
    ...disputeLists,
  ],
)
