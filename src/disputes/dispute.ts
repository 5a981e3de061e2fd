import type Type from 'typebox'
import { refuse } from '../base/refusal.ts'
import { later } from '../base/time.ts'
import type { DisputeSaid, EvidenceText, EvidenceType } from '../connectors/dispute.ts'
import type { Context, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import { bigint, int, json, type RowOf, select, table, text, time } from '../database/table.ts'
import type { Payment } from '../payments/payment.ts'
import { listingOf, shapeOf, tableColumns } from '../resources/read.ts'
import { disputeFields } from './fields.ts'
import { statuses } from './lifecycle.ts'

/**
 * A file that was attached: its bytes stand outside the rows (`files/`), under `file_id`. `reference`: what the
 * processor calls it, once it has it.
 */
export type Attached = { file_id: string; file_name: string; file_type: string; file_size: number; reference?: string }
export type KeptEvidence = {
  files?: Partial<Record<EvidenceType, Attached>>
  /** Files of which nothing was said yet what they are evidence of. */
  uploaded?: readonly Attached[]
  texts?: Partial<Record<EvidenceText, string>>
  submitted_at?: Time
}

/**
 * The disputes of payments: they move with their payment, as refunds do. `kept`: so much of what was captured the
 * processor keeps from the merchant; it stands in the payment's `amount_disputed` as well. `news`: what was said of
 * it that still counts (`merge.ts`). `alone`: the n of the operation that answers it. `due_at`: when the scheduler
 * looks at it next.
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
    evidence: json<KeptEvidence>().orNull(),
    news: json<readonly DisputeSaid[]>([]),
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

type Reads = Pick<Context, 'query'>

export const findDispute = async (context: Reads, merchant_id: string, dispute_id: string): Promise<Dispute | undefined> =>
  (await context.query<Dispute>(byId, [merchant_id, dispute_id]))[0]

/** The same. Refuses (HE_04) one that there is not. */
export const needDispute = async (context: Reads, merchant_id: string, dispute_id: string): Promise<Dispute> =>
  (await findDispute(context, merchant_id, dispute_id)) ?? refuse('absent', { what: 'dispute' })

/** By what the processor of this account calls it. */
export const findDisputeCalled = async (
  context: Reads,
  { merchant_id, merchant_connector_id }: { merchant_id: string; merchant_connector_id: string },
  reference: string,
): Promise<Dispute | undefined> => (await context.query<Dispute>(byReference, [merchant_id, merchant_connector_id, reference]))[0]

/** The disputes of a payment, oldest first. */
export const findDisputes = (context: Reads, merchant_id: string, payment_id: string): Promise<Dispute[]> =>
  context.query<Dispute>(ofPayment, [merchant_id, payment_id])

/** Has more gone back to the customer than was taken? What was lost counts, and what was refunded. */
export const isAlreadyRefunded = ({ amount_refunded, amount_received, adjustments }: Payment): boolean =>
  amount_refunded + (adjustments?.disputes?.lost ?? 0) > amount_received

const HOUR_MS = 3_600_000
/** So long before evidence is due its merchant is told again. */
const REMIND_MS = [72 * HOUR_MS, 24 * HOUR_MS]

/** When the scheduler looks at it next: to announce the deadline, and when it has passed. Null: never. */
export function nextLook({ dispute_status, challenge_required_by: by }: Dispute, now: Time): Time | null {
  if (!statuses[dispute_status].is.includes('awaits answer') || by === null) return null
  return [...REMIND_MS.map(before => later(by, -before)), by].find(time => time > now) ?? null
}

export const createShape = shapeOf(disputeFields, 'create')
export type CreateDisputeAsk = Type.Static<typeof createShape>

export const statusShape = shapeOf(disputeFields, 'update status')
export type DisputeStatusAsk = Type.Static<typeof statusShape>
