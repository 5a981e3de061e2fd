import type { Context, Time } from '../context.ts'
import { rowStatement, statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { type Payment, payments } from './payment.ts'

const byId = rowStatement('payment_by_id', payments, 'where merchant_id = $1 and payment_id = $2')

type Reads = Pick<Context, 'query'>

/** Returns the payment, or undefined if it is missing or belongs to another merchant: the same query answers both. */
export const findPayment = async (context: Reads, merchant_id: string, payment_id: string): Promise<Payment | undefined> =>
  (await context.query<Payment>(byId, [merchant_id, payment_id]))[0]

const byIds = statement('payments_by_ids', select(payments, 'where merchant_id = $1 and payment_id = any($2)'))

/** Returns the existing payments among these ids, in no order. */
export const findPayments = (context: Reads, merchant_id: string, payment_ids: readonly string[]): Promise<Payment[]> =>
  context.query<Payment>(byIds, [merchant_id, payment_ids])

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
