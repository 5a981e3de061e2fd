import type { KnownCustomer } from '../connectors/conversation.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/statement.ts'
import { table, text, time } from '../database/table.ts'
import { type CustomerRow, customers, personalOf } from './customer.ts'
import { spellingOf } from './phone.ts'

/** Created at a processor before money moves, used again at the same account, deleted with the customer. */
const processorCustomers = table('processor_customers', {
  key: ['merchant_id', 'customer_id', 'merchant_connector_id'],
  columns: { merchant_id: text(), customer_id: text(), merchant_connector_id: text(), reference: text(), modified_at: time() },
})

type At = { merchant_id: string; customer_id: string; merchant_connector_id: string }

const known = statement(
  'customer_at_processor',
  `select c.merchant_id, c.customer_id, c.personal, p.reference from ${customers.name} c
    left join ${processorCustomers.name} p on p.merchant_id = c.merchant_id and p.customer_id = c.customer_id and p.merchant_connector_id = $3
    where c.merchant_id = $1 and c.customer_id = $2 and c.redacted_at is null`,
)

/** Null if the customer does not exist. */
export async function customerAt(
  context: Pick<Context, 'query' | 'vault'>,
  { merchant_id, customer_id, merchant_connector_id }: At,
): Promise<KnownCustomer | null> {
  const [row] = await context.query<CustomerRow & { reference: string | null }>(known, [merchant_id, customer_id, merchant_connector_id])
  if (!row) return null
  const personal = personalOf(context, row)
  const phone = spellingOf(personal)
  return {
    reference: row.reference,
    ...(personal.name && { name: personal.name }),
    ...(personal.email && { email: personal.email }),
    ...(phone !== null && { phone }),
  }
}

/** If two concurrent payments both created the customer at the processor, the later id replaces the earlier. */
const called = statement(
  'customer_called_at_processor',
  `insert into ${processorCustomers.name} (merchant_id, customer_id, merchant_connector_id, reference, modified_at)
    select $1, $2, $3, $4, $5 from ${customers.name} where merchant_id = $1 and customer_id = $2 and redacted_at is null
    on conflict (merchant_id, customer_id, merchant_connector_id) do update set reference = excluded.reference, modified_at = excluded.modified_at`,
)

export const storeProcessorCustomer = (context: Pick<Context, 'query' | 'now'>, at: At, reference: string): Promise<unknown> =>
  context.query(called, [at.merchant_id, at.customer_id, at.merchant_connector_id, reference, context.now()])
