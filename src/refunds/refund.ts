import Type from 'typebox'
import { connectorDetailsShape } from '../accounts/brought-account.ts'
import { moves, type StateOf, statesOf } from '../base/lifecycle.ts'
import { LARGEST_AMOUNT, type Money } from '../base/money.ts'
import { refuse } from '../base/refusal.ts'
import { metadata, parsed, shortText } from '../base/shapes.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/statement.ts'
import { bigint, int, json, type RowOf, select, table, text, time, word } from '../database/table.ts'
import type { Failure } from '../operations/failure.ts'
import { type SplitRefunds, splitRefundsShape } from '../payments/fields/split.ts'

/**
 * A refund's lifecycle. `failed_later`: a processor's yes to a refund is not its last word, the card's bank may send
 * the money back days after it. `review`: the processor's answer contradicts what was asked, or never came: a person
 * must look.
 */
export const refundLifecycle = moves({
  pending: { refunded: 'succeeded', refund_declined: 'failed', contradicted: 'review', unresolved: 'review' },
  succeeded: { failed_later: 'failed' },
  failed: { refunded_late: 'succeeded', contradicted: 'review' },
  review: { refunded: 'succeeded', refund_declined: 'failed' },
})
export type RefundStatus = StateOf<typeof refundLifecycle>

/**
 * What a refund's status says to merchants, and under which type of event they hear of it; null: it is not announced.
 * `called`: what existing clients call it where they name it.
 */
type Says = { means: string; so: string; announced: string | null; called?: string }
export const refundStatuses: Readonly<Record<RefundStatus, Says>> = {
  pending: {
    means: 'The processor has not reported the result yet; the amount is reserved',
    so: 'Wait, and never refund again',
    announced: null,
  },
  succeeded: { means: 'The money is on its way to the customer', so: 'Nothing', announced: 'refund_succeeded', called: 'success' },
  failed: {
    means: 'Declined; the amount can be refunded again',
    so: '`error_code` says why; try again with a new refund_id',
    announced: 'refund_failed',
    called: 'failure',
  },
  review: {
    means: 'The processor’s response contradicts the request, or never arrived',
    so: 'Check the refund at the processor',
    announced: 'action_required',
  },
}

/** The refunds: what merchants see of a refund. The money side is an operation of the payment. */
export const refunds = table('refunds', {
  key: ['merchant_id', 'refund_id'],
  columns: {
    merchant_id: text(),
    refund_id: text(),
    payment_id: text().fixed(),
    n: int().fixed(),
    status: word('refund_status', statesOf(refundLifecycle)),
    amount: bigint().fixed(),
    currency: text().fixed(),
    reason: text().orNull(),
    refund_type: text<'scheduled' | 'instant'>('instant').fixed(),
    metadata: json<Record<string, unknown>>().orNull(),
    profile_id: text().fixed(),
    connector: text().fixed(),
    merchant_connector_id: text().fixed(),
    connector_refund_id: text().orNull(),
    arn: text().orNull(),
    split_refunds: json<SplitRefunds>().orNull().fixed(),
    /** What it costs, as the processor said when it made it. */
    fee: json<Money>().orNull(),
    last_error: json<Failure>().orNull(),
    body_digest: text().fixed(),
    created_at: time().fixed(),
    updated_at: time(),
  },
  keyChosenByCaller: true,
  listed: {
    resource: 'refund',
    created: 'created_at',
    amount: 'amount',
    ids: { payment_id: 'column' },
    facets: {
      status: 'column',
      currency: 'column',
      connector: 'column',
      merchant_connector_id: 'column',
      profile_id: 'column',
      refund_type: 'column',
    },
  },
})

export type Refund = RowOf<typeof refunds>

/** The interface's smallest refund. */
export const SMALLEST_REFUND = 100

export const refundShape = Type.Object(
  {
    payment_id: Type.String(),
    refund_id: Type.Optional(Type.String()),
    merchant_id: Type.Optional(shortText),
    amount: Type.Optional(Type.Integer({ maximum: LARGEST_AMOUNT, description: 'Defaults to the captured amount' })),
    reason: Type.Optional(shortText),
    refund_type: Type.Optional(Type.Enum(['scheduled', 'instant'])),
    metadata: Type.Optional(metadata),
    merchant_connector_details: Type.Optional(connectorDetailsShape),
    split_refunds: Type.Optional(splitRefundsShape),
    all_keys_required: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, ...parsed },
)
/** What a merchant may still say of a refund that there is. */
export const refundUpdateShape = Type.Object(
  { reason: Type.Optional(shortText), metadata: Type.Optional(metadata) },
  { additionalProperties: false },
)
export type RefundUpdateAsk = Type.Static<typeof refundUpdateShape>

export type RefundBody = Type.Static<typeof refundShape>

const byId = statement('refund_by_id', select(refunds, 'where merchant_id = $1 and refund_id = $2'))
const ofPayment = statement('refunds_of_payment', select(refunds, 'where merchant_id = $1 and payment_id = $2 order by n'))

export const findRefund = async (context: Pick<Context, 'query'>, merchant_id: string, refund_id: string): Promise<Refund | undefined> =>
  (await context.query<Refund>(byId, [merchant_id, refund_id]))[0]

const ofPayments = statement(
  'refunds_of_payments',
  select(refunds, 'where merchant_id = $1 and payment_id = any($2) order by payment_id, n'),
)

/** The refund, or 404: a foreign one is as absent as a missing one. */
export const needRefund = async (context: Pick<Context, 'query'>, merchant_id: string, refund_id: string): Promise<Refund> =>
  (await findRefund(context, merchant_id, refund_id)) ?? refuse('not_found', { what: 'refund' })

/** The refunds of several payments, those of each oldest first. */
export async function findRefundsOf(
  context: Pick<Context, 'query'>,
  merchant_id: string,
  payment_ids: readonly string[],
): Promise<Map<string, Refund[]>> {
  const found = new Map<string, Refund[]>()
  if (payment_ids.length === 0) return found
  for (const refund of await context.query<Refund>(ofPayments, [merchant_id, payment_ids]))
    found.set(refund.payment_id, [...(found.get(refund.payment_id) ?? []), refund])
  return found
}

/** The refunds of a payment, oldest first. */
export const findRefunds = (context: Pick<Context, 'query'>, merchant_id: string, payment_id: string): Promise<Refund[]> =>
  context.query<Refund>(ofPayment, [merchant_id, payment_id])
