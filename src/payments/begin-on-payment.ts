import type { EventType } from '../base/event-types.ts'
import { refuse } from '../base/refusal.ts'
import type { Change, Context, RowChange, WriteResult } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { beginOn } from '../operations/begin.ts'
import type { Call } from '../operations/verb.ts'
import { PAYMENT, type Payment, payments } from './payment.ts'
import { findPayment } from './rows.ts'

/** Runs the *begin* step of a call that moves money on an existing payment (`operations/begin.ts`). */
export async function begin<P extends { change: (Change & { after: Payment }) | null }>(
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
