import type Type from 'typebox'
import { refuse } from '../base/refusal.ts'
import { HOUR_MS, later } from '../base/time.ts'
import type { DisputeReport, EvidenceText, EvidenceType } from '../connectors/dispute.ts'
import type { Reads, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import { bigint, int, json, type RowOf, select, table, text, time } from '../database/table.ts'
import type { Payment } from '../payments/payment.ts'
import { listingOf, shapeOf, tableColumns } from '../resources/read.ts'
import { disputeFields } from './fields.ts'
import { statuses } from './lifecycle.ts'

/** The bytes of the file are in `files/`. `reference`: the processor's id, once the file was uploaded there. */
export type Attached = { file_id: string; file_name: string; file_type: string; file_size: number; reference?: string }
export type StoredEvidence = {
  files?: Partial<Record<EvidenceType, Attached>>
  /** Uploaded files that do not have an evidence type yet. */
  uploaded?: readonly Attached[]
  texts?: Partial<Record<EvidenceText, string>>
  submitted_at?: Time
}

/**
 * Disputes change together with their payment, as refunds do. `kept`: what the processor withholds, also part of the
 * payment's `amount_disputed`. `news`: the news that still counts (`merge.ts`). `alone`: the n of the operation that
 * answers the dispute. `due_at`: when the scheduler looks at it next.
 */
export const disputes = table('disputes', {
  key: ['merchant_id', 'dispute_id'],
  columns: {
    ...tableColumns(disputeFields),
    merchant_id: text(),
    authorization_n: int().fixed(),
    alone: int().orNull(),
    kept: bigint(),
    withdrawn_at: time().orNull(),
    returned_at: time().orNull(),
    evidence: json<StoredEvidence>().orNull(),
    news: json<readonly DisputeReport[]>([]),
    due_at: time().orNull().unrecorded(),
    updated_at: time(),
  },
  listed: listingOf(disputeFields, { resource: 'dispute', created: 'created_at', amount: 'amount' }),
})
export type Dispute = RowOf<typeof disputes>

const byId = statement('dispute_by_id', select(disputes, 'where merchant_id = $1 and dispute_id = $2'))
const byReference = statement(
  'dispute_by_reference',
  select(
    disputes,
    'where merchant_id = $1 and merchant_connector_id = $2 and connector_dispute_id = $3 order by created_at, dispute_id limit 1',
  ),
)
const ofPayment = statement(
  'disputes_of_payment',
  select(disputes, 'where merchant_id = $1 and payment_id = $2 order by created_at, dispute_id'),
)

const ofPayments = statement(
  'disputes_of_payments',
  select(disputes, 'where merchant_id = $1 and payment_id = any($2) order by payment_id, created_at, dispute_id'),
)

export const findDispute = async (context: Reads, merchant_id: string, dispute_id: string): Promise<Dispute | undefined> =>
  (await context.query<Dispute>(byId, [merchant_id, dispute_id]))[0]

/** Refuses (HE_04) an unknown dispute. */
export const needDispute = async (context: Reads, merchant_id: string, dispute_id: string): Promise<Dispute> =>
  (await findDispute(context, merchant_id, dispute_id)) ?? refuse('absent', { what: 'dispute' })

export const findDisputeByReference = async (
  context: Reads,
  { merchant_id, merchant_connector_id }: { merchant_id: string; merchant_connector_id: string },
  reference: string,
): Promise<Dispute | undefined> => (await context.query<Dispute>(byReference, [merchant_id, merchant_connector_id, reference]))[0]

export const findDisputes = (context: Reads, merchant_id: string, payment_id: string): Promise<Dispute[]> =>
  context.query<Dispute>(ofPayment, [merchant_id, payment_id])

/** Returns the disputes of several payments by payment id, those of each payment oldest first. */
export async function findDisputesOf(context: Reads, merchant_id: string, payment_ids: readonly string[]): Promise<Map<string, Dispute[]>> {
  if (payment_ids.length === 0) return new Map()
  return Map.groupBy(await context.query<Dispute>(ofPayments, [merchant_id, payment_ids]), ({ payment_id }) => payment_id)
}

/** Whether the customer has got back more than was captured, counting refunds and lost disputes. */
export const isAlreadyRefunded = ({ amount_refunded, amount_received, adjustments }: Payment): boolean =>
  amount_refunded + (adjustments?.disputes?.lost ?? 0) > amount_received

/** The times before the evidence deadline at which the merchant is reminded. */
const REMIND_MS = [72 * HOUR_MS, 24 * HOUR_MS]

/** When the scheduler looks next: to remind of the deadline, and when it has passed. Null: never. */
export function nextDeadlineCheck({ dispute_status, challenge_required_by: by }: Dispute, now: Time): Time | null {
  if (!statuses[dispute_status].traits.includes('awaits answer') || by === null) return null
  return [...REMIND_MS.map(before => later(by, -before)), by].find(time => time > now) ?? null
}

export const createShape = shapeOf(disputeFields, 'create')
export type CreateDisputeAsk = Type.Static<typeof createShape>

export const statusShape = shapeOf(disputeFields, 'update status')
export type DisputeStatusAsk = Type.Static<typeof statusShape>
