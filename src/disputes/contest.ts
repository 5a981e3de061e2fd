import Type from 'typebox'
import { converseAbout } from '../accounts/converse-about.ts'
import { findConnectorAccount } from '../accounts/merchant.ts'
import { newRequestId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { connectors } from '../connectors/all.ts'
import { type EvidenceType, evidenceTexts, evidenceTypes, type Uploaded } from '../connectors/dispute.ts'
import type { Context } from '../context.ts'
import type { Call } from '../operations/verb.ts'
import { answerDispute, needTime, needWelcome } from './answer.ts'
import { type Attached, type Dispute, type KeptEvidence, needDispute } from './dispute.ts'
import { dropDraft } from './draft.ts'
import { type evidenceText, evidenceTextShapes } from './evidence-texts.ts'
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
 * Hands the evidence in: what is said here, and every file that was attached. It is contested then, and the bank
 * decides. Refuses (HE_03) after the time for that, (HE_04) a file that is not there, (IR_16) nothing at all.
 */
export async function contestDispute(call: Call, ask: ContestDisputeAsk): Promise<Dispute> {
  const { context, merchant } = call
  const dispute = await needDispute(context, merchant.merchant_id, ask.dispute_id)
  // Existing clients expect to hear first that there is no such dispute.
  for (const name of Object.keys(ask)) if (!members.includes(name)) refuse('unreadable', { field: name, words: 'is not a known parameter' })
  needWelcome(dispute, 'contest', 'contested')
  needTime(context, dispute)
  const given = withNamed(withTexts(dispute.evidence, ask), ask)
  checkFiles(given, ask)
  const [text] = Object.keys(given.texts ?? {})
  if (text !== undefined && connectors[dispute.connector]?.accepts.evidence?.texts === false)
    refuse('not_supported', { words: `${text} is not supported: ${dispute.connector} accepts only files as evidence, not text` })
  if (Object.keys(given.texts ?? {}).length === 0 && Object.keys(given.files ?? {}).length === 0)
    refuse('precondition', { words: 'There is no evidence to submit: send at least one text or attach a file' })
  const files = await upload(call, dispute, given.files ?? {})
  const submitted_at = context.now()
  const contested = await answerDispute(call, ask.dispute_id, 'contest_dispute', now => ({
    ...now,
    evidence: { ...handedIn(withNamed(withTexts(now.evidence, ask), ask), files), submitted_at },
  }))
  await dropDraft(context, merchant.merchant_id, ask.dispute_id)
  return contested
}

function withTexts(evidence: KeptEvidence | null, ask: ContestDisputeAsk): KeptEvidence {
  const texts = { ...evidence?.texts }
  for (const name of evidenceTexts) if (ask[name] !== undefined) texts[name] = ask[name]
  return { ...evidence, texts }
}

/** Files that were uploaded are evidence of what names them here. */
function withNamed({ uploaded = [], ...evidence }: KeptEvidence, ask: ContestDisputeAsk): KeptEvidence {
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

/** With what the processor calls the files that it was given. */
const handedIn = (evidence: KeptEvidence, files: NonNullable<KeptEvidence['files']>): KeptEvidence =>
  evidence.files ? { ...evidence, files: { ...evidence.files, ...files } } : evidence

/** A file is named as it was attached, or not at all. */
function checkFiles({ files }: KeptEvidence, ask: ContestDisputeAsk): void {
  for (const type of evidenceTypes)
    if (ask[type] !== undefined && files?.[type]?.file_id !== ask[type]) refuse('absent', { what: `file ${ask[type]} attached as ${type}` })
}

/** Gives the processor the files that it takes before it is told what for, and has not yet. Nothing moves by that. */
async function upload(call: Call, { connector, merchant_connector_id }: Dispute, files: NonNullable<KeptEvidence['files']>) {
  const { context, merchant } = call
  const { merchant_id } = merchant
  const takes = connectors[connector]?.upload_evidence
  const account = findConnectorAccount(merchant, merchant_connector_id)?.account
  const all: NonNullable<KeptEvidence['files']> = {}
  if (!account) return all
  // They go along with the answer itself, which is for good: all of them, or it is not given.
  if (!takes) {
    for (const file of Object.values(files)) await needBytes(context, merchant_id, file)
    return all
  }
  const whose = { merchant_id, merchant_connector_id }
  for (const [type, file] of Object.entries(files) as [EvidenceType, Attached][]) {
    if (file.reference !== undefined) continue
    const bytes = await needBytes(context, merchant_id, file)
    const given = { type, name: file.file_name, content_type: file.file_type, bytes, request_id: newRequestId(context) }
    const outcome: Uploaded = await converseAbout<Uploaded>(context, whose, account, takes(given, account), why => ({ is: 'unknown', why }))
    if (outcome.is === 'refused') refuse('connector_refused', { connector, code: outcome.code, reason: outcome.said })
    if (outcome.is === 'unknown')
      refuse('unavailable', { words: `${connector} has not accepted the file ${file.file_id}; no evidence was submitted` })
    all[type] = { ...file, reference: outcome.reference }
  }
  return all
}

/** Refuses (HE_04) a file that is not there any more. */
const needBytes = async ({ files }: Pick<Context, 'files'>, merchant_id: string, { file_id }: Attached): Promise<Buffer> =>
  (await files.get(nameOfFile(merchant_id, file_id))) ?? refuse('absent', { what: `file ${file_id}` })
