import pg from 'pg'
import type { Time } from '../context.ts'

/** Converts PostgreSQL's `2026-06-25 10:11:12.12+00` (UTC) to the API's `2026-06-25T10:11:12.120Z`. */
function timeFromPostgres(text: string): Time {
  const end = text.indexOf('+')
  const fraction = text.slice(19, end)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}${fraction === '' ? '.000' : fraction.padEnd(4, '0')}Z`
}

const INT8 = 20
const TIMESTAMPTZ = 1184

/** Amounts become numbers (a check keeps them within 2^53-1), times become text in the API's form. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary' && oid === INT8) return Number
    if (format !== 'binary' && oid === TIMESTAMPTZ) return timeFromPostgres
    return pg.types.getTypeParser(oid, format as 'text')
  },
} as pg.CustomTypesConfig

/**
 * Deadlines in milliseconds. `connect_ms`: for a new connection, and for one of the pool's to become free.
 * `statement_ms`: PostgreSQL ends a longer statement itself. `silence_ms`, which is longer: without a response for so
 * long, PostgreSQL is not at the other end any more, and the client drops the connection.
 */
export type Deadlines = { connect_ms: number; statement_ms: number; silence_ms: number }

export const usualDeadlines: Deadlines = { connect_ms: 4_000, statement_ms: 4_000, silence_ms: 5_000 }

/**
 * Keepalive settings, with which both sides give up a silent peer: the client after 20 s without traffic, the server
 * (with the locks that it holds for the peer) also in the middle of an answer.
 */
const KEEPALIVE_AFTER_S = 10
const keepalive = { keepAlive: true, keepAliveInitialDelayMillis: KEEPALIVE_AFTER_S * 1000 }
const serverKeepalive = `-c tcp_keepalives_idle=${KEEPALIVE_AFTER_S} -c tcp_keepalives_interval=2 -c tcp_keepalives_count=5 -c tcp_user_timeout=20s`

/**
 * `lock_timeout` is short: no lock outlives a statement, so a longer wait is a fault. The statement is tried again.
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
  options: `-c timezone=UTC -c datestyle=ISO -c lock_timeout=250ms -c statement_timeout=${statement_ms} -c idle_in_transaction_session_timeout=15s ${serverKeepalive} ${more}`,
})
