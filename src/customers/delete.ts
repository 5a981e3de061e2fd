import { move } from '../accounts/rows.ts'
import { between, later } from '../base/time.ts'
import type { Context, RowChange } from '../context.ts'
import { claimed } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { personalFields } from '../resources/read.ts'
import { type CustomerRow, customers, needCustomer, type Personal, personalColumns, personalOf } from './customer.ts'
import { customerFields } from './fields.ts'

const REDACTED = 'Redacted'

/**
 * The answers that were kept about this customer would be given again, with all that was said. Without them the
 * operation is carried out anew, and refused.
 */
const forgetAnswers = statement(
  'forget_answers_about_customer',
  `update idempotency_keys set status = null, answer = null where merchant_id = $1 and kind = 'customer' and head_id = $2 and answer is not null`,
)
const forgetTokens = statement('forget_tokens_of_customer', 'delete from payment_tokens where merchant_id = $1 and customer_id = $2')
const forgetKeys = statement('forget_keys_of_customer', 'delete from ephemeral_keys where merchant_id = $1 and customer_id = $2')

const forgetNames = statement('forget_names_of_customer', 'delete from processor_customers where merchant_id = $1 and customer_id = $2')

/** Deleted customers whose data is not erased completely yet. */
export const customersToForget = claimed(customers, {
  when: 'forget_at',
  lease_ms: 600_000,
  gives: ['merchant_id', 'customer_id', 'redacted_at'],
})

/** What says something of a deleted customer beside the objects that stay, or stands for them. It may be done again. */
export async function forgetBeside(context: Pick<Context, 'query'>, merchant_id: string, customer_id: string): Promise<void> {
  for (const forget of [forgetTokens, forgetKeys, forgetNames, forgetAnswers]) await context.query(forget, [merchant_id, customer_id])
}

const again = statement('forget_customer_again', 'update customers set forget_at = $3 where merchant_id = $1 and customer_id = $2')
/**
 * Payments under way are looked at again; and all of them once more, when every request that knew the customer still
 * has ended.
 */
const AGAIN_MS = 60_000

/** All that says something of this deleted customer was gone through; `whole`: nothing was left to do. */
export function wentThrough(
  context: Pick<Context, 'query' | 'now'>,
  { merchant_id, customer_id, redacted_at }: Pick<CustomerRow, 'merchant_id' | 'customer_id' | 'redacted_at'>,
  whole: boolean,
) {
  const isOver = whole && redacted_at !== null && between(redacted_at, context.now()) >= AGAIN_MS
  return context.query(again, [merchant_id, customer_id, isOver ? null : later(context.now(), AGAIN_MS)])
}

/**
 * Deletes a customer: what is said of the person is gone for good, out of their payments too within seconds; the id
 * stays, so that payments go on naming it (contract 5.4: redacted, not removed). `theirs`: what rows of theirs go
 * with them (payment methods). Refuses one who is not there (HE_02), or is deleted already (IR_11).
 */
export async function deleteCustomer(
  context: Context,
  merchant_id: string,
  customer_id: string,
  theirs: (customer: CustomerRow) => Promise<RowChange[]>,
) {
  const answer = await move(context, 'customers', 'redacted', async () => {
    const before = await needCustomer(context, merchant_id, customer_id)
    return {
      before,
      after: redacted(context, before),
      rows: await theirs(before),
      answer: { customer_id, customer_deleted: true, address_deleted: true, payment_methods_deleted: true },
    }
  })
  // So that no reference remains. The row has it repeated: a process that dies here, or finds the database
  // gone, leaves nothing behind.
  await forgetBeside(context, merchant_id, customer_id).catch(error =>
    context.log.warn(
      { err: error, merchant_id, customer_id },
      'the data of a deleted customer could not be erased yet; it will be retried',
    ),
  )
  return answer
}

/** The row without the person: every text says so, of an address the country is kept. */
function redacted(context: Context, before: CustomerRow): CustomerRow {
  const { merchant_id, customer_id } = before
  const { address } = personalOf(context, before)
  const texts = personalFields(customerFields).filter(name => name !== 'address')
  const said: Personal = {
    ...Object.fromEntries(texts.map(name => [name, REDACTED])),
    ...(address && {
      address: Object.fromEntries(Object.entries(address).map(([part, value]) => [part, part === 'country' ? value : REDACTED])),
    }),
  }
  const now = context.now()
  return {
    ...before,
    ...personalColumns(context, merchant_id, customer_id, said),
    email_digest: null,
    phone_digest: null,
    default_payment_method_id: null,
    redacted_at: now,
    forget_at: now,
    modified_at: now,
  }
}
