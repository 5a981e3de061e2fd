import Type from 'typebox'
import { newId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { connectors } from '../connectors/all.ts'
import { type EvidenceType, evidenceTypes } from '../connectors/dispute.ts'
import type { Call } from '../operations/verb.ts'
import { begin } from '../payments/plan.ts'
import type { World } from '../world.ts'
import { needTime, needWelcome } from './answer.ts'
import { changeOf, moved } from './change.ts'
import { type Attached, type Dispute, type KeptEvidence, needDispute } from './dispute.ts'
import { checkFile, fileKinds, type GivenFile, LARGEST_FILE, nameOfFile } from './files.ts'

export const attachShape = Type.Object(
  {
    dispute_id: Type.Optional(Type.String()),
    evidence_type: Type.Optional(Type.Enum([...evidenceTypes])),
    file: Type.Optional(
      Type.Unsafe<GivenFile>({
        format: 'binary',
        description: `PDF, JPEG or PNG of at most ${LARGEST_FILE} bytes; a processor may take less`,
      }),
    ),
  },
  { additionalProperties: false },
)
export type AttachAsk = Type.Static<typeof attachShape>

/** What may be attached to disputes of processors that have not said it. */
const anything = Object.fromEntries(fileKinds.map(kind => [kind, LARGEST_FILE]))

/**
 * Attaches a file: in the place of the one that there was of its type. Its bytes are kept before the row says so: a row never names what is not there. Refuses (IR_33 to IR_35) what is missing, (HE_03) what is no evidence, or
 * comes when there is none to give any more.
 */
export async function attachEvidence(call: Call, { dispute_id, evidence_type, file }: AttachAsk): Promise<Attached> {
  const { world, merchant } = call
  const { merchant_id } = merchant
  if (dispute_id === undefined) refuse('dispute_id_missing')
  if (evidence_type === undefined) refuse('evidence_type_missing')
  if (typeof file !== 'object' || file.bytes.length === 0) refuse('file_missing')
  const dispute = await needDispute(world, merchant_id, dispute_id)
  mayAttach(world, dispute)
  const takes = connectors[dispute.connector]?.accepts.evidence
  if (takes?.without?.includes(evidence_type)) refuse('file_refused', { words: `${dispute.connector} has no room for ${evidence_type}` })
  const { bytes, ...checked } = checkFile(file, takes?.files ?? anything)
  const attached: Attached = { file_id: newId(world, 'file_'), ...checked }
  const name = nameOfFile(merchant_id, attached.file_id)
  await world.files.put(name, bytes, attached.file_type)
  try {
    const gone = await changeFiles(call, dispute, 'evidence_attached', files => ({ ...files, [evidence_type]: attached }), evidence_type)
    if (gone) await throwAway(world, merchant_id, gone)
  } catch (error) {
    await throwAway(world, merchant_id, attached)
    throw error
  }
  return attached
}

/** Takes back what was attached as this. Refuses (HE_04) where nothing was, (HE_03) once the dispute is answered. */
export async function deleteEvidence(
  call: Call,
  { dispute_id, evidence_type }: { dispute_id: string; evidence_type: EvidenceType },
): Promise<void> {
  const { world, merchant } = call
  const dispute = await needDispute(world, merchant.merchant_id, dispute_id)
  const gone = await changeFiles(call, dispute, 'evidence_deleted', ({ [evidence_type]: _gone, ...files }) => files, evidence_type)
  if (!gone) refuse('absent', { what: `file attached as ${evidence_type}` })
  await throwAway(world, merchant.merchant_id, gone)
}

function mayAttach(world: World, dispute: Dispute): void {
  needWelcome(dispute, 'attach', 'given evidence')
  needTime(world, dispute)
}

type Files = NonNullable<KeptEvidence['files']>

/** Changes which files are attached; gives the one of this type that there was before. */
async function changeFiles(
  call: Call,
  { merchant_id, dispute_id, payment_id }: Dispute,
  type: string,
  to: (files: Files) => Files,
  evidence_type: EvidenceType,
): Promise<Attached | undefined> {
  const { world } = call
  const { plan } = await begin(call, payment_id, async payment => {
    const dispute = await needDispute(world, merchant_id, dispute_id)
    mayAttach(world, dispute)
    if (dispute.alone !== null) refuse('busy')
    const files = dispute.evidence?.files ?? {}
    const now = world.now()
    const step = moved(payment, dispute, { ...dispute, evidence: { ...dispute.evidence, files: to(files) } }, now)
    return { gone: files[evidence_type], change: changeOf(payment, step, type, world.by, now) }
  })
  return plan.gone
}

/** A file that no row names any more. That it cannot be deleted now is nobody's concern but the operator's. */
async function throwAway(world: World, merchant_id: string, { file_id }: Attached): Promise<void> {
  try {
    await world.files.delete(nameOfFile(merchant_id, file_id))
  } catch (error) {
    world.log.warn({ err: error, merchant_id, file_id }, 'a file could not be deleted')
  }
}

export const deleteShape = Type.Object(
  { dispute_id: Type.String(), evidence_type: Type.Enum([...evidenceTypes]) },
  { additionalProperties: false },
)
