import { HOUR_MS, later } from '../../base/time.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../database/statement.ts'
import { findPayment } from '../rows.ts'
import { afterwards } from './follow-ups.ts'

/** Follow-ups that began within the last hour: enough for a customer back from a bank. Jobs do the older ones. */
const ofCustomer = statement(
  'follow_ups_of_customer',
  `select f.payment_id from payment_follow_ups f join payments p on p.merchant_id = f.merchant_id and p.payment_id = f.payment_id
    where f.merchant_id = $1 and f.made_at > $3 and p.customer_id = $2 limit 20`,
)

/** Completes a customer's follow-ups before saved methods are read: a decided payment's card may not be saved yet. */
export async function completeFollowUpsOf(context: Context, merchant_id: string, customer_id: string): Promise<void> {
  const found = await context.query<{ payment_id: string }>(ofCustomer, [merchant_id, customer_id, later(context.now(), -HOUR_MS)])
  for (const { payment_id } of found) {
    const payment = await findPayment(context, merchant_id, payment_id)
    if (payment) await afterwards(context, payment)
  }
}
