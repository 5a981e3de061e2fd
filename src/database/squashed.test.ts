import { deepEqual, match } from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { catalogueOf } from '../../test/catalogue.ts'
import { newDatabase } from '../../test/shop.ts'
import { migrate } from './migrate.ts'

async function catalogue(t: TestContext, folder: string): Promise<string[]> {
  const database = await newDatabase('template0')
  t.after(() => database.drop())
  await migrate(database.url, { folder: join(import.meta.dirname, folder), wait: async () => {} })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return await catalogueOf(client)
  } finally {
    await client.end()
  }
}

/** `column payments.busy`, `index claims_to_forget`, `trigger payment_is_listed` … */
const nameOf = (line: string): string =>
  line
    .replace(/CREATE (UNIQUE )?(INDEX|TRIGGER) /, '')
    .replace(/^trigger O /, 'trigger ')
    .replace(/^(newest \S+) /, '$1: ')
    .match(/^newest .*|^\S+ [^\s(]+/)![0]

test('the schema in one piece is what the migrations make, but for what served the release before', async t => {
  const [were, are] = [await catalogue(t, 'migrations'), await catalogue(t, 'squashed')]
  const without = (all: string[], others: string[]) => all.filter(line => !others.includes(line)).map(nameOf)
  const [gone, added] = [without(were, are), without(are, were)]
  const isOrder = (name: string) => name.startsWith('newest')
  const altered = added.filter(name => !isOrder(name))
  deepEqual(altered, [
    // It was null where the release before wrote; the others had defaults for what that one did not write.
    'column api_keys.version',
    'column changes.by',
    'column changes.kind',
    'column connector_accounts.version',
    'column idempotency_keys.kind',
    'column merchants.blocklist_guard',
    'column merchants.version',
    'column processor_operations.kind',
    'column profile_routing.payout_fallback',
    'column profiles.version',
    // It says nothing of the verb (`busy`) any more.
    'function payment_totals_hold',
  ])
  deepEqual(
    gone.filter(name => !isOrder(name) && !altered.includes(name)),
    [
      'column changes.set',
      'column payments.busy',
      'function customer_is_listed',
      'function list_customer',
      'function list_payment',
      'function list_refund',
      'function listed_customer',
      'function listed_payment',
      'function listed_payment_names',
      'function listed_refund',
      'function listed_refund_names',
      'function listing_facets',
      'function listing_kind',
      'function listing_said',
      'function payment_is_listed',
      'function refund_is_listed',
      'index claims_to_forget',
      'index customers_by_email',
      'index customers_by_phone',
      'index customers_newest',
      'trigger customer_is_listed',
      'trigger customer_is_listed_anew',
      'trigger payment_is_listed',
      'trigger payment_is_listed_anew',
      'trigger refund_is_listed',
      'trigger refund_is_listed_anew',
      'type payment_busy',
      'view claims',
      'view events',
      'view operations',
    ],
  )
  // The newest of the indexes that begin with the merchant is the primary key now.
  for (const name of added.filter(isOrder)) match(name, /^newest (\w+): \1_pkey$/)
})
