import type { EventType } from '../base/event-types.ts'
import { refuse } from '../base/refusal.ts'
import type { Change, Context, RowChange, Time, WriteResult } from '../context.ts'
import { called } from '../database/called.ts'
import { changeTo } from '../database/change-to.ts'
import { rowStatement, statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { beginOn } from '../operations/begin.ts'
import type { Call } from '../operations/verb.ts'
import { PAYMENT, type Payment, payments } from './payment.ts'

const byId = rowStatement('payment_by_id', payments, 'where merchant_id = $1 and payment_id = $2')

type Reads = Pick<Context, 'query'>

/** Returns the payment, or undefined if it is missing or belongs to another merchant: the same query answers both. */
export const findPayment = async (context: Reads, merchant_id: string, payment_id: string): Promise<Payment | undefined> =>
  (await context.query<Payment>(byId, [merchant_id, payment_id]))[0]

const byIds = statement('payments_by_ids', select(payments, 'where merchant_id = $1 and payment_id = any($2)'))

/** Returns the existing payments among these ids, in no order. */
export const findPayments = (context: Reads, merchant_id: string, payment_ids: readonly string[]): Promise<Payment[]> =>
  context.query<Payment>(byIds, [merchant_id, payment_ids])

/** By the processor's id of the payment's authorization. */
export const paymentsCalled = called<Payment>(payments, 'connector_transaction_id')

export const storedCardOf = statement(
  'stored_card',
  `select v.sealed, c.sealed as cvc, c.expires_at from vault_records v left join waiting_cvcs c on c.merchant_id = v.merchant_id and c.payment_id = $3
    where v.merchant_id = $1 and v.record = $2`,
)

/** Returns the sealed instrument of `record`, and the sealed security code that waits, null if none. */
export const findSealed = async (
  context: Reads,
  { merchant_id, payment_id }: Pick<Payment, 'merchant_id' | 'payment_id'>,
  record: string,
): Promise<{ sealed: Buffer; cvc: Buffer | null; expires_at: Time | null } | undefined> =>
  (await context.query<{ sealed: Buffer; cvc: Buffer | null; expires_at: Time | null }>(storedCardOf, [merchant_id, record, payment_id]))[0]

/** Reads a payment, plans its change and writes it, again after a conflict (`operations/begin.ts`). */
export async function changePayment<P extends { change: (Change & { after: Payment }) | null }>(
  { context, merchant: { merchant_id } }: Call,
  payment_id: string,
  plan: (payment: Payment) => P | Promise<P>,
  write?: (planned: P) => Promise<WriteResult<Payment>>,
): Promise<{ payment: Payment; plan: P }> {
  const owner = { merchant_id, kind: PAYMENT, object_id: payment_id }
  const { head, plan: planned } = await beginOn(context, owner, () => needPayment(context, merchant_id, payment_id), plan, write)
  return { payment: head, plan: planned }
}

/** Returns the payment. Refuses (404) a missing payment, and equally a payment of another merchant. */
export const needPayment = async (context: Pick<Context, 'query'>, merchant_id: string, payment_id: string): Promise<Payment> =>
  (await findPayment(context, merchant_id, payment_id)) ?? refuse('not_found', { what: 'payment' })

/** Returns the change that moves a payment, as `commit` writes it. */
export const moved = (
  context: Pick<Context, 'by'>,
  before: Payment,
  after: Payment,
  type: string,
  more: { rows?: RowChange[]; announces?: EventType | null } = {},
): Change & { after: Payment } => changeTo(context, payments.name, { before, after }, type, more)
