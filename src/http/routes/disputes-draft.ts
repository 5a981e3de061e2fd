import Type from 'typebox'
import { draftShape, readDraft, saveDraft } from '../../disputes/draft.ts'
import { evidenceTextShapes } from '../../disputes/evidence-texts.ts'
import { schema, text, texts, times } from '../answer-shapes.ts'
import { endpoint } from '../endpoint.ts'

const draftAnswer = schema('EvidenceDraft', {
  dispute_id: text,
  texts: Type.Object(evidenceTextShapes, { description: 'As in the body of `POST /disputes/evidence`' }),
  ...texts('updated_by'),
  ...times('updated_at'),
})

export const disputeDraft = [
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
]
