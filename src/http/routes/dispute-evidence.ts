import { Readable } from 'node:stream'
import Type from 'typebox'
import { evidenceTypes } from '../../connectors/dispute.ts'
import { needDispute } from '../../disputes/dispute.ts'
import { draftShape, evidenceTextShapes, readDraft, saveDraft } from '../../disputes/draft.ts'
import { attachEvidence, attachShape, deleteEvidence, deleteFile, deleteShape, uploadFile, uploadShape } from '../../disputes/evidence.ts'
import { fileKinds, needFile } from '../../disputes/files.ts'
import { showEvidence } from '../../show/dispute.ts'
import { flag, schema, text, texts, times } from '../answer-shapes.ts'
import { endpoint } from '../endpoint.ts'
import { EXAMPLE_DISPUTE } from '../example-ids.ts'

const fileAnswer = schema('EvidenceFile', { file_id: text })

const evidenceAnswer = schema('DisputeEvidence', {
  evidence_type: Type.Enum([...evidenceTypes]),
  file_metadata_response: schema('FileMetadata', {
    file_id: text,
    file_name: text,
    file_size: Type.Integer(),
    file_type: text,
    available: flag,
  }),
})

const draftAnswer = schema('EvidenceDraft', {
  dispute_id: text,
  texts: Type.Object(evidenceTextShapes, { description: 'As in the body of `POST /disputes/evidence`' }),
  ...texts('updated_by'),
  ...times('updated_at'),
})

/** A file is bytes; the example shows it as text. */
const file = '%PDF-1.7 a receipt' as never

/** The operations on the files and the drafts that become the evidence of a dispute. */
export const disputeEvidence = [
  endpoint('PUT /disputes/evidence', 'attachEvidence', {
    title: 'Attach evidence',
    description:
      'Attaches a file to a dispute and replaces an earlier file of the same type. The file is sent to the processor when the evidence is submitted.',
    auth: { credential: 'secret', permission: 'disputes:write', scope: 'profile', ids: ['dispute_id'] },
    form: { files: ['file'] },
    body: attachShape,
    answers: fileAnswer,
    errors: ['absent', 'file_missing', 'dispute_id_missing', 'evidence_type_missing', 'file_refused', 'dispute_refused', 'busy'],
    example: { summary: 'A receipt', value: { dispute_id: EXAMPLE_DISPUTE, evidence_type: 'receipt', file } },
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
  endpoint('GET /disputes/evidence/{dispute_id}', 'retrieveEvidence', {
    title: 'Retrieve evidence',
    description: 'Lists the files attached to a dispute.',
    auth: { credential: 'secret', permission: 'payments:read', scope: 'profile' },
    answers: Type.Array(evidenceAnswer),
    errors: ['absent'],
    json: async ({ context, merchant, path }) => showEvidence(await needDispute(context, merchant.merchant_id, path.dispute_id)),
  }),
  endpoint('GET /disputes/{dispute_id}/draft', 'retrieveEvidenceDraft', {
    title: 'Retrieve the draft of evidence',
    description:
      'Retrieves the texts that were saved for a dispute and are not submitted yet; files are listed by `GET /disputes/evidence/{dispute_id}`.',
    auth: { credential: 'secret', permission: 'disputes:write', scope: 'profile' },
    answers: draftAnswer,
    errors: ['absent'],
    json: ({ context, merchant, path }) => readDraft(context, merchant.merchant_id, path.dispute_id),
  }),
  endpoint('PUT /disputes/{dispute_id}/draft', 'saveEvidenceDraft', {
    title: 'Save the draft of evidence',
    description:
      'Saves texts for a dispute in the place of those that were saved before; nothing is sent to the processor. To submit them, send them to `POST /disputes/evidence`: the draft is deleted then, and also when the dispute is accepted.',
    auth: { credential: 'secret', permission: 'disputes:write', scope: 'profile' },
    body: draftShape,
    answers: draftAnswer,
    errors: ['absent', 'dispute_refused', 'not_supported'],
    example: { summary: 'What was sold', value: { product_description: 'Three pendant lamps in brass, delivered to the door.' } },
    json: call => saveDraft(call, call.path.dispute_id, call.body),
  }),
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
    example: { summary: 'A receipt', value: { purpose: 'dispute_evidence', dispute_id: EXAMPLE_DISPUTE, file } },
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
]
