import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** The database that has all tables and no rows, of which each file of tests has a copy. */
export const TEMPLATE = 'switchyard_template'

/** Gives the URL of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

/** Runs a statement in a session of its own. */
export async function runStatement(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

/** Creates a database as a copy of a template (about 30 ms). The caller drops it. */
export async function copyDatabase(server: string, template: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`
  // Two files may copy the template at once; PostgreSQL refuses the second for a moment.
  for (let i = 0; ; i++) {
    try {
      await runStatement(server, `create database ${name} template ${template} strategy file_copy`)
      break
    } catch (error) {
      if (i > 50) throw error
    }
  }
  return { url: withDatabase(server, name), drop: () => runStatement(server, `drop database ${name} with (force)`) }
}
