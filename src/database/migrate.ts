import { join } from 'node:path'
import pg from 'pg'
import Postgrator from 'postgrator'
import { connectionSettings } from './connection.ts'
import { whyUnreachable } from './unreachable.ts'

/** Any number of processes may start at once: one migrates, the others wait for it. */
const MIGRATION_LOCK = 5_217_001

/** Brings the schema of the database to the newest version. Forward only, in one transaction with its bookkeeping. Throws `Misconfigured` if DATABASE_URL is at fault. */
export async function migrate(url: string): Promise<void> {
  const client = new pg.Client({ ...connectionSettings(url, 'migrations'), options: '-c timezone=UTC' })
  try {
    await client.connect()
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    const postgrator = new Postgrator({
      migrationPattern: join(import.meta.dirname, 'migrations', '*.sql'),
      driver: 'pg',
      schemaTable: 'schema_version',
      execQuery: query => client.query(query),
    })
    await client.query('begin')
    await postgrator.migrate()
    await client.query('commit')
  } catch (error) {
    throw whyUnreachable(error, client)
  } finally {
    await client.end()
  }
}
