import { newId } from '../base/id.ts'
import { DAY_MS, later } from '../base/time.ts'
import type { Account } from '../connectors/connector.ts'
import type { Instrument } from '../connectors/instrument.ts'
import { type Redacted, redactedExchange } from '../connectors/redaction/exchanges.ts'
import type { Context, Exchanged, ExchangeLog, Reads, Row, Time } from '../context.ts'
import { forgotten } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { bytes, int, type RowOf, select, table, text, time } from '../database/table.ts'
import type { Owner } from './operation.ts'

const recordOf = ({ exchange_id }: Row) => `exchange ${exchange_id}`

/** Redacted before they are written (`connectors/redaction/exchanges.ts`), sealed, kept for `EXCHANGE_DAYS`. */
const exchanges = table('exchanges', {
  key: ['merchant_id', 'object_id', 'request_id', 'exchange_id'],
  columns: {
    merchant_id: text(),
    object_id: text(),
    request_id: text(),
    exchange_id: text(),
    kind: text(),
    /** The position in the conversation. */
    n: int(),
    sealed: bytes(recordOf),
    created: time(),
    forget_at: time(),
  },
})
type ExchangeRow = RowOf<typeof exchanges>

export const oldExchanges = forgotten(exchanges, 'forget_at')

const write = statement(
  'exchanges_write',
  `insert into exchanges (${exchanges.names.join(', ')})
    select ${exchanges.names.map(name => (name === 'sealed' ? "decode(e.sealed, 'base64')" : `e.${name}`)).join(', ')}
    from json_to_recordset($1::json) e (merchant_id text, object_id text, request_id text, exchange_id text, kind text, n int, sealed text, created timestamptz(3), forget_at timestamptz(3))
    on conflict do nothing`,
)

/** The most that wait, hence a second: a processor that is down must cost payments nothing. More are lost, counted. */
const MOST_WAITING = 200

/** A redacted exchange to be written. It is sealed when written, because a key rotation waits for writes alone. */
type Waiting = Omit<ExchangeRow, 'sealed'> & { clear: string }

/** Whether an operation is sampled, by its random request id: all exchanges of an operation are kept, or none. */
const isSampled = (request_id: string, percent: number): boolean => {
  if (percent >= 100 || percent <= 0) return percent > 0
  let sum = 0
  for (let i = 0; i < request_id.length; i++) sum = (sum * 31 + request_id.charCodeAt(i)) % 10_007
  return sum % 100 < percent
}

/**
 * Opens the log of exchanges, written in batches beside all payments, once a second; those not yet written when the
 * process dies are lost. `days`: how long they are kept; `sample`: the percentage of operations with a usual outcome.
 */
export function openExchanges(context: Pick<Context, 'query' | 'vault' | 'random' | 'log'>, days: number, sample: number) {
  let waiting: Waiting[] = []
  let lost = 0
  let writing: Promise<void> | null = null

  function row(
    { merchant_id, kind, object_id, request_id }: Owner & { request_id: string },
    n: number,
    { at, ...exchange }: Exchanged,
    hidden: unknown,
  ): Waiting {
    const exchange_id = newId(context, 'exc_')
    const clear = JSON.stringify(redactedExchange({ at, ...exchange }, hidden))
    return { merchant_id, object_id, request_id, exchange_id, kind, n, clear, created: at, forget_at: later(at, days * DAY_MS) }
  }

  const sealed = ({ clear, ...one }: Waiting) => ({
    ...one,
    sealed: context.vault.seal(one.merchant_id, recordOf(one), clear).toString('base64'),
  })

  const keep: ExchangeLog['keep'] = (of, recorded, outcome, hidden) => {
    const isUsual = outcome === 'done' || outcome === 'waiting'
    if (recorded.length === 0 || (isUsual && !isSampled(of.request_id, sample))) return
    try {
      for (const [n, one] of recorded.entries()) {
        if (waiting.length < MOST_WAITING) waiting.push(row(of, n, one, hidden))
        else lost++
      }
    } catch (error) {
      // The money has moved by now: a log that is only looked at must not fail the operation.
      context.log.error({ err: error, request_id: of.request_id }, 'an exchange with a processor could not be kept')
    }
  }

  async function writeAll(): Promise<void> {
    const batch = waiting.slice()
    try {
      await context.query(write, [JSON.stringify(batch.map(sealed))])
      waiting = waiting.slice(batch.length)
    } catch (error) {
      context.log.warn({ err: error, waiting: waiting.length }, 'exchanges with processors could not be written; it will be retried')
    }
    if (lost > 0) context.log.warn({ lost }, 'exchanges with processors were not kept: too many at once, or the database was unavailable')
    lost = 0
  }

  return {
    keep,
    /** Never throws. */
    write(): Promise<void> {
      if (waiting.length === 0) return Promise.resolve()
      writing ??= writeAll().finally(() => {
        writing = null
      })
      return writing
    },
  }
}

/** Returns a recorder for the exchanges of a conversation; null if exchanges are not kept. */
export const exchangeRecorder = ({ exchanges, now }: Pick<Context, 'exchanges' | 'now'>): { now(): Time; exchanges: Exchanged[] } | null =>
  exchanges ? { now, exchanges: [] } : null

/** Hands the recorded exchanges to the log, with the credentials and the payment instrument that it must hide. */
export const keepExchanges = (
  { exchanges }: Pick<Context, 'exchanges'>,
  of: Owner & { request_id: string },
  listened: { exchanges: Exchanged[] } | null,
  outcome: string,
  account: Account,
  instrument?: Instrument,
): void => {
  if (listened)
    exchanges?.keep(of, listened.exchanges, outcome, { credentials: account.credentials, secret: account.webhook_secret, instrument })
}

const ofOperation = statement(
  'exchanges_of_operation',
  select(exchanges, 'where merchant_id = $1 and object_id = $2 and request_id = $3 order by created, n limit 200'),
)

/** Finds the stored exchanges of an operation, oldest first. Showing them to a caller is a disclosure. */
export async function findExchanges(
  context: Pick<Context, 'query' | 'vault'>,
  merchant_id: string,
  object_id: string,
  request_id: string,
): Promise<(Redacted & { exchange_id: string; at: Time })[]> {
  const rows = await context.query<ExchangeRow>(ofOperation, [merchant_id, object_id, request_id])
  return rows.map(({ exchange_id, created, sealed }) => ({
    exchange_id,
    at: created,
    ...(JSON.parse(context.vault.open(merchant_id, recordOf({ exchange_id }), sealed)) as Redacted),
  }))
}

const counted = statement(
  'count_exchanges',
  'select request_id, count(*)::int as count from exchanges where merchant_id = $1 and object_id = $2 group by request_id',
)

export async function countExchanges({ query }: Reads, { merchant_id, object_id }: Owner): Promise<(request_id: string) => number> {
  const rows = await query<{ request_id: string; count: number }>(counted, [merchant_id, object_id])
  return request_id => rows.find(row => row.request_id === request_id)?.count ?? 0
}

const forget = statement('forget_exchanges', 'delete from exchanges where merchant_id = $1 and object_id = $2')

export const forgetExchangesOf = (context: Reads, merchant_id: string, object_id: string) => context.query(forget, [merchant_id, object_id])
