import Type from 'typebox'
import { refuse } from '../base/refusal.ts'
import { strictObject } from '../base/shapes.ts'
import { later } from '../base/time.ts'
import { connectors } from '../connectors/all.ts'
import { type EvidenceText, evidenceTexts } from '../connectors/dispute.ts'
import type { Context, Time } from '../context.ts'
import { forgotten } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { bytes, type RowOf, select, table, text, time } from '../database/table.ts'
import type { Call } from '../operations/verb.ts'
import { needAllowed, needTime } from './answer.ts'
import { needDispute } from './dispute.ts'

/**
 * Drafts of evidence texts, sealed because they are about a person. They are not in the dispute's row: a draft is
 * saved often and is no news of a payment. Only a contest request that contains the texts submits them, and deletes
 * the draft.
 */

const recordOf = (dispute_id: string): string => `draft of ${dispute_id}`

const disputeDrafts = table('dispute_drafts', {
  key: ['merchant_id', 'dispute_id'],
  columns: {
    merchant_id: text(),
    dispute_id: text(),
    sealed: bytes(row => recordOf(String(row.dispute_id))),
    updated_by: text(),
    updated_at: time(),
    forget_at: time(),
  },
})
type Row = RowOf<typeof disputeDrafts>

/** The time after which drafts are deleted: no dispute is answered half a year later. */
const KEPT_MS = 180 * 86_400_000
export const oldDrafts = forgotten(disputeDrafts, 'forget_at')

const LONGEST_TEXT = 20_000

export const evidenceText = Type.Optional(Type.String({ maxLength: LONGEST_TEXT }))

export const evidenceTextShapes = Object.fromEntries(evidenceTexts.map(name => [name, evidenceText])) as Record<
  EvidenceText,
  typeof evidenceText
>

export const draftShape = strictObject(evidenceTextShapes)
export type DraftTexts = Partial<Record<EvidenceText, string>>
export type Draft = { dispute_id: string; texts: DraftTexts; updated_by: string | null; updated_at: Time | null }

const ofDispute = statement('dispute_draft', select(disputeDrafts, 'where merchant_id = $1 and dispute_id = $2'))
const write = statement(
  'dispute_draft_write',
  `insert into dispute_drafts (merchant_id, dispute_id, sealed, updated_by, updated_at, forget_at) values ($1, $2, $3, $4, $5, $6)
    on conflict (merchant_id, dispute_id) do update
      set sealed = excluded.sealed, updated_by = excluded.updated_by, updated_at = excluded.updated_at, forget_at = excluded.forget_at`,
)
const drop = statement('dispute_draft_drop', 'delete from dispute_drafts where merchant_id = $1 and dispute_id = $2')

type Reads = Pick<Context, 'query' | 'vault'>

/** Empty if there is none. Refuses (HE_04) an unknown dispute. */
export async function readDraft(context: Reads, merchant_id: string, dispute_id: string): Promise<Draft> {
  await needDispute(context, merchant_id, dispute_id)
  const [row] = await context.query<Row>(ofDispute, [merchant_id, dispute_id])
  if (!row) return { dispute_id, texts: {}, updated_by: null, updated_at: null }
  const { updated_by, updated_at } = row
  return { dispute_id, texts: JSON.parse(context.vault.open(merchant_id, recordOf(dispute_id), row.sealed)), updated_by, updated_at }
}

/** Refuses (HE_04) an unknown dispute, (HE_03) one that takes no evidence any more, (IR_19) texts if only files. */
export async function saveDraft(call: Pick<Call, 'context' | 'merchant'>, dispute_id: string, texts: DraftTexts): Promise<Draft> {
  const { context, merchant } = call
  const { merchant_id } = merchant
  const dispute = await needDispute(context, merchant_id, dispute_id)
  needAllowed(dispute, 'attach', 'given evidence')
  needTime(context, dispute)
  const [name] = Object.keys(texts)
  if (name !== undefined && connectors[dispute.connector]?.accepts.evidence?.texts === false)
    refuse('not_supported', { problem: `${name} is not supported: ${dispute.connector} accepts only files as evidence, not text` })
  if (name === undefined) {
    await dropDraft(context, merchant_id, dispute_id)
    return { dispute_id, texts, updated_by: null, updated_at: null }
  }
  const now = context.now()
  const sealed = context.vault.seal(merchant_id, recordOf(dispute_id), JSON.stringify(texts))
  await context.query(write, [merchant_id, dispute_id, sealed, context.by, now, later(now, KEPT_MS)])
  return { dispute_id, texts, updated_by: context.by, updated_at: now }
}

/** Deletes the draft of an answered dispute. A failed deletion does not change the answer. */
export async function dropDraft(context: Pick<Context, 'query' | 'log'>, merchant_id: string, dispute_id: string): Promise<void> {
  await context.query(drop, [merchant_id, dispute_id]).catch(error => {
    context.log.warn({ err: error, merchant_id, dispute_id }, 'a draft of evidence could not be deleted')
  })
}
