import type Type from 'typebox'
import type { Money } from '../base/money.ts'
import { refuse } from '../base/refusal.ts'
import { closed, parsed } from '../base/shapes.ts'
import type { Reads } from '../context.ts'
import { statement } from '../database/statement.ts'
import { int, json, type RowOf, select, table, text } from '../database/table.ts'
import type { Failure } from '../operations/failure.ts'
import { initialRowOf, listingOf, shapeOf, tableColumns } from '../resources/read.ts'
import { refundFields } from './fields.ts'

/** The refunds as merchants see them. The money side of a refund is an operation of the payment. */
export const refunds = table('refunds', {
  key: ['merchant_id', 'refund_id'],
  columns: {
    ...tableColumns(refundFields),
    n: int().fixed(),
    arn: text().orNull(),
    /** The processor's fee for the refund, as reported with the refund. */
    fee: json<Money>().orNull(),
    last_error: json<Failure>().orNull(),
    body_digest: text().fixed(),
  },
  keyChosenByCaller: true,
  listed: listingOf(refundFields, { resource: 'refund', created: 'created_at', amount: 'amount' }),
})

export type Refund = RowOf<typeof refunds>

/** Returns the columns of a new refund that follow from its request. */
export const initialRefund = initialRowOf(refundFields)

/** The smallest amount of a refund that the interface allows. */
export const SMALLEST_REFUND = 100

export const refundShape = shapeOf(refundFields, 'create', { ...closed, ...parsed })
export type RefundBody = Type.Static<typeof refundShape>

export const refundUpdateShape = shapeOf(refundFields, 'update')
export type RefundUpdateAsk = Type.Static<typeof refundUpdateShape>

const byId = statement('refund_by_id', select(refunds, 'where merchant_id = $1 and refund_id = $2'))
const ofPayment = statement('refunds_of_payment', select(refunds, 'where merchant_id = $1 and payment_id = $2 order by n'))

export const findRefund = async (context: Reads, merchant_id: string, refund_id: string): Promise<Refund | undefined> =>
  (await context.query<Refund>(byId, [merchant_id, refund_id]))[0]

const ofPayments = statement(
  'refunds_of_payments',
  select(refunds, 'where merchant_id = $1 and payment_id = any($2) order by payment_id, n'),
)

/** Refuses (404) a missing refund. */
export const needRefund = async (context: Reads, merchant_id: string, refund_id: string): Promise<Refund> =>
  (await findRefund(context, merchant_id, refund_id)) ?? refuse('not_found', { what: 'refund' })

export async function findRefundsOf(context: Reads, merchant_id: string, payment_ids: readonly string[]): Promise<Map<string, Refund[]>> {
  if (payment_ids.length === 0) return new Map()
  return Map.groupBy(await context.query<Refund>(ofPayments, [merchant_id, payment_ids]), ({ payment_id }) => payment_id)
}

export const findRefunds = (context: Reads, merchant_id: string, payment_id: string): Promise<Refund[]> =>
  context.query<Refund>(ofPayment, [merchant_id, payment_id])
