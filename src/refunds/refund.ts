import Type from 'typebox'
import { moves, type StateOf } from '../base/lifecycle.ts'
import { LARGEST_AMOUNT } from '../base/money.ts'
import { metadata, shortText } from '../base/shapes.ts'
import type { Table } from '../database/tables.ts'
import type { PaymentError } from '../payments/payment.ts'
import type { Statement, Time, World } from '../world.ts'

/** A refund's lifecycle. `review`: the processor's answer contradicts what was asked, or never came: a person must look. */
export const refundLifecycle = moves({
  pending: { refunded: 'succeeded', refund_declined: 'failed', contradicted: 'review', unresolved: 'review' },
  succeeded: {},
  failed: { refunded_late: 'succeeded', contradicted: 'review' },
  review: { refunded: 'succeeded', refund_declined: 'failed' },
})
export type RefundStatus = StateOf<typeof refundLifecycle>

/** Under which event type merchants hear that a refund reached a status; statuses that are not named are not announced. */
export const refundAnnouncements: Partial<Record<RefundStatus, string>> = {
  succeeded: 'refund_succeeded',
  failed: 'refund_failed',
  review: 'action_required',
}

/** A row of `refunds`: what merchants see of a refund. The money side is an operation of the payment. */
export type Refund = {
  merchant_id: string
  refund_id: string
  payment_id: string
  n: number
  status: RefundStatus
  amount: number
  currency: string
  reason: string | null
  refund_type: 'scheduled' | 'instant'
  metadata: Record<string, unknown> | null
  profile_id: string
  connector: string
  merchant_connector_id: string
  connector_refund_id: string | null
  arn: string | null
  last_error: PaymentError | null
  body_digest: string
  created_at: Time
  updated_at: Time
}

export const refundsTable: Table = {
  name: 'refunds',
  key: ['merchant_id', 'refund_id'],
  columns: {
    merchant_id: 'text',
    refund_id: 'text',
    payment_id: 'text',
    n: 'int',
    status: 'refund_status',
    amount: 'bigint',
    currency: 'text',
    reason: 'text',
    refund_type: 'text',
    metadata: 'json',
    profile_id: 'text',
    connector: 'text',
    merchant_connector_id: 'text',
    connector_refund_id: 'text',
    arn: 'text',
    last_error: 'json',
    body_digest: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  mutable: ['status', 'connector_refund_id', 'arn', 'last_error', 'updated_at'],
  keyChosenByCaller: true,
}

/** The interface's smallest refund. */
export const SMALLEST_REFUND = 100

export const refundShape = Type.Object(
  {
    payment_id: Type.String(),
    refund_id: Type.Optional(Type.String()),
    merchant_id: Type.Optional(shortText),
    amount: Type.Optional(Type.Integer({ maximum: LARGEST_AMOUNT, description: 'Default: all that was captured' })),
    reason: Type.Optional(shortText),
    refund_type: Type.Optional(Type.Enum(['scheduled', 'instant'])),
    metadata: Type.Optional(metadata),
    merchant_connector_details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    split_refunds: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    all_keys_required: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type RefundAsk = Type.Static<typeof refundShape>

const byId: Statement = { name: 'refund_by_id', text: 'select * from refunds where merchant_id = $1 and refund_id = $2' }
const ofPayment: Statement = {
  name: 'refunds_of_payment',
  text: 'select * from refunds where merchant_id = $1 and payment_id = $2 order by n',
}

export const findRefund = async (world: Pick<World, 'query'>, merchant_id: string, refund_id: string): Promise<Refund | undefined> =>
  (await world.query<Refund>(byId, [merchant_id, refund_id]))[0]

/** The refunds of a payment, oldest first. */
export const findRefunds = (world: Pick<World, 'query'>, merchant_id: string, payment_id: string): Promise<Refund[]> =>
  world.query<Refund>(ofPayment, [merchant_id, payment_id])
