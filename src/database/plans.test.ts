import { ok } from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { newDatabase } from '../../test/shop.ts'
import '../service.ts'
import { savedCardsByToken } from '../payment-methods/saved-cards.ts'
import { storedCardOf } from '../payments/rows.ts'
import { allStatements } from './statement.ts'

/**
 * Statements that work on many rows at once, each looked up by its key: in a join, PostgreSQL might read all other
 * rows that a merchant ever had.
 */
const amongMany: [name: string, index: string, never: RegExp][] = [
  ['drop_outbox_rows', 'changes_pkey', /changes_told/],
  ['place_deliveries', 'changes_pkey', /changes_told/],
  ['ledger_balances_of', 'changes_pkey', /changes_told/],
  ['events_of_versions', 'changes_pkey', /changes_told/],
  ['first_of_lines', 'announcements_pkey', /Hash Join|Merge Join/],
  ['events_of_day_to_archive', 'changes_told_or_posted', /Seq Scan|Hash|announcements_to_forget/],
  ['bodies_to_archive', 'announcements_pkey', /Seq Scan|announcements_to_forget/],
  ['forget_archived', 'announcements_pkey', /Seq Scan|announcements_to_forget/],
  ['few of amount', 'listings_by_amount', /Seq Scan/],
  ['payment list by amount on created desc', 'listings_by_amount', /Seq Scan/],
  ['payment list by kind on created desc', 'listings_pkey', /listings_by_amount/],
  ['payment list by window on created desc', 'listings_pkey', /listings_by_amount|Seq Scan on listings/],
  ['payment list nearest desc', 'payments_by_time', /Seq Scan/],
  ['payments by error_code desc', 'payments_of_error_code', /Sort/],
  ['payments by unified_code desc', 'payments_of_unified_code', /Sort/],
  ['payments_of_unknown_operations', 'operations_due', /processor_operations_pkey/],
  ['request_logs_of_error', 'request_logs_of_error', /Sort/],
  ['request_logs_after', 'request_logs_pkey', /Sort/],
  ['payment list by customer_id on created desc', 'listings_of_customer', /listings_by_amount/],
]

test('every lookup uses its index, also without table statistics', async () => {
  const lookups: [index: string, text: string][] = [
    ['payments_pkey', 'select * from payments where merchant_id = $1 and payment_id = $2'],
    ['payments_pkey', 'update payments set version = version + 1 where merchant_id = $1 and payment_id = $2 and version = $3'],
    ['processor_operations_pkey', 'select * from processor_operations where merchant_id = $1 and kind = $2 and object_id = $3 and n = $4'],
    ['processor_operations_pkey', 'select * from processor_operations where merchant_id = $1 and kind = $2 and object_id = $3 order by n'],
    ['operations_of_request', 'select * from processor_operations where merchant_id = $1 and request_id = $2'],
    ['refunds_pkey', 'select * from refunds where merchant_id = $1 and refund_id = $2'],
    ['refunds_by_payment', 'select * from refunds where merchant_id = $1 and payment_id = $2 order by n'],
    ['changes_pkey', 'select * from changes where merchant_id = $1 and kind = $2 and object_id = $3 and version > $4 order by version'],
    ['idempotency_keys_pkey', 'select * from idempotency_keys where merchant_id = $1 and key = $2'],
    ['vault_records_pkey', storedCardOf.text],
    ['waiting_cvcs_pkey', storedCardOf.text],
    ['payment_tokens_pkey', savedCardsByToken.text],
    ['payment_methods_pkey', savedCardsByToken.text],
    ['vault_records_pkey', savedCardsByToken.text],
    ['payment_methods_pkey', 'select * from payment_methods where merchant_id = $1 and payment_method_id = $2'],
    ['payment_methods_by_customer', 'select * from payment_methods where merchant_id = $1 and customer_id = $2'],
    ['payment_methods_of_secret', 'select * from payment_methods where merchant_id = $1 and client_secret = $2'],
    ['payment_tokens_by_customer', 'delete from payment_tokens where merchant_id = $1 and customer_id = $2'],
  ]
  const fresh = await newDatabase()
  const client = new pg.Client({ connectionString: fresh.url })
  await client.connect()
  try {
    for (const [index, text] of lookups) {
      const plan = (await client.query(`explain (generic_plan) ${text}`)).rows.map(row => row['QUERY PLAN']).join('\n')
      ok(plan.includes(index), `${text}\n${plan}`)
    }
    for (const [name, index, never] of amongMany) {
      const found = allStatements().find(one => one.name === name)
      ok(found, name)
      const plan = (await client.query(`explain (generic_plan) ${found.text}`)).rows.map(row => row['QUERY PLAN']).join('\n')
      ok(plan.includes(index) && !never.test(plan), `${name}\n${plan}`)
    }
  } finally {
    await client.end()
    await fresh.drop()
  }
})
