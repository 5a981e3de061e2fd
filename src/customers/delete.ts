import { move } from '../accounts/rows.ts'
import { between, later } from '../base/time.ts'
import type { Context, Reads, RowChange } from '../context.ts'
import { claimed } from '../database/due.ts'
import { forgetAnswersOfNothing } from '../database/idempotency-keys.ts'
import { statement } from '../database/statement.ts'
import { personalFields } from '../resources/read.ts'
import { type CustomerRow, customers, needCustomer, type Personal, personalColumns, personalOf } from './customer.ts'
import { customerFields } from './fields.ts'

const REDACTED = 'Redacted'

/** A repeated request would receive stored answers with all personal data. Without them it is refused. */
const forgetAnswers = statement(
  'forget_answers_about_customer',
  `update idempotency_keys set status = null, answer = null where merchant_id = $1 and kind = 'customer' and head_id = $2 and answer is not null`,
)
const forgetTokens = statement('forget_tokens_of_customer', 'delete from payment_tokens where merchant_id = $1 and customer_id = $2')
const forgetKeys = statement('forget_keys_of_customer', 'delete from ephemeral_keys where merchant_id = $1 and customer_id = $2')

const forgetNames = statement('forget_names_of_customer', 'delete from processor_customers where merchant_id = $1 and customer_id = $2')

/** Their data is not erased completely yet. */
export const customersToForget = claimed(customers, {
  when: 'forget_at',
  lease_ms: 600_000,
  gives: ['merchant_id', 'customer_id', 'redacted_at'],
})

/** Rows with data of a deleted customer, beside the objects that stay. The deletion may be repeated. */
export async function forgetBeside(context: Reads, merchant_id: string, customer_id: string): Promise<void> {
  for (const forget of [forgetTokens, forgetKeys, forgetNames, forgetAnswers]) await context.query(forget, [merchant_id, customer_id])
  await context.query(forgetAnswersOfNothing, [merchant_id])
}

const again = statement('forget_customer_again', 'update customers set forget_at = $3 where merchant_id = $1 and customer_id = $2')
/** Until payments under way are processed again, and all once more when no request knows the customer any longer. */
const AGAIN_MS = 60_000

/** Called when the objects with data of this deleted customer were processed. `whole`: nothing was left to do. */
export function wentThrough(
  context: Pick<Context, 'query' | 'now'>,
  { merchant_id, customer_id, redacted_at }: Pick<CustomerRow, 'merchant_id' | 'customer_id' | 'redacted_at'>,
  whole: boolean,
) {
  const isOver = whole && redacted_at !== null && between(redacted_at, context.now()) >= AGAIN_MS
  return context.query(again, [merchant_id, customer_id, isOver ? null : later(context.now(), AGAIN_MS)])
}

/**
 * Erases the personal data for good, within seconds also in payments, which still name the id (contract 5.4: redacted,
 * not removed). `rowsOf`: rows deleted with the customer (payment methods).
 */
export async function deleteCustomer(
  context: Context,
  merchant_id: string,
  customer_id: string,
  rowsOf: (customer: CustomerRow) => Promise<RowChange[]>,
) {
  const answer = await move(context, 'customers', 'redacted', async () => {
    const before = await needCustomer(context, merchant_id, customer_id)
    return {
      before,
      after: redacted(context, before),
      rows: await rowsOf(before),
      answer: { customer_id, customer_deleted: true, address_deleted: true, payment_methods_deleted: true },
    }
  })
  // The row's `forget_at` has the erasure repeated, so no data remains if the process dies here.
  await forgetBeside(context, merchant_id, customer_id).catch(error =>
    context.log.warn(
      { err: error, merchant_id, customer_id },
      'the data of a deleted customer could not be erased yet; it will be retried',
    ),
  )
  return answer
}

/** Every text is `Redacted`, except the country of an address. */
function redacted(context: Context, before: CustomerRow): CustomerRow {
  const { merchant_id, customer_id } = before
  const { address } = personalOf(context, before)
  const texts = personalFields(customerFields).filter(name => name !== 'address' && name !== 'document_details')
  const personal: Personal = {
    ...Object.fromEntries(texts.map(name => [name, REDACTED])),
    ...(address && {
      address: Object.fromEntries(Object.entries(address).map(([part, value]) => [part, part === 'country' ? value : REDACTED])),
    }),
  }
  const now = context.now()
  return {
    ...before,
    ...personalColumns(context, merchant_id, customer_id, personal),
    email_digest: null,
    phone_digest: null,
    default_payment_method_id: null,
    redacted_at: now,
    forget_at: now,
    modified_at: now,
  }
}
