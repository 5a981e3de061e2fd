import type { Context, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import { type Payment, payments } from './payment.ts'

/** A customer's payments so far, including this payment. */
export type CustomerStatistics = { payments: number; succeeded: number; failed: number; first_payment_at: Time; last_payment_at: Time }

const ofCustomer = statement(
  'statistics_of_customer',
  `select count(*)::int as payments, count(*) filter (where amount_received > 0)::int as succeeded, count(*) filter (where status = 'failed')::int as failed,
      min(created) as first_payment_at, max(created) as last_payment_at
    from ${payments.name} where merchant_id = $1 and customer_id = $2`,
)

/** Returns the customer's statistics; null for a guest. */
export async function customerStatistics(
  context: Pick<Context, 'query'>,
  { merchant_id, customer_id }: Pick<Payment, 'merchant_id' | 'customer_id'>,
): Promise<CustomerStatistics | null> {
  if (customer_id === null) return null
  const [row] = await context.query<CustomerStatistics>(ofCustomer, [merchant_id, customer_id])
  return row ?? null
}
