import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { newDatabase } from '../../test/shop.ts'
import { Misconfigured } from '../base/misconfigured.ts'
import { migrate } from './migrate.ts'

/** Opens an empty database, a folder of migrations, and a function that is called while the migration waits. */
async function open(t: TestContext, files: Record<string, string>) {
  const [database, folder] = [await newDatabase('template0'), mkdtempSync(join(tmpdir(), 'switchyard-migrations-'))]
  const clients: pg.Client[] = []
  t.after(async () => {
    for (const client of clients) await client.end()
    await database.drop()
    rmSync(folder, { recursive: true })
  })
  const write = (more: Record<string, string>) => {
    for (const [file, sql] of Object.entries(more)) writeFileSync(join(folder, file), sql)
  }
  const connect = async () => {
    const client = new pg.Client({ connectionString: database.url })
    clients.push(client)
    await client.connect()
    return client
  }
  write(files)
  const client = await connect()
  return {
    write,
    forget: (file: string) => rmSync(join(folder, file)),
    connect,
    run: (meanwhile: () => Promise<unknown> = async () => {}) =>
      migrate(database.url, { folder, wait: async () => void (await meanwhile()) }),
    query: async (text: string) => (await client.query(text)).rows,
    versions: async () => (await client.query('select version::int from schema_version order by 1')).rows.map(row => row.version),
  }
}

const things = { '001.do.sql': 'create table things (n int primary key, name text)' }

test('each migration is its own transaction: a failed one leaves the earlier ones applied', async t => {
  const { run, write, versions, query } = await open(t, {
    ...things,
    '002.do.sql': 'alter table things add column size int; insert into things values (1); select 1 / 0',
  })
  await rejects(run(), /division by zero/)
  deepEqual([await versions(), await query('select * from things')], [[1], []])
  write({ '002.do.sql': 'alter table things add column size int; insert into things values (1)' })
  await run()
  await run()
  deepEqual([await versions(), await query('select * from things')], [[1, 2], [{ n: 1, name: null, size: null }]])
})

test('a migration that waits for a lock does not block other statements, and is retried', async t => {
  const { run, write, connect, query, versions } = await open(t, things)
  await run()
  const busy = await connect()
  await busy.query('begin; select * from things')
  write({ '002.do.sql': 'alter table things add column size int' })
  let waits = 0
  await run(async () => {
    // No statement queues behind the migration: this one would hang for as long as the migration waited for its lock.
    await query("insert into things values (1) on conflict do nothing; set statement_timeout = '100ms'; select * from things")
    if (++waits === 3) await busy.query('commit')
  })
  equal(waits, 3)
  deepEqual(await versions(), [1, 2])
})

test('an index whose concurrent build failed is built again by the next migration', async t => {
  const { run, write, query, versions } = await open(t, things)
  await run()
  await query("insert into things values (1, 'same'), (2, 'same')")
  write({ '002.outside.sql': 'create unique index concurrently if not exists things_by_name on things (name)' })
  await rejects(run(), /things_by_name/)
  const indexes = () =>
    query("select indexrelid::regclass::text as name, indisvalid from pg_index where indrelid = 'things'::regclass order by 1")
  deepEqual(await indexes(), [
    { name: 'things_by_name', indisvalid: false },
    { name: 'things_pkey', indisvalid: true },
  ])
  await query("update things set name = 'other' where n = 2")
  await run()
  deepEqual((await indexes())[0], { name: 'things_by_name', indisvalid: true })
  deepEqual(await versions(), [1, 2])
})

test('processes that start at the same time migrate once, also when an index is built concurrently', async t => {
  const { run, versions } = await open(t, {
    ...things,
    '002.outside.sql': 'create index concurrently if not exists things_by_name on things (name)',
    '003.do.sql': 'insert into things values (1)',
  })
  await Promise.all(Array.from({ length: 4 }, () => run()))
  deepEqual(await versions(), [1, 2, 3])
})

test('a migration that was changed after it was applied is refused; one of a later release is accepted', async t => {
  const { run, write, query, versions } = await open(t, things)
  await run()
  await query("insert into schema_version (version, name, md5) values (9, 'later', 'x')")
  await run()
  deepEqual(await versions(), [1, 9])
  write({ '001.do.sql': 'create table things (n bigint primary key)' })
  await rejects(
    run(),
    /^Error: DATABASE_URL: migration 001\.do\.sql has changed .* another state of Switchyard made it, .* name an empty database/,
  )
  ok((await query('select * from things')).length === 0)
})

test('a database of a release whose migrations no longer exist is refused by name and left unchanged', async t => {
  const { run, write, forget, query, versions } = await open(t, things)
  await run()
  forget('001.do.sql')
  write({ '200.do.sql': 'create table others (n int primary key)' })
  await rejects(run(), (error: Error) => {
    ok(error instanceof Misconfigured)
    match(error.message, /^DATABASE_URL: the database test_\w+ was made by Switchyard 0\.1\.0.*Name an empty database/)
    return true
  })
  deepEqual([await versions(), await query("select to_regclass('others') as others")], [[1], [{ others: null }]])
})

test('a PostgreSQL that is older than live mode needs is refused by name, and nothing in it is changed', async () => {
  const database = await newDatabase('template0')
  const client = new pg.Client(database.url)
  await client.connect()
  try {
    await rejects(
      migrate(database.url, { oldestServer: 990_000 }),
      /DATABASE_URL: PostgreSQL \d+\S* is too old for live mode, which needs PostgreSQL 99/,
    )
    equal((await client.query("select 1 from pg_class where relnamespace = 'public'::regnamespace")).rowCount, 0)
    await migrate(database.url, { oldestServer: 160_000 })
  } finally {
    await client.end()
    await database.drop()
  }
})

/** Indexes of old tables that a migration has made in its transaction: the table had few rows. */
const madeWhileSmall = ['api_keys_of_person']

test('each migration has a number of its own', () => {
  const numbers = readdirSync(join(import.meta.dirname, 'migrations')).map(file => file.slice(0, 3))
  deepEqual(
    numbers.filter((number, i) => numbers.indexOf(number) < i),
    [],
    'two migrations have this number: give the newer one the number after the last',
  )
})

test('an index of an old table is made concurrently, in an outside migration, because writes would wait for it', () => {
  const folder = join(import.meta.dirname, 'migrations')
  const blocking = readdirSync(folder)
    .filter(file => file.endsWith('.do.sql'))
    .flatMap(file => {
      const sql = readFileSync(join(folder, file), 'utf8')
      const made = new Set([...sql.matchAll(/create table (?:if not exists )?(\w+)/gi)].map(([, table]) => table))
      const indexes = [...sql.matchAll(/create (?:unique )?index (?:if not exists )?(\w+)\s+on (?:only )?(\w+)/gi)]
      return indexes.filter(([, name, table]) => !made.has(table) && !madeWhileSmall.includes(name!)).map(([index]) => `${file}: ${index}`)
    })
  deepEqual(
    blocking,
    [],
    'put each of these into a migration of its own, NNN.outside.sql, as its only statement: ' +
      'create index concurrently if not exists … (docs/design/rows-and-migrations.md)',
  )
})
