import type pg from 'pg'
import { Misconfigured } from '../base/misconfigured.ts'
import { isAway } from './connection.ts'

/** The address that a client was to connect to, without the password. `pg` read it out of DATABASE_URL. */
type Where = Pick<pg.Client, 'host' | 'port' | 'user' | 'database'>

const createIt = ({ database, user }: Where) => `Create it (create database ${database} owner ${user}), or set another one.`

/** For each code of the driver, the system or PostgreSQL, a sentence about the problem and its remedy. */
const reasons: Record<string, (where: Where) => string> = {
  ECONNREFUSED: ({ host, port }) => `nothing listens on ${host}:${port}. Start PostgreSQL there, or set another address.`,
  ENOENT: ({ host, port }) => `there is no socket of a PostgreSQL with port ${port} in ${host}. Start it, or set another address.`,
  ENOTFOUND: ({ host }) => `the host ${host} does not exist. Check its name.`,
  EAI_AGAIN: ({ host }) => `the host ${host} cannot be resolved. Check its name and the name server.`,
  '28P01': ({ user }) => `PostgreSQL does not accept this password for the user ${user}. Correct it in the address.`,
  '28000': ({ user }) => `PostgreSQL does not accept the user ${user} from this machine. Create that user, or allow it in pg_hba.conf.`,
  '3D000': where => `the database ${where.database} does not exist. ${createIt(where)}`,
  '42501': ({ user, database }) =>
    `the user ${user} has no permission to create tables in ${database}. Make it the owner of that database.`,
  '25006': ({ database }) => `${database} is read-only. Use the primary server, not a standby.`,
  '53300': () => 'PostgreSQL has no free connections. Raise its max_connections, or lower DATABASE_CONNECTIONS.',
  '53100': () => 'the disk of PostgreSQL is full. Free space on it.',
  '53200': () => 'PostgreSQL has no memory left. Lower its settings of memory, or give it more.',
  '57P03': () => 'PostgreSQL is starting or stopping. Try again when it is running.',
}

/** Returns why the database could not be opened; errors that no setting fixes, or that name one, as they are. */
export function whyUnreachable(error: unknown, client: pg.Client): unknown {
  const reason = reasons[(error as { code?: string }).code ?? '']
  if (reason !== undefined) return new Misconfigured(`DATABASE_URL: ${reason(client)}`)
  if (error instanceof Misconfigured || !isAway(error)) return error
  const message = error instanceof Error ? error.message : String(error)
  // The driver's own errors have no code: a missing password, TLS that the server does not support, no answer in time.
  return new Misconfigured(`DATABASE_URL: cannot connect to PostgreSQL at ${client.host}:${client.port}: ${message}. Correct the address.`)
}
