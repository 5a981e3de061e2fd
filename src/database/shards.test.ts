// Alone: the statements of the service, and none of other tests.
import { deepEqual, ok } from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { moneyStatements, moneyTables, ofTheWholeDatabase } from '../../test/money-statements.ts'
import { recordDay } from '../../test/releases.ts'
import { newDatabase } from '../../test/shop.ts'

/**
 * PostgreSQL proves that the rows of money can be spread over several databases by their merchant: each table is
 * divided into shards by a hash of the merchant (PostgreSQL refuses a unique constraint that does not include the
 * merchant), and the plans show the shards that a statement reads.
 */

const SHARDS = 4

/** Tables that are shared by all merchants, each with the reason why it is not divided. */
const undivided: Readonly<Record<string, string>> = {
  audit_log: 'one chain of hashes for the whole deployment',
  audit_chain: 'where that chain is sealed to',
  card_bins: 'what is known of cards, of no merchant',
  write_probes: 'tell whether the database can write',
  sink_leases: 'who sends events on',
}

/** Statements that name a merchant and nevertheless search all shards, each with the reason. */
const inAllShards: Readonly<Record<string, string>> = {
  payments_of_unknown_operations: 'by the index of what is asked about, which is short',
  'payments called': "by the processor's name of it, in an index of that alone",
  'refunds called': "by the processor's name of it, in an index of that alone",
  'payouts called': "by the processor's name of it, in an index of that alone",
  jobs_in_trouble: 'for the operator, of one merchant or of all',
}

async function dividedDatabase(t: TestContext): Promise<pg.Client> {
  const database = await newDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  t.after(async () => {
    await client.end()
    await database.drop()
  })
  for (const name of moneyTables.filter(name => undivided[name] === undefined)) {
    const shards = Array.from(
      { length: SHARDS },
      (_, i) => `create table ${name}_shard${i} partition of ${name} for values with (modulus ${SHARDS}, remainder ${i})`,
    )
    await client.query(
      [
        `alter table ${name} rename to ${name}_whole`,
        `create table ${name} (like ${name}_whole including all) partition by hash (merchant_id)`,
        ...shards,
        `drop table ${name}_whole cascade`,
      ].join(';'),
    )
  }
  return client
}

/**
 * The condition on the earlier request of a key, in the shard of its head: an administrator's key may concern any
 * merchant. Only its row names the merchant, so no plan can know it.
 */
const ofAnEarlierRequest = / and not exists \(select from changes where merchant_id = coalesce\(c\.head_merchant[^)]*\)[^)]*\)/g

/** Gives the shards that a plan reads. */
async function shardsOf(client: pg.Client, explained: string, values: unknown[] = []): Promise<Set<string>> {
  const { rows } = await client.query(`explain ${explained.replace(ofAnEarlierRequest, '')}`, values)
  const plan = rows.map(row => row['QUERY PLAN']).join('\n')
  return new Set(plan.match(/_shard\d+/g) ?? [])
}

test('a statement for one merchant reads only one shard, except for a known list of statements', async t => {
  const client = await dividedDatabase(t)
  const spread: string[] = []
  const all = moneyStatements().filter(({ name }) => !ofTheWholeDatabase.includes(name))
  for (const { name, text } of all) {
    const ofOne = text.replaceAll(/\$1\b/g, "'merchant_1'").replaceAll(/\$(\d+)/g, (_, n) => `$${Number(n) - 1}`)
    if ((await shardsOf(client, `(generic_plan) ${ofOne}`)).size > 1) spread.push(name)
  }
  ok(all.length > 400, `${all.length} statements`)
  deepEqual(spread.sort(), Object.keys(inAllShards).sort())
})

test('all statements of a recorded day of a shop use only one shard', async t => {
  const migrations = readdirSync(join(import.meta.dirname, 'migrations'))
  const { statements, calls } = await recordDay(migrations)
  const client = await dividedDatabase(t)
  const spread: string[] = []
  const shards = new Set<string>()
  const whole = moneyStatements()
    .filter(({ name }) => ofTheWholeDatabase.includes(name))
    .map(({ text }) => text)
  for (const [at, text] of statements.entries()) {
    if (whole.includes(text)) continue
    const [, values] = calls.find(([statement]) => statement === at)!
    const its = await shardsOf(client, text, values)
    if (its.size > 1) spread.push(text)
    else for (const shard of its) shards.add(shard)
  }
  deepEqual(spread, [])
  deepEqual(shards.size, 1)
})
