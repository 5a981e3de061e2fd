import type pg from 'pg'
import { Misconfigured } from '../base/misconfigured.ts'
import { isAway } from './connection.ts'

/** Where a client was to connect, without the password. `pg` read it out of DATABASE_URL. */
type Where = Pick<pg.Client, 'host' | 'port' | 'user' | 'database'>

const createIt = ({ database, user }: Where) => `Create it (create database ${database} owner ${user}), or name another.`

/** What the driver, the system or PostgreSQL says, by its code, as a sentence of what is wrong and what to do. */
const reasons: Record<string, (where: Where) => string> = {
  ECONNREFUSED: ({ host, port }) => `nothing listens on ${host}:${port}. Start PostgreSQL there, or name another address.`,
  ENOENT: ({ host, port }) => `there is no socket of a PostgreSQL with port ${port} in ${host}. Start it, or name another address.`,
  ENOTFOUND: ({ host }) => `there is no host called ${host}. Is its name misspelt?`,
  EAI_AGAIN: ({ host }) => `the name ${host} cannot be looked up. Is its name misspelt, or the name server away?`,
  '28P01': ({ user }) => `PostgreSQL does not accept this password for the user ${user}. Correct it in the address.`,
  '28000': ({ user }) => `PostgreSQL does not let the user ${user} in from here. Create that user, or allow it in pg_hba.conf.`,
  '3D000': where => `there is no database called ${where.database}. ${createIt(where)}`,
  '42501': ({ user, database }) => `the user ${user} may not create tables in ${database}. Make it the owner of that database.`,
  '25006': ({ database }) => `${database} can only be read. Name the primary server, not a standby.`,
  '53300': () => 'PostgreSQL has no connection free. Raise its max_connections, or lower DATABASE_CONNECTIONS.',
  '57P03': () => 'PostgreSQL is still starting or already stopping. Try again when it is up.',
}

/**
 * Why the database could not be opened, naming DATABASE_URL; an error that no setting can mend is given back as it
 * is.
 */
export function whyUnreachable(error: unknown, client: pg.Client): unknown {
  const reason = reasons[(error as { code?: string }).code ?? '']
  if (reason !== undefined) return new Misconfigured(`DATABASE_URL: ${reason(client)}`)
  if (!isAway(error)) return error
  const words = error instanceof Error ? error.message : String(error)
  // The driver's own errors have no code: a password that is missing, TLS that the server does not speak, no answer
  // in time.
  return new Misconfigured(
    `DATABASE_URL: the PostgreSQL at ${client.host}:${client.port} cannot be spoken to: ${words}. Correct the address.`,
  )
}
