import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { Misconfigured } from '../base/misconfigured.ts'
import { connectionSettings } from './connection-settings.ts'
import { whyUnreachable } from './unreachable.ts'

/** The lock of migrations. Any number of processes may start at once: one migrates, the others wait for it. */
const MIGRATION_LOCK = 5_217_001
const PAUSE_MS = 500
/** How long a migration waits for a lock before it tries again: all later statements wait behind it. */
const LOCK_TIMEOUT_MS = 250
const LOCK_NOT_AVAILABLE = '55P03'
const MOST_TRIES = 600

/**
 * A migration: `NNN.do.sql` is one transaction; `NNN.outside.sql` is one statement that PostgreSQL runs only outside
 * of transactions (an index made concurrently), and that may be run again if it was cut off.
 */
type Migration = { version: number; file: string; sql: string; md5: string; outside: boolean }

/** How migrations are run; tests have other folders and clocks. An older server than `oldestServer` is refused. */
export type Manner = { folder: string; wait(ms: number): Promise<void>; oldestServer: number }

const usual: Manner = {
  folder: join(import.meta.dirname, 'migrations'),
  wait: ms => new Promise(done => setTimeout(done, ms)),
  oldestServer: 0,
}

function migrationsIn(folder: string): Migration[] {
  return readdirSync(folder)
    .filter(file => /^\d{3}\.(do|outside)\.sql$/.test(file))
    .sort()
    .map(file => {
      const sql = readFileSync(join(folder, file), 'utf8')
      return {
        version: Number(file.slice(0, 3)),
        file,
        sql,
        md5: createHash('md5').update(sql).digest('hex'),
        outside: file.includes('outside'),
      }
    })
}

/**
 * Brings the schema of the database to the newest version, while processes of the previous release go on working with
 * it (`docs/design/rows-and-migrations.md`). Forward only, one transaction a file, with its bookkeeping. A database
 * that a later release has migrated is left as it is. Throws `Misconfigured` if DATABASE_URL is at fault, or names a
 * database of a release whose migrations are not kept.
 */
export async function migrate(url: string, manner: Partial<Manner> = {}): Promise<void> {
  const { folder, wait, oldestServer } = { ...usual, ...manner }
  const client = new pg.Client({
    ...connectionSettings(url, 'migrations'),
    options: '-c timezone=UTC',
  })
  // A connection that is lost between two statements is reported by the next one.
  client.on('error', () => {})
  try {
    await client.connect()
    await refuseOldServer(client, oldestServer)
    // The lock is tried again and again instead of waited for: a wait within a statement holds a snapshot, for which
    // an index that is made concurrently would wait in turn.
    while (!(await client.query('select pg_try_advisory_lock($1) as mine', [MIGRATION_LOCK])).rows[0].mine) await wait(PAUSE_MS)
    const done = await applied(client)
    const migrations = migrationsIn(folder)
    refuseFormer(done, migrations, client)
    for (const migration of migrations) {
      const md5 = done.get(migration.version)
      if (md5 === undefined) await patiently(client, migration, wait)
      else if (md5 !== null && md5 !== migration.md5)
        throw new Misconfigured(
          `DATABASE_URL: migration ${migration.file} has changed since it was applied to the database ${client.database}: another state of Switchyard made it, ` +
            'and this one cannot take it over. Nothing in it has been changed. Start the state that made it, or name an empty database (of `npm start`: another SWITCHYARD_DATA).',
        )
    }
  } catch (error) {
    throw whyUnreachable(error, client)
  } finally {
    await client.end()
  }
}

async function refuseOldServer(client: pg.Client, oldest: number): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as version",
  )
  const { number, version } = rows[0]!
  if (number >= oldest) return
  throw new Misconfigured(
    `DATABASE_URL: PostgreSQL ${version} is too old for live mode, which needs PostgreSQL ${Math.floor(oldest / 10_000)} or newer. Upgrade it, or set another address.`,
  )
}

async function applied(client: pg.Client): Promise<Map<number, string | null>> {
  await client.query('create table if not exists schema_version (version bigint primary key, name text, md5 text, run_at timestamptz)')
  const { rows } = await client.query<{ version: number; md5: string | null }>('select version, md5 from schema_version')
  return new Map(rows.map(row => [Number(row.version), row.md5]))
}

/** Refuses a database whose first migrations are not kept: its schema is another one, and would half seem to work. */
function refuseFormer(done: ReadonlyMap<number, unknown>, migrations: readonly Migration[], { database }: pg.Client): void {
  const first = migrations[0]?.version ?? 0
  if (![...done.keys()].some(version => version < first)) return
  throw new Misconfigured(
    `DATABASE_URL: the database ${database} was made by Switchyard 0.1.0, whose schema this release does not take over. ` +
      'Nothing in it has been changed. Name an empty database (of `npm start`: another SWITCHYARD_DATA), and keep this one and its keys for its records.',
  )
}

async function patiently(client: pg.Client, migration: Migration, wait: Manner['wait']): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await (migration.outside ? outside(client, migration) : inside(client, migration))
    } catch (error) {
      await client.query('rollback')
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || tries >= MOST_TRIES) throw error
      await wait(PAUSE_MS)
    }
  }
}

async function inside(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
  await client.query(migration.sql)
  await note(client, migration)
  await client.query('commit')
}

async function outside(client: pg.Client, migration: Migration): Promise<void> {
  // An invalid index that an interrupted attempt has left behind is useless, and would be taken for the real one.
  const { rows } = await client.query<{ name: string }>(
    "select quote_ident(relname) as name from pg_index join pg_class on oid = indexrelid where not indisvalid and relnamespace = 'public'::regnamespace",
  )
  for (const { name } of rows) await client.query(`drop index concurrently if exists ${name}`)
  await client.query(migration.sql)
  await note(client, migration)
}

const note = (client: pg.Client, { version, file, md5 }: Migration) =>
  client.query('insert into schema_version (version, name, md5, run_at) values ($1, $2, $3, now())', [version, file, md5])
