import type { Merchant } from '../accounts/merchant.ts'
import type { Context, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import { PAYMENT } from '../payments/payment.ts'

const unknownOperations = statement(
  'operations_unknown',
  `select o.currency, count(*)::int as operations, sum(o.amount)::bigint as amount, min(o.began)::timestamptz(3) as since, min(o.poll_at)::timestamptz(3) as next_ask_at
    from processor_operations o where o.merchant_id = $1 and o.kind = '${PAYMENT}' and o.state = 'unknown' and o.poll_at is not null
      and ($2::text[] is null or exists (select from payments p where p.merchant_id = $1 and p.payment_id = o.object_id and p.profile_id = any($2)))
    group by 1 order by 3 desc, 1`,
)
type Unknown = { currency: string; operations: number; amount: number; since: Time; next_ask_at: Time }

/** They are polled, and need no person yet. */
export async function findUnknownPayments(context: Pick<Context, 'query'>, { merchant_id }: Merchant, profiles: readonly string[] | null) {
  const found = await context.query<Unknown>(unknownOperations, [merchant_id, profiles])
  const earliest = (times: Time[]): Time | null => times.toSorted()[0] ?? null
  return {
    operations: found.reduce((all, one) => all + one.operations, 0),
    amounts: found.map(({ currency, amount }) => ({ currency, amount })),
    since: earliest(found.map(one => one.since)),
    next_ask_at: earliest(found.map(one => one.next_ask_at)),
  }
}
