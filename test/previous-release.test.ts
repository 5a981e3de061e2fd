import { deepEqual, equal } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { connectionSettings } from '../src/database/connection-settings.ts'
import { migrate } from '../src/database/migrate.ts'
import { isRefused } from './refused.ts'
import { card, http, newDatabase, openPlace } from './shop.ts'

/**
 * While a new release is rolled out, processes of the one before still run, on the schema of the new one.
 * `releases/0.1.0.json` is what a shop of that release said to its database in the course of payments of all kinds,
 * statement by statement with its values, and what it was answered: recorded once, and never changed.
 */
type Frozen = { base64: string }
type Call = [statement: number, values: unknown[], answer: Record<string, unknown>[]]
type Recorded = {
  shop: { merchant_id: string; api_key: string; merchant_connector_id: string; keys: string }
  statements: string[]
  calls: Call[]
}

const { shop, statements, calls } = JSON.parse(readFileSync(join(import.meta.dirname, 'releases', '0.1.0.json'), 'utf8')) as Recorded
const hold = `pay_${'H'.repeat(26)}`

const isFrozen = (value: unknown): value is Frozen => typeof (value as Frozen | null)?.base64 === 'string'
const thawed = (value: unknown) => (isFrozen(value) ? Buffer.from(value.base64, 'base64') : value)
const frozen = (value: unknown) => (Buffer.isBuffer(value) ? { base64: value.toString('base64') } : value)

/** Says again what was said; gives the answers in which the release would have missed something. */
async function repeat(url: string, said: readonly Call[]) {
  const client = new pg.Client(connectionSettings(url, 'the release before'))
  await client.connect()
  const wrong: unknown[] = []
  try {
    for (const [statement, values, answer] of said) {
      const { rows } = await client.query({ text: statements[statement]!, values: values.map(thawed) })
      const again = rows.map((row, i) => Object.fromEntries(Object.keys(answer[i] ?? row).map(column => [column, frozen(row[column])])))
      if (JSON.stringify(again) !== JSON.stringify(answer)) wrong.push({ text: statements[statement], values, answer, again })
    }
  } finally {
    await client.end()
  }
  return wrong
}

const database = await newDatabase()
await openPlace(
  { keys: { mode: 'test', keys: shop.keys, command: null, file: null } },
  context => context,
  async () => database,
)
const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  http(method, (await openPlace()).service.url + path, body, { 'api-key': shop.api_key, ...headers })

test('all that the release before says to the database it may still say to the newest schema, and it is answered the same', async () => {
  deepEqual(await repeat(database.url, calls), [])
})

test('what the release before has written this one shows, explains and goes on with', async () => {
  const payment = (await call('GET', `/payments/${hold}`)).body
  deepEqual([payment.status, payment.amount_received, payment.refunds.length], ['succeeded', 1000, 2])
  const { data } = (await call('GET', `/events?object_id=${hold}`)).body
  const theirs = calls.find(([statement]) => /^select \* from events/.test(statements[statement]!))![2]
  const fields = ['version', 'sequence', 'event_id', 'type', 'was', 'set', 'created']
  // A column that has left is told no more.
  const without = ({ busy: _left, ...rest }: Record<string, unknown>) => rest
  const told = (value: unknown) => (typeof value === 'object' && value !== null ? without(value as Record<string, unknown>) : value)
  const of = (event: Record<string, unknown>) => Object.fromEntries(fields.map(field => [field, told(event[field])]))
  deepEqual(data.slice(0, theirs.length).map(of), theirs.map(of))
  equal(new Set(data.map((event: { by: unknown }) => event.by)).size, 1, 'nobody wrote down who did it')
  const paid = await call('POST', '/payments', { amount: 700, currency: 'USD' })
  equal(paid.status, 200, paid.text)
  isRefused(await call('POST', `/payments/${hold}/cancel`, {}), 400, 'IR_16')
  const again = {
    payment_id: `pay_${'S'.repeat(26)}`,
    amount: 1250,
    currency: 'USD',
    confirm: true,
    payment_method: 'card',
    payment_method_data: card(),
  }
  const kept = await call('POST', '/payments', { ...again, authentication_type: 'no_three_ds' }, { 'idempotency-key': 'k-1' })
  deepEqual([kept.status, kept.body.status, kept.headers['idempotent-replayed']], [200, 'succeeded', 'true'])
})

test('a database of the release before is brought to the newest schema with all that is in it', async () => {
  const old = await newDatabase('template0')
  const client = new pg.Client(connectionSettings(old.url, 'an operator'))
  await client.connect()
  try {
    await client.query('create table schema_version (version bigint primary key); insert into schema_version values (0)')
    await client.query('alter table schema_version add column name text, add column md5 text, add column run_at timestamptz')
    for (const version of [1, 2, 3]) {
      const sql = readFileSync(new URL(`../src/database/migrations/00${version}.do.sql`, import.meta.url), 'utf8')
      await client.query(sql)
      const md5 = createHash('md5').update(sql).digest('hex')
      await client.query("insert into schema_version values ($1, '', $2, now())", [version, md5])
    }
    // Half of its day before, half of it after.
    const half = calls.length / 2
    deepEqual(await repeat(old.url, calls.slice(0, half)), [])
    await Promise.all([migrate(old.url), migrate(old.url)])
    deepEqual(await repeat(old.url, calls.slice(half)), [])
    const rows = (await client.query('select kind, count(*)::int as n from changes group by 1')).rows
    deepEqual(
      rows.map(row => row.kind),
      ['payment'],
    )
  } finally {
    await client.end()
    await old.drop()
  }
})
