import pg from 'pg'
import type { Row, Statement, Time } from '../world.ts'
import { ServerError } from './pipeline.ts'

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
 * Settings of a connection. `lock_timeout` is short because nobody here holds a lock for longer than a statement: whoever waits longer has met a fault and tries again.
 */
export const connectionSettings = (url: string, name: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: `switchyard ${name}`,
  types,
  keepAlive: true,
  connectionTimeoutMillis: 5000,
  options: '-c timezone=UTC -c datestyle=ISO -c lock_timeout=250ms -c statement_timeout=10s -c idle_in_transaction_session_timeout=15s',
})

export type Reader = {
  query<T extends Row>(statement: Statement, values: unknown[]): Promise<T[]>
  close(): Promise<void>
}

/** A pool for reads and for rows that are not money. Statements are named, so each connection plans them once. */
export function openReader(url: string, connections: number, onError: (error: Error) => void): Reader {
  const pool = new pg.Pool({ ...connectionSettings(url, 'reads'), max: connections, idleTimeoutMillis: 30_000 })
  pool.on('error', onError)
  return {
    async query<T extends Row>(statement: Statement, values: unknown[]): Promise<T[]> {
      try {
        return (await pool.query<T>({ name: statement.name, text: statement.text, values })).rows
      } catch (error) {
        throw isAway(error) ? new DatabaseAway('the database cannot be reached', { cause: error }) : error
      }
    },
    close: () => pool.end(),
  }
}

/** The database cannot be reached, or went away: asked again later it may answer. */
export class DatabaseAway extends Error {}

/**
 * Is this the database being away, rather than an error in what it was asked? Whatever PostgreSQL itself did not say is: the socket's own errors, and those of the driver, which have no code.
 * Of its own words, the classes 08 and 57P, and too many connections. A TypeError is a mistake of ours.
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError || error instanceof ServerError)) return !(error instanceof TypeError)
  const { code = '' } = error
  return code.startsWith('08') || code.startsWith('57P') || code === '53300'
}
