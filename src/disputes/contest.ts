import Type from 'typebox'
import { converseAbout, noAnswer } from '../accounts/converse-about.ts'
import { findConnectorAccount } from '../accounts/merchant.ts'
import { newRequestId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { connectors } from '../connectors/all.ts'
import { type EvidenceType, evidenceTexts, evidenceTypes, type Uploaded } from '../connectors/dispute.ts'
import type { Context } from '../context.ts'
import type { Call } from '../operations/verb.ts'
import { answerDispute, needAllowed, needTime } from './answer.ts'
import { type Attached, type Dispute, needDispute, type StoredEvidence } from './dispute.ts'
import { dropDraft, type evidenceText, evidenceTextShapes } from './draft.ts'
import { nameOfFile } from './files.ts'

export const contestShape = Type.Object(
  {
    dispute_id: Type.String(),
    ...evidenceTextShapes,
    ...(Object.fromEntries(
      evidenceTypes.map(name => [
        name,
        Type.Optional(Type.String({ description: 'file_id of an attached file; every attached file is submitted' })),
      ]),
    ) as Record<EvidenceType, typeof evidenceText>),
  },
  { additionalProperties: true },
)
const members = Object.keys(contestShape.properties)
export type ContestDisputeAsk = Type.Static<typeof contestShape>

/**
 * Submits the evidence: the texts in the request and every attached file. The dispute is then contested, and the bank
 * decides. Refuses (HE_03) after the deadline, (HE_04) an unknown file, (IR_16) a request without any evidence.
 */
export async function contestDispute(call: Call, ask: ContestDisputeAsk): Promise<Dispute> {
  const { context, merchant } = call
  const dispute = await needDispute(context, merchant.merchant_id, ask.dispute_id)
  // Existing clients expect the error for an unknown dispute before that for an unknown parameter.
  for (const name of Object.keys(ask))
    if (!members.includes(name)) refuse('unreadable', { field: name, problem: 'is not a known parameter' })
  needAllowed(dispute, 'contest', 'contested')
  needTime(context, dispute)
  const given = withNamed(withTexts(dispute.evidence, ask), ask)
  checkFiles(given, ask)
  const [text] = Object.keys(given.texts ?? {})
  if (text !== undefined && connectors[dispute.connector]?.accepts.evidence?.texts === false)
    refuse('not_supported', { problem: `${text} is not supported: ${dispute.connector} accepts only files as evidence, not text` })
  if (Object.keys(given.texts ?? {}).length === 0 && Object.keys(given.files ?? {}).length === 0)
    refuse('precondition', { problem: 'There is no evidence to submit: send at least one text or attach a file' })
  const files = await upload(call, dispute, given.files ?? {})
  const submitted_at = context.now()
  const contested = await answerDispute(call, ask.dispute_id, 'contest_dispute', now => ({
    ...now,
    evidence: { ...handedIn(withNamed(withTexts(now.evidence, ask), ask), files), submitted_at },
  }))
  await dropDraft(context, merchant.merchant_id, ask.dispute_id)
  return contested
}

function withTexts(evidence: StoredEvidence | null, ask: ContestDisputeAsk): StoredEvidence {
  const texts = { ...evidence?.texts }
  for (const name of evidenceTexts) if (ask[name] !== undefined) texts[name] = ask[name]
  return { ...evidence, texts }
}

/** Moves uploaded files to the evidence types under which the request names them. */
function withNamed({ uploaded = [], ...evidence }: StoredEvidence, ask: ContestDisputeAsk): StoredEvidence {
  const files = { ...evidence.files }
  const named = new Set<Attached>()
  for (const type of evidenceTypes) {
    const file = uploaded.find(one => one.file_id === ask[type])
    if (!file) continue
    files[type] = file
    named.add(file)
  }
  const rest = uploaded.filter(file => !named.has(file))
  return { ...evidence, ...(Object.keys(files).length > 0 && { files }), ...(rest.length > 0 && { uploaded: rest }) }
}

/** Adds the processor's ids of the uploaded files to the evidence. */
const handedIn = (evidence: StoredEvidence, files: NonNullable<StoredEvidence['files']>): StoredEvidence =>
  evidence.files ? { ...evidence, files: { ...evidence.files, ...files } } : evidence

/** Refuses (HE_04) a file that is not attached as the type under which the request names it. */
function checkFiles({ files }: StoredEvidence, ask: ContestDisputeAsk): void {
  for (const type of evidenceTypes)
    if (ask[type] !== undefined && files?.[type]?.file_id !== ask[type]) refuse('absent', { what: `file ${ask[type]} attached as ${type}` })
}

/** Uploads files to a processor that takes them before the answer, unless it has them. No money moves. */
async function upload(call: Call, { connector, merchant_connector_id }: Dispute, files: NonNullable<StoredEvidence['files']>) {
  const { context, merchant } = call
  const { merchant_id } = merchant
  const takes = connectors[connector]?.upload_evidence
  const account = findConnectorAccount(merchant, merchant_connector_id)?.account
  const all: NonNullable<StoredEvidence['files']> = {}
  if (!account) return all
  // Without an upload, the files are sent with the answer, which is final. Therefore no answer is sent unless all
  // files exist.
  if (!takes) {
    for (const file of Object.values(files)) await needBytes(context, merchant_id, file)
    return all
  }
  const owner = { merchant_id, merchant_connector_id }
  for (const [type, file] of Object.entries(files) as [EvidenceType, Attached][]) {
    if (file.reference !== undefined) continue
    const bytes = await needBytes(context, merchant_id, file)
    const given = { type, name: file.file_name, content_type: file.file_type, bytes, request_id: newRequestId(context) }
    const outcome: Uploaded = await converseAbout<Uploaded>(context, owner, account, takes(given, account), noAnswer)
    if (outcome.is === 'refused') refuse('connector_refused', { connector, code: outcome.code, reason: outcome.message })
    if (outcome.is === 'unknown')
      refuse('unavailable', { problem: `${connector} has not accepted the file ${file.file_id}; no evidence was submitted` })
    all[type] = { ...file, reference: outcome.reference }
  }
  return all
}

/** Reads the bytes of a file. Refuses (HE_04) a file that no longer exists. */
const needBytes = async ({ files }: Pick<Context, 'files'>, merchant_id: string, { file_id }: Attached): Promise<Buffer> =>
  (await files.get(nameOfFile(merchant_id, file_id))) ?? refuse('absent', { what: `file ${file_id}` })
