import pg from 'pg'
import type { Row, Statement, Time } from '../world.ts'
import { ServerError, socketOf } from './pipeline.ts'

/** What PostgreSQL prints of a `timestamptz(3)` in UTC (`2026-06-25 10:11:12.12+00`), as the wire has it (`2026-06-25T10:11:12.120Z`). */
export function timeFromPostgres(text: string): Time {
  const end = text.indexOf('+')
  const fraction = text.slice(19, end)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}${fraction === '' ? '.000' : fraction.padEnd(4, '0')}Z`
}

const INT8 = 20
const TIMESTAMPTZ = 1184

/** Amounts come as numbers (they are at most 2^53-1 by check), times as wire text. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary' && oid === INT8) return Number
    if (format !== 'binary' && oid === TIMESTAMPTZ) return timeFromPostgres
    return pg.types.getTypeParser(oid, format as 'text')
  },
} as pg.CustomTypesConfig

/**
 * Deadlines in milliseconds. `connect_ms`: for a new connection, and for one of the pool's to become free. `statement_ms`: PostgreSQL ends a statement itself. `silence_ms`, which is longer: whoever has heard
 * nothing for so long has no PostgreSQL at the other end, and drops the connection.
 */
export type Deadlines = { connect_ms: number; statement_ms: number; silence_ms: number }

export const usualDeadlines: Deadlines = { connect_ms: 4_000, statement_ms: 4_000, silence_ms: 5_000 }

/** Who is not heard of any more is given up on both sides: here after 20 s of nothing to say, there (its locks with it) also in the middle of an answer. */
const KEEPALIVE_AFTER_S = 10
const keepalive = { keepAlive: true, keepAliveInitialDelayMillis: KEEPALIVE_AFTER_S * 1000 }
const theirs = `-c tcp_keepalives_idle=${KEEPALIVE_AFTER_S} -c tcp_keepalives_interval=2 -c tcp_keepalives_count=5 -c tcp_user_timeout=20s`

/**
 * Settings of a connection. `lock_timeout` is short because nobody here holds a lock for longer than a statement: whoever waits longer has met a fault and tries again.
 */
export const connectionSettings = (
  url: string,
  name: string,
  { connect_ms, statement_ms } = usualDeadlines,
  more = '',
): pg.ClientConfig => ({
  connectionString: url,
  application_name: `switchyard ${name}`,
  types,
  ...keepalive,
  connectionTimeoutMillis: connect_ms,
  options: `-c timezone=UTC -c datestyle=ISO -c lock_timeout=250ms -c statement_timeout=${statement_ms} -c idle_in_transaction_session_timeout=15s ${theirs} ${more}`,
})

export type Reader = {
  query<T extends Row>(statement: Statement, values: unknown[]): Promise<T[]>
  /** How many connections there are, how many of them idle, and how many wait for one. */
  connections(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** Somebody else's lock was in the way (or the two of us took locks crosswise): nothing was done, and the statement can be asked again as it is. */
const IN_THE_WAY = new Set(['55P03', '40P01', '40001'])
export const isInTheWay = (error: unknown): boolean => IN_THE_WAY.has((error as { code?: string } | null)?.code ?? '')

/** Each waits as long as `lock_timeout`. */
const MOST_TRIES = 8

/** What `pg` says when its `query_timeout` has passed. `pool.query` then destroys that connection; `client.query` alone would go on using it. */
const SILENCE = 'Query read timeout'

/** The pool lets go of an idle client at once when it hears an error of it. */
function throwAway(client: pg.PoolClient): void {
  client.emit('error', new Error('another connection has fallen silent'))
  socketOf(client).destroy()
}

/**
 * A pool for reads and for rows that are not money. Statements are named, so each connection plans them once.
 *
 * A connection that has fallen silent is thrown away, and all that lie idle with it: whatever took one from us has most likely taken those, and each would cost somebody the whole deadline to find out.
 */
export function openReader(url: string, connections: number, onError: (error: Error) => void, deadlines = usualDeadlines): Reader {
  const pool = new pg.Pool({
    ...connectionSettings(url, 'reads', deadlines),
    max: connections,
    idleTimeoutMillis: 30_000,
    query_timeout: deadlines.silence_ms,
  })
  const idle = new Set<pg.PoolClient>()
  pool.on('error', onError)
  pool.on('release', (error, client) => error || idle.add(client))
  pool.on('acquire', client => idle.delete(client))
  pool.on('remove', client => idle.delete(client))
  return {
    async query<T extends Row>(statement: Statement, values: unknown[]): Promise<T[]> {
      for (let tries = 1; ; tries++) {
        try {
          return (await pool.query<T>({ name: statement.name, text: statement.text, values })).rows
        } catch (error) {
          if (error instanceof Error && error.message === SILENCE) for (const client of idle) throwAway(client)
          if (!isInTheWay(error) || tries === MOST_TRIES) throw asAway(error)
        }
      }
    },
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

export const STATEMENT_TIMEOUT = '57014'

/** The database cannot be reached, went away, or has been busy for too long: asked again later it may answer. */
export class DatabaseAway extends Error {}

/**
 * Is this the database being away, rather than an error in what it was asked? Whatever PostgreSQL itself did not say is: the socket's own errors, and those of the driver, which have no code.
 * Of its own words, the classes 08 and 57P, too many connections, and a statement that took too long. A TypeError is a mistake of ours.
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError || error instanceof ServerError)) return !(error instanceof TypeError)
  const { code = '' } = error
  return code.startsWith('08') || code.startsWith('57P') || code === '53300' || code === STATEMENT_TIMEOUT
}

const away = (cause: unknown) => new DatabaseAway('the database cannot be reached', { cause })

/** An error as callers know it: `DatabaseAway`, if it is that, or if somebody's lock was in the way for longer than anybody waits. */
export const asAway = (error: unknown): unknown => (isAway(error) || isInTheWay(error) ? away(error) : error)
