import Type from 'typebox'
import { newId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { strictObject } from '../base/shapes.ts'
import { connectors } from '../connectors/all.ts'
import { type EvidenceType, evidenceTypes } from '../connectors/dispute.ts'
import type { Context } from '../context.ts'
import type { Call } from '../operations/verb.ts'
import { changePayment } from '../payments/rows.ts'
import { needAllowed, needTime } from './answer.ts'
import { planStep } from './change.ts'
import { type Attached, type Dispute, findDispute, needDispute, type StoredEvidence } from './dispute.ts'
import { checkFile, fileKinds, type GivenFile, LARGEST_FILE, nameOfFile } from './files.ts'

export const attachShape = strictObject({
  dispute_id: Type.Optional(Type.String()),
  evidence_type: Type.Optional(Type.Enum([...evidenceTypes])),
  file: Type.Optional(
    Type.Unsafe<GivenFile>({
      format: 'binary',
      description: `PDF, JPEG or PNG of at most ${LARGEST_FILE} bytes; a processor may accept less`,
    }),
  ),
})
export type AttachAsk = Type.Static<typeof attachShape>

/** The file types and sizes for disputes of processors that do not declare theirs. */
const anything = Object.fromEntries(fileKinds.map(kind => [kind, LARGEST_FILE]))

/**
 * Attaches a file in place of the one of the same type. Refuses (IR_33 to IR_35) a missing member, (HE_03) a file that
 * is not accepted as evidence, or a dispute that no longer takes evidence.
 */
export async function attachEvidence(call: Call, ask: AttachAsk): Promise<Attached> {
  const { dispute_id, evidence_type } = ask
  if (dispute_id !== undefined && evidence_type === undefined) refuse('evidence_type_missing')
  return keepFile(call, ask, 'evidence_attached', (evidence, attached) => ({
    evidence: { ...evidence, files: { ...evidence.files, [evidence_type!]: attached } },
    gone: evidence.files?.[evidence_type!],
  }))
}

export const uploadShape = strictObject({
  ...attachShape.properties,
  purpose: Type.Optional(Type.Enum(['dispute_evidence'], { description: 'The only supported purpose' })),
})
type UploadAsk = Type.Static<typeof uploadShape>

const MOST_UPLOADED = 20

/** Stores a file whose evidence type is set here or by the contest request. Refuses like `attachEvidence`. */
export function uploadFile(call: Call, { purpose: _only, ...ask }: UploadAsk): Promise<Attached> {
  if (ask.evidence_type !== undefined) return attachEvidence(call, ask)
  return keepFile(call, ask, 'evidence_uploaded', ({ uploaded = [], ...evidence }, attached) => {
    if (uploaded.length >= MOST_UPLOADED)
      refuse('file_refused', { problem: `this dispute already has ${MOST_UPLOADED} uploaded files that are not yet used as evidence` })
    return { evidence: { ...evidence, uploaded: [...uploaded, attached] } }
  })
}

type Kept = { evidence: StoredEvidence; gone?: Attached | undefined }

/** Stores a file: its bytes first, so that no row ever names a missing file. */
async function keepFile(
  call: Call,
  { dispute_id, evidence_type, file }: AttachAsk,
  type: string,
  to: (evidence: StoredEvidence, attached: Attached) => Kept,
): Promise<Attached> {
  const { context, merchant } = call
  const { merchant_id } = merchant
  if (dispute_id === undefined) refuse('dispute_id_missing')
  if (typeof file !== 'object' || file.bytes.length === 0) refuse('file_missing')
  const dispute = await needDispute(context, merchant_id, dispute_id)
  mayAttach(context, dispute)
  const takes = connectors[dispute.connector]?.accepts.evidence
  if (evidence_type !== undefined && takes?.without?.includes(evidence_type))
    refuse('file_refused', { problem: `${dispute.connector} does not accept ${evidence_type}` })
  const { bytes, ...checked } = checkFile(file, takes?.files ?? anything)
  const attached: Attached = { file_id: newFileId(context, dispute), ...checked }
  const name = nameOfFile(merchant_id, attached.file_id)
  await context.files.put(name, bytes, attached.file_type)
  try {
    const gone = await changeEvidence(call, dispute, type, evidence => to(evidence, attached))
    if (gone) await throwAway(context, merchant_id, gone)
  } catch (error) {
    await throwAway(context, merchant_id, attached)
    throw error
  }
  return attached
}

/** Generates the id of a file. It contains the id of the dispute, so that the file is found by its own id alone. */
const newFileId = (context: Context, { dispute_id }: Dispute): string => newId(context, `file_${dispute_id.replace(/^dp_/, '')}_`)
export const disputeOfFile = (file_id: string): string => `dp_${/^file_(\w+)_[0-9A-Za-z]{20}$/.exec(file_id)?.[1] ?? ''}`

/** Deletes the file of this type. Refuses (HE_04) if there is none, (HE_03) once the dispute is answered. */
export async function deleteEvidence(
  call: Call,
  { dispute_id, evidence_type }: { dispute_id: string; evidence_type: EvidenceType },
): Promise<void> {
  const { context, merchant } = call
  const dispute = await needDispute(context, merchant.merchant_id, dispute_id)
  const gone = await changeEvidence(
    call,
    dispute,
    'evidence_deleted',
    ({ files: { [evidence_type]: gone, ...files } = {}, ...evidence }) => {
      return { evidence: { ...evidence, files }, gone }
    },
  )
  if (!gone) refuse('absent', { what: `file attached as ${evidence_type}` })
  await throwAway(context, merchant.merchant_id, gone)
}

/** With or without an evidence type. Refuses (HE_04) an unknown file, (HE_03) once the dispute is answered. */
export async function deleteFile(call: Call, file_id: string): Promise<void> {
  const { context, merchant } = call
  const { merchant_id } = merchant
  const dispute = (await findDispute(context, merchant_id, disputeOfFile(file_id))) ?? refuse('absent', { what: 'file' })
  const isIt = (file: Attached | undefined) => file?.file_id === file_id
  const gone = await changeEvidence(call, dispute, 'evidence_deleted', ({ files = {}, uploaded = [], ...evidence }) => ({
    evidence: {
      ...evidence,
      files: Object.fromEntries(Object.entries(files).filter(([, file]) => !isIt(file))),
      uploaded: uploaded.filter(file => !isIt(file)),
    },
    gone: [...Object.values(files), ...uploaded].find(isIt),
  }))
  if (!gone) refuse('absent', { what: 'file' })
  await throwAway(context, merchant_id, gone)
}

function mayAttach(context: Context, dispute: Dispute): void {
  needAllowed(dispute, 'attach', 'given evidence')
  needTime(context, dispute)
}

/** Changes the stored evidence. Returns the file that the dispute no longer names, if there is one. */
async function changeEvidence(
  call: Call,
  { merchant_id, dispute_id, payment_id }: Dispute,
  type: string,
  to: (evidence: StoredEvidence) => Kept,
): Promise<Attached | undefined> {
  const { context } = call
  const { plan } = await changePayment(call, payment_id, async payment => {
    const dispute = await needDispute(context, merchant_id, dispute_id)
    mayAttach(context, dispute)
    if (dispute.alone !== null) refuse('busy')
    const now = context.now()
    const { evidence, gone } = to(dispute.evidence ?? {})
    return { gone, ...planStep(context, payment, dispute, { ...dispute, evidence }, type, now) }
  })
  return plan.gone
}

/** Deletes a file that no row names any more. A failed deletion is only logged for the operator. */
async function throwAway(context: Context, merchant_id: string, { file_id }: Attached): Promise<void> {
  try {
    await context.files.delete(nameOfFile(merchant_id, file_id))
  } catch (error) {
    context.log.warn({ err: error, merchant_id, file_id }, 'a file could not be deleted')
  }
}

export const deleteShape = strictObject({ dispute_id: Type.String(), evidence_type: Type.Enum([...evidenceTypes]) })
