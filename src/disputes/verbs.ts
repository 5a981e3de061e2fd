import { connectors } from '../connectors/all.ts'
import type { Outcome } from '../connectors/connector.ts'
import type { DisputeReport, Evidence, EvidenceFile, EvidenceType } from '../connectors/dispute.ts'
import type { DisputeVerb } from '../connectors/verbs.ts'
import type { Context, Time } from '../context.ts'
import { acceptsUpdates, endedWithANo, isUnfinished, type Operation } from '../operations/operation.ts'
import { givenUp, operationPatch, responseOf, staysOpen } from '../operations/operation-patch.ts'
import type { RequestInput, Transition, VerbDefinition } from '../operations/verb.ts'
import type { Payment } from '../payments/payment.ts'
import { movedDispute } from './change.ts'
import { type Dispute, findDisputeByReference } from './dispute.ts'
import { nameOfFile } from './files.ts'
import { mergeReport } from './merge.ts'

/**
 * The two answers to a dispute, as operations of its payment: written before they are sent, and polled. Their
 * reference is from the beginning the processor's id of the dispute. `evidence` is read when it is sent, and again for
 * a retry.
 */
export type Companion = { dispute: Dispute; evidence: Evidence | null }

const verb = (name: DisputeVerb): VerbDefinition<Payment> => ({
  async companionRow(context, operation): Promise<Companion> {
    const dispute = await findDisputeByReference(context, operation, operation.reference ?? '')
    if (!dispute) throw new Error(`operation ${operation.request_id} answers a dispute that does not exist`)
    return { dispute, evidence: name === 'contest_dispute' && isUnfinished(operation) ? await readEvidence(context, dispute) : null }
  },
  buildRequest({ connector, account, operation, authorization, companionRow }: RequestInput<Payment>) {
    const { dispute, evidence } = companionRow as Companion
    const { request_id, amount, currency } = operation
    const about = { request_id, reference: dispute.connector_dispute_id, authorization, money: { amount, currency } }
    if (name === 'accept_dispute') return connector.accept_dispute?.(about, account) ?? null
    return (evidence && connector.contest_dispute?.({ ...about, evidence }, account)) ?? null
  },
  after: (payment, operation, outcome, now, companionRow) =>
    afterAnswer(name, payment, operation, outcome, now, (companionRow as Companion).dispute),
  onPollingEnded(payment, operation, now, companionRow) {
    if (!isUnfinished(operation)) return null
    const { dispute } = companionRow as Companion
    const { head, row } = movedDispute(payment, dispute, { ...dispute, alone: null }, now)
    return { move: null, head, operation: givenUp(now), rows: [row], announces: null }
  },
})

export const disputeVerbs = { accept_dispute: verb('accept_dispute'), contest_dispute: verb('contest_dispute') }

/** The status of a dispute after the processor accepted the answer, if the processor does not report one. */
const yes = { accept_dispute: 'dispute_accepted', contest_dispute: 'dispute_challenged' } as const

function afterAnswer(
  name: DisputeVerb,
  payment: Payment,
  operation: Operation,
  outcome: Outcome,
  now: Time,
  dispute: Dispute,
): Transition<Payment> | null {
  const isLate = !acceptsUpdates(operation) && outcome.is === 'done' && endedWithANo(operation)
  const patch: Partial<Operation> | null = isLate
    ? { state: 'done', response: responseOf(outcome, operation), modified_at: now, poll_at: null }
    : operationPatch(operation, outcome, now, payment.expires_on)
  if (!patch) return null
  if (staysOpen(patch)) return { move: null, head: {}, operation: patch, announces: null }
  const reported = 'facts' in outcome ? outcome.facts.dispute : undefined
  const report = outcome.is === 'done' ? reportAfter(name, dispute, reported, now) : reported
  const free = { ...dispute, alone: dispute.alone === operation.n ? null : dispute.alone }
  // The time was stored with the request: nothing was submitted.
  if (outcome.is !== 'done' && free.evidence) free.evidence = notSubmitted(free.evidence)
  const { head, row, announces } = movedDispute(payment, dispute, { ...free, ...(report && mergeReport(dispute, report)) }, now)
  return { move: null, head, operation: patch, rows: [row], announces }
}

function notSubmitted({ submitted_at: _at, ...evidence }: NonNullable<Dispute['evidence']>): NonNullable<Dispute['evidence']> {
  return evidence
}

/** The news after an answer. An accepted dispute becomes accepted, even if the processor calls it lost. */
function reportAfter(name: DisputeVerb, dispute: Dispute, reported: DisputeReport | undefined, now: Time): DisputeReport {
  if (reported && (name === 'contest_dispute' || reported.status !== 'dispute_lost')) return reported
  return {
    reference: dispute.connector_dispute_id,
    stage: reported?.stage ?? dispute.dispute_stage,
    status: yes[name],
    said: reported?.said ?? dispute.connector_status,
    amount: reported?.amount ?? { amount: dispute.amount, currency: dispute.currency },
    reason: null,
    reason_code: null,
    respond_by: null,
    created: null,
    updated: reported?.updated ?? now,
  }
}

/** Reads the evidence: texts, the processor's ids of uploaded files, the bytes of files sent with the answer. */
export async function readEvidence(
  context: Pick<Context, 'files'>,
  { merchant_id, evidence, connector }: Dispute,
): Promise<Evidence | null> {
  const all = Object.entries(evidence?.files ?? {}) as [
    EvidenceType,
    NonNullable<NonNullable<Dispute['evidence']>['files']>['receipt'] & object,
  ][]
  const takesThemFirst = connectors[connector]?.upload_evidence !== undefined
  const uploaded = Object.fromEntries(all.flatMap(([type, { reference }]) => (reference === undefined ? [] : [[type, reference]])))
  const files: EvidenceFile[] = []
  for (const [type, { file_id, file_name, file_type }] of takesThemFirst ? [] : all) {
    const bytes = await context.files.get(nameOfFile(merchant_id, file_id))
    if (!bytes) return null
    files.push({ type, name: file_name, content_type: file_type, bytes })
  }
  return { texts: evidence?.texts ?? {}, uploaded, files }
}
