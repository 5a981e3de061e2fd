// Alone: it describes a table that the migrated database has not.
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import pg from 'pg'
import { openDeadlines } from '../../test/database-deadlines.ts'
import { eventually } from '../../test/eventually.ts'
import { openProxy } from '../../test/postgres-proxy.ts'
import { newDatabase } from '../../test/shop.ts'
import type { Row, RowStatement } from '../context.ts'
import { DatabaseAway, openReader } from './connection.ts'
import { connectionSettings } from './connection-settings.ts'
import { bigint, json, jsonb, rowReader, selectRow, table, text, time, word } from './table.ts'

const database = await newDatabase('template0')
const { deadlines, pass, close } = openDeadlines()
after(async () => {
  close()
  await client.end()
  await database.drop()
})

const things = table('looked_up_things', {
  key: ['id'],
  columns: {
    id: text(),
    amount: bigint(),
    said: json<Record<string, unknown>>().orNull(),
    noted: jsonb<Record<string, unknown>>(),
    kind: word('thing_kind', ['big', 'small']),
    made: time(),
    gone: time().orNull(),
  },
})

const client = new pg.Client(connectionSettings(database.url, 'tests'))
await client.connect()
await client.query("create type thing_kind as enum ('big', 'small')")
await client.query(
  'create table looked_up_things (id text primary key, amount bigint, said json, noted jsonb, kind thing_kind, made timestamptz(3), gone timestamptz(3))',
)

const rows: Row[] = [
  {
    id: 'a',
    amount: 2 ** 53 - 1,
    said: { b: 1, a: [null, 'é\n"'] },
    noted: { ok: true },
    kind: 'big',
    made: '2026-06-25T10:11:12.120Z',
    gone: null,
  },
  { id: 'b', amount: 0, said: null, noted: {}, kind: 'small', made: '2026-06-25T10:11:12.000Z', gone: '1999-12-31T23:59:59.999Z' },
]
for (const row of rows)
  await client.query('insert into looked_up_things values ($1, $2, $3, $4, $5, $6, $7)', [
    ...Object.values(row).map(value => (value !== null && typeof value === 'object' ? JSON.stringify(value) : value)),
  ])

let made = 0
const statementOf = (where: string): RowStatement => ({ name: `look_${made++}`, text: selectRow(things, where), read: rowReader(things) })
const byId = statementOf('where id = $1')

async function open(t: TestContext) {
  const proxy = await openProxy(database.url, 0, pass)
  let ahead = 0
  const lost: Error[] = []
  const reader = openReader(
    proxy.url,
    2,
    error => lost.push(error),
    deadlines,
    () => performance.now() + ahead,
  )
  t.after(async () => {
    await reader.close()
    await proxy.close()
  })
  return {
    proxy,
    ...reader,
    /** Lets so many milliseconds pass for the lookups. */
    wait(ms: number): void {
      ahead += ms
    },
  }
}

/** Gives the number of connections that look up rows by keys. */
const lanes = async (and = ''): Promise<number> =>
  (
    await client.query(
      `select 1 from pg_stat_activity where application_name = 'switchyard reads by key' and datname = current_database() ${and}`,
    )
  ).rowCount!

/**
 * Looks a row up until it is read over the own connection: PostgreSQL has that connection before the reader knows it.
 */
const isExpress = (query: Awaited<ReturnType<typeof open>>['query']) =>
  eventually(async () => {
    await query(byId, ['a'])
    return (await lanes("and query like '%looked_up_things%'")) === 1
  }, 'its own connection')

test('a lookup returns the same row from the pool and from its own connection', async t => {
  const { query } = await open(t)
  deepEqual(await query(byId, ['a']), [rows[0]], 'by the pool, while there is no other connection')
  await isExpress(query)
  for (const row of rows) deepEqual(await query(byId, [row.id]), [row])
  deepEqual(await query(byId, ['nobody']), [])
  deepEqual(await query(statementOf('order by id'), []), rows)
})

test('concurrent lookups each get their own result, and an error affects only its own lookup', async t => {
  const { query } = await open(t)
  await isExpress(query)
  const broken = statementOf("where id = $1 and 1 / (length(id) - 1) = 0 and id <> 'zz'")
  const wrong = { ...byId, name: 'wrong', text: 'select nothing' }
  const results = await Promise.all([
    query(byId, ['a']),
    rejects(query(wrong, []), /nothing/),
    query(byId, ['b']),
    rejects(query(broken, ['a']), /division by zero/),
    query(byId, ['a']),
    rejects(query(wrong, []), /nothing/),
  ])
  deepEqual([results[0], results[2], results[4]], [[rows[0]], [rows[1]], [rows[0]]])
})

test('a value that cannot be written fails its own lookup, and leaves nothing of it to the lookups before and after', async t => {
  const { query } = await open(t)
  await query(byId, ['a'])
  await eventually(async () => (await lanes()) === 1, 'its own connection')
  const fresh = statementOf('where id = $1 and $2::text is not null')
  const unwritable = ['a', Symbol('no text')]
  const results = await Promise.all([
    query(byId, ['a']),
    rejects(query(fresh, unwritable), TypeError),
    query(byId, ['b']),
    rejects(query(byId, [Symbol('no text')]), TypeError),
    query(byId, ['b']),
  ])
  deepEqual([results[0], results[2], results[4]], [[rows[0]], [rows[1]], [rows[1]]])
  deepEqual(await query(fresh, ['b', 'x']), [rows[1]], 'with values that can be written, the statement is prepared')
  equal(await lanes(), 1, 'over the same connection')
})

test('a closed lookup connection fails no lookup, and is replaced', async t => {
  const { query, wait } = await open(t)
  await isExpress(query)
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'switchyard reads by key' and datname = current_database()",
  )
  deepEqual(await query(byId, ['a']), [rows[0]])
  wait(1000)
  await eventually(async () => deepEqual(await query(byId, ['b']), [rows[1]]) === undefined && (await lanes()) === 1, 'another connection')
})

test('a lookup whose connection stops responding still returns its row', async t => {
  const { proxy, query } = await open(t)
  await isExpress(query)
  proxy.fallSilent()
  deepEqual(await query(byId, ['a']), [rows[0]])
})

test('a lookup without a database is rejected as unavailable, and succeeds when the database is back', async t => {
  const { proxy, query } = await open(t)
  await query(byId, ['a'])
  proxy.networkGone()
  await rejects(query(byId, ['a']), DatabaseAway)
  proxy.networkBack()
  await eventually(
    () =>
      query(byId, ['b']).then(
        ([row]) => row?.id === 'b',
        () => false,
      ),
    'an answer',
  )
  equal((await query(byId, ['a'])).length, 1)
})
