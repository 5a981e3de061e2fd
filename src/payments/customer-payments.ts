import type { Context, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import type { PaymentStatus } from './lifecycle.ts'
import { PAYMENT, type Payment, payments } from './payment.ts'

/** The latest payment of a customer; the amount in the lowest denomination of `currency`. */
export type LastPayment = { payment_id: string; status: PaymentStatus; amount: number; currency: string; created: Time }

const lastOfCustomers = statement(
  'last_payments_of_customers',
  `select c.customer_id, p.payment_id, p.status, p.amount, p.currency, p.created from unnest($2::text[]) c (customer_id)
    cross join lateral (select l.object_id from listings l where l.merchant_id = $1 and l.customer_id = c.customer_id
      and l.kind in (select k.kind from listing_kinds k where k.merchant_id = $1 and k.resource = '${PAYMENT}')
      order by l.created desc, l.object_id desc limit 1) last
    join payments p on p.merchant_id = $1 and p.payment_id = last.object_id`,
)

/** Returns each customer's latest payment by the index of lists, which lacks a payment until its first answer. */
export async function findLastPayments(
  context: Pick<Context, 'query'>,
  merchant_id: string,
  customer_ids: readonly string[],
): Promise<ReadonlyMap<string, LastPayment>> {
  if (customer_ids.length === 0) return new Map()
  const found = await context.query<LastPayment & { customer_id: string }>(lastOfCustomers, [merchant_id, customer_ids])
  return new Map(found.map(({ customer_id, ...payment }) => [customer_id, payment]))
}

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
