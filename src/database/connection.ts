import pg from 'pg'
import { isRowStatement, type Row, type Statement } from '../context.ts'
import { connectionSettings, usualDeadlines } from './connection-settings.ts'
import { openLookups } from './lookups.ts'
import { ServerError, socketOf } from './pipeline.ts'
import { PrimaryClient } from './primary-client.ts'

export type Reader = {
  query<T extends Row>(statement: Statement, values: unknown[]): Promise<T[]>
  /** The number of connections, how many of them are idle, and how many requests wait for one. */
  connections(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** SQLSTATEs of lock conflicts. Nothing was done, and the statement can be run again as it is. */
const IN_THE_WAY = new Set(['55P03', '40P01', '40001'])
export const isInTheWay = (error: unknown): boolean => IN_THE_WAY.has((error as { code?: string } | null)?.code ?? '')

/** How often a statement is tried; each try waits as long as `lock_timeout`. */
const MOST_TRIES = 8

/** The message of `pg` after `query_timeout`. `pool.query` then ends the connection; `client.query` would keep it. */
const SILENCE = 'Query read timeout'

function throwAway(client: pg.PoolClient): void {
  client.emit('error', new Error('another connection has fallen silent'))
  socketOf(client).destroy()
}

/**
 * Opens a pool for reads and for rows that are not money. Statements are named, so each connection plans them once.
 *
 * A connection that has fallen silent is dropped, and all idle connections with it: the same fault has most likely hit
 * those, and each would cost a request the whole deadline to find out.
 */
export function openReader(
  url: string,
  connections: number,
  onError: (error: Error) => void,
  deadlines = usualDeadlines,
  monotonic = () => performance.now(),
): Reader {
  const pool = new pg.Pool({
    ...connectionSettings(url, 'reads', deadlines),
    Client: PrimaryClient,
    max: connections,
    idleTimeoutMillis: 30_000,
    query_timeout: deadlines.silence_ms,
  })
  const idle = new Set<pg.PoolClient>()
  pool.on('error', onError)
  pool.on('release', (error, client) => error || idle.add(client))
  pool.on('acquire', client => idle.delete(client))
  pool.on('remove', client => idle.delete(client))
  const silence = () => {
    for (const client of idle) throwAway(client)
  }
  const lookups = openLookups(url, deadlines, monotonic)
  const ask = async (statement: Statement, values: unknown[]): Promise<Row[]> => {
    const looked = isRowStatement(statement) ? await lookups.look(statement, values) : null
    if (looked?.is === 'found') return looked.rows
    if (looked?.is === 'refused') throw looked.error
    if (looked?.silent) silence()
    const { rows } = await pool.query<Row>({ name: statement.name, text: statement.text, values })
    return isRowStatement(statement) ? rows.map(({ row }) => statement.read(row as string)) : rows
  }
  return {
    async query<T extends Row>(statement: Statement, values: unknown[]): Promise<T[]> {
      for (let tries = 1; ; tries++) {
        try {
          return (await ask(statement, values)) as T[]
        } catch (error) {
          if (error instanceof Error && error.message === SILENCE) silence()
          if (!isInTheWay(error) || tries === MOST_TRIES) throw asAway(error)
        }
      }
    },
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close() {
      lookups.close()
      return pool.end()
    },
  }
}

export const STATEMENT_TIMEOUT = '57014'
const READ_ONLY = '25006'
/** The codes of a server that has no room: its disk is full, or its memory is used up. */
const NO_ROOM = ['53100', '53200']

/** The database cannot be reached, was lost, or has been busy for too long: a later attempt may succeed. */
export class DatabaseAway extends Error {}

/**
 * Whether an error means that the database is unavailable, rather than that a statement is wrong. Every error that
 * does not come from PostgreSQL itself means so: the socket's own errors, and those of the driver, which have no code.
 * Of PostgreSQL's errors, the classes 08 and 57P, too many connections, a statement that took too long, a server that
 * is no primary, and one whose disk or memory is full. A TypeError is a mistake of ours.
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError || error instanceof ServerError)) return !(error instanceof TypeError)
  const { code = '' } = error
  return (
    code.startsWith('08') ||
    code.startsWith('57P') ||
    code === '53300' ||
    code === STATEMENT_TIMEOUT ||
    code === READ_ONLY ||
    NO_ROOM.includes(code)
  )
}

/** Whether the database is unavailable because its disk or its memory is full. */
export const hasNoRoom = (error: unknown): boolean =>
  error instanceof DatabaseAway && NO_ROOM.includes((error.cause as { code?: string } | undefined)?.code ?? '')

const away = (cause: unknown) => new DatabaseAway('the database cannot be reached', { cause })

/** Returns `DatabaseAway` if the database is away or a lock was held for too long, else the error itself. */
export const asAway = (error: unknown): unknown => (isAway(error) || isInTheWay(error) ? away(error) : error)
