import Type from 'typebox'
import { withoutCardNumbers } from '../base/card-number.ts'
import { uuidDigits } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { DAY_MS, later, readTime } from '../base/time.ts'
import type { Context } from '../context.ts'
import { forgotten } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { int, json, type RowOf, select, table, text, time } from '../database/table.ts'

/** A version of an object that a request has written: an event, or a step that is only recorded. */
export type Wrote = { kind: string; id: string; version: number }

/**
 * A merchant's requests and answers. Only members' names are stored, no value, so none must be hidden. `object_id`: of
 * the request. `forget_at`: by the retention set when it came.
 */
const requestLogs = table('request_logs', {
  key: ['merchant_id', 'log_id'],
  columns: {
    merchant_id: text(),
    log_id: text(),
    request_id: text(),
    by: text(),
    method: text(),
    route: text(),
    path: text(),
    object_id: text().orNull(),
    status: int(),
    latency_ms: int(),
    members: json<string[]>(),
    error_code: text().orNull(),
    error_field: text().orNull(),
    error_message: text().orNull(),
    address: text(),
    user_agent: text().orNull(),
    wrote: json<Wrote[]>(),
    created: time(),
    forget_at: time(),
  },
})

export const oldRequestLogs = forgotten(requestLogs, 'forget_at')
export type RequestLog = RowOf<typeof requestLogs>
export type RequestLogEntry = Omit<RequestLog, 'log_id' | 'forget_at'>

const columns = requestLogs.names.map(
  name =>
    `${name} ${requestLogs.columns[name as keyof RequestLog].is.sql === 'timestamptz' ? 'timestamptz(3)' : requestLogs.columns[name as keyof RequestLog].is.sql}`,
)
const write = statement(
  'request_logs_write',
  `insert into request_logs (${requestLogs.names.join(', ')}) select ${requestLogs.names.map(name => `l.${name}`).join(', ')} from json_to_recordset($1::json) l (${columns.join(', ')}) on conflict do nothing`,
)

/** How many lines wait at most, while the database is unavailable; further lines are lost, and counted. */
const MOST_WAITING = 20_000
const BATCH = 500
export const WRITE_EVERY_MS = 1000
/** Older lines are in their final place, whichever process wrote them: no younger line is shown to followers. */
const SETTLED_MS = 3 * WRITE_EVERY_MS
const LONGEST_TEXT = 512

const short = (value: string | null): string | null =>
  value === null ? null : withoutCardNumbers(value).slice(0, LONGEST_TEXT).replaceAll('\0', '').toWellFormed()

/** Written beside payments, in batches, each second: a death loses the unwritten. `days`: retention. */
export function openRequestLog(context: Context, days: number) {
  let waiting: RequestLog[] = []
  let lost = 0
  let writing: Promise<void> | null = null

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      try {
        await context.query(write, [JSON.stringify(batch)])
      } catch (error) {
        context.log.warn({ err: error, waiting: waiting.length }, 'the API request log could not be written; it will be retried')
        break
      }
      waiting = waiting.slice(batch.length)
    }
    if (lost > 0) context.log.warn({ lost }, 'API request log lines were lost: the database was unavailable for too long')
    lost = 0
  }

  return {
    add(line: RequestLogEntry): void {
      if (waiting.length >= MOST_WAITING) {
        lost++
        return
      }
      const { created, path, error_field, error_message, user_agent } = line
      const log_id = `log_${uuidDigits({ random: context.random, now: () => created })}`
      const kept = {
        path: short(path)!,
        error_field: short(error_field),
        error_message: short(error_message),
        user_agent: short(user_agent),
      }
      waiting.push({ ...line, ...kept, log_id, forget_at: later(created, days * DAY_MS) })
    },
    /** Never throws. */
    write(): Promise<void> {
      if (waiting.length === 0) return Promise.resolve()
      writing ??= writeAll().finally(() => {
        writing = null
      })
      return writing
    },
    waiting: (): number => waiting.length,
  }
}
export type RequestLogWriter = ReturnType<typeof openRequestLog>

const forgetBrowsers = statement(
  'forget_browsers_in_request_logs',
  `update request_logs set address = '', user_agent = null where merchant_id = $1 and object_id = $2 and address <> '' and (by = 'client' or by like 'ephemeral%')`,
)

/** Only browsers' addresses and user agents, of an object whose customer is forgotten; not those of servers. */
export const forgetBrowsersOf = (context: Pick<Context, 'query'>, merchant_id: string, object_id: string) =>
  context.query(forgetBrowsers, [merchant_id, object_id])

const MOST_LOG_ENTRIES = 100
const moment = Type.Optional(Type.String({ format: 'date-time' }))
const name = (description: string) => Type.Optional(Type.String({ maxLength: 256, description }))
export const logsQuery = Type.Object(
  {
    object_id: name('The object of the request: the id of a payment, refund, customer or other object'),
    payment_id: name('Alias of `object_id` for a payment'),
    request_id: name('The x-request-id'),
    route: name('Path as documented, for example /payments/{payment_id}/capture'),
    method: Type.Optional(Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
    status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599, description: 'Status of the response' })),
    error_code: name('Code of the error, for example IR_06'),
    by: name('Authentication of the request, as `by` shows it'),
    only_failed: Type.Optional(Type.Boolean({ description: 'Only requests with a status of 400 or higher' })),
    created_after: moment,
    created_before: moment,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_LOG_ENTRIES, description: `Default ${MOST_LOG_ENTRIES}` })),
    before_log: name('Requests before this one: the last of the previous page'),
    after_log: name(
      'Requests after this one, the nearest of them: follows the log, if each call names the first of the page before. Shown three seconds after their response, so that none is passed over; so begin with an entry of that age',
    ),
  },
  { additionalProperties: false },
)
export type LogsAsk = Type.Static<typeof logsQuery>

const filtered = (by: 'object_id' | 'error_code' | null) =>
  (['object_id', 'request_id', 'route', 'method', 'status', 'error_code', 'by'] as const)
    .map((name, i) =>
      name === by ? `${name} = $${i + 2}` : `($${i + 2}::${name === 'status' ? 'int' : 'text'} is null or ${name} = $${i + 2})`,
    )
    .join(' and ')
const listedBy = (name: string, by: 'object_id' | 'error_code' | null, towards: 'asc' | 'desc') =>
  statement(
    name,
    select(
      requestLogs,
      `where merchant_id = $1 and ${filtered(by)} and (not $9::boolean or status >= 400)
      and ($10::timestamptz is null or created >= $10) and ($11::timestamptz is null or created <= $11)
      and ($12::text is null or log_id < $12) and ($13::text is null or log_id > $13) order by log_id ${towards} limit $14`,
    ),
  )
const pages = {
  desc: {
    all: listedBy('request_logs', null, 'desc'),
    object_id: listedBy('request_logs_of_object', 'object_id', 'desc'),
    error_code: listedBy('request_logs_of_error', 'error_code', 'desc'),
  },
  asc: {
    all: listedBy('request_logs_after', null, 'asc'),
    object_id: listedBy('request_logs_of_object_after', 'object_id', 'asc'),
    error_code: listedBy('request_logs_of_error_after', 'error_code', 'asc'),
  },
} as const
const one = statement('request_log', select(requestLogs, 'where merchant_id = $1 and log_id = $2'))

type Reads = Pick<Context, 'query'>

export type RequestLogLine = ReturnType<typeof show>
const show = ({ wrote: _wrote, forget_at: _forget, ...line }: RequestLog) => line

/** Newest first; with `after_log`, those that followed that request. Refuses (IR_05) an invalid time. */
export async function listRequests(context: Pick<Context, 'query' | 'now'>, merchant_id: string, ask: LogsAsk) {
  for (const field of ['created_after', 'created_before'] as const) if (ask[field] !== undefined) readTime(field, ask[field])
  const { payment_id = null, object_id = payment_id, error_code = null, after_log = null, limit = MOST_LOG_ENTRIES } = ask
  if (payment_id !== null && object_id !== payment_id) return { size: 0, data: [] }
  const settled = later(context.now(), -SETTLED_MS)
  const { created_after = null, created_before = null, before_log = null, only_failed = false } = ask
  const until =
    after_log === null || (created_before !== null && Date.parse(created_before) < Date.parse(settled)) ? created_before : settled
  const page = pages[after_log === null ? 'desc' : 'asc'][object_id !== null ? 'object_id' : error_code !== null ? 'error_code' : 'all']
  const filters = [object_id, ask.request_id ?? null, ask.route ?? null, ask.method ?? null, ask.status ?? null, error_code, ask.by ?? null]
  const values = [merchant_id, ...filters, only_failed, created_after, until, before_log, after_log, limit]
  const rows = await context.query<RequestLog>(page, values)
  if (after_log !== null) rows.reverse()
  return { size: rows.length, data: rows.map(show) }
}

type Owner = { merchant_id: string; kind: string; object_id: string }

const thatWrote = statement(
  'request_logs_that_wrote',
  'select log_id, wrote from request_logs where merchant_id = $1 and object_id = $2 and json_array_length(wrote) > 0 order by log_id desc limit 500',
)

/** For each version, as far as requests are stored: among the latest 500 that wrote one. */
export async function requestsThatWrote(context: Reads, { merchant_id, kind, object_id }: Owner): Promise<Map<number, string>> {
  const rows = await context.query<Pick<RequestLog, 'log_id' | 'wrote'>>(thatWrote, [merchant_id, object_id])
  return new Map(
    rows.flatMap(({ log_id, wrote }) =>
      wrote.filter(one => one.kind === kind && one.id === object_id).map(({ version }) => [version, log_id] as const),
    ),
  )
}

const thatChange = statement(
  'request_logs_that_change',
  select(
    requestLogs,
    `where merchant_id = $1 and object_id = $2 and (method <> 'GET' or json_array_length(wrote) > 0) order by log_id desc limit 500`,
  ),
)

/** The latest 500 that changed an object or tried to. `version`: the first that the request wrote. */
export async function requestsThatChange(context: Reads, { merchant_id, kind, object_id }: Owner) {
  const rows = await context.query<RequestLog>(thatChange, [merchant_id, object_id])
  return rows.map(({ log_id, request_id, method, route, status, latency_ms, by, error_code, created, wrote }) => {
    const version = wrote.find(one => one.kind === kind && one.id === object_id)?.version ?? null
    return { log_id, request_id, method, route, status, latency_ms, by, error_code, created, version }
  })
}

export async function findRequestLog(context: Reads, merchant_id: string, log_id: string): Promise<RequestLogLine | undefined> {
  const [found] = await context.query<RequestLog>(one, [merchant_id, log_id])
  return found && show(found)
}

const between = statement(
  'request_logs_of_request',
  select(requestLogs, 'where merchant_id = $1 and log_id >= $2 and log_id < $3 and request_id = $4 order by log_id desc limit $5'),
)
const LATEST = 5000
const amongLatest = statement(
  'request_logs_of_request_among_latest',
  `select * from (${select(requestLogs, `where merchant_id = $1 order by log_id desc limit ${LATEST}`)}) latest where request_id = $2 limit $3`,
)
const OURS = /^([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/
const TWO_MINUTES_MS = 120_000

/** Our ids have a time: searched within the two minutes after it. Callers' ids: among the latest 5,000 requests. */
export async function findRequestLogs(context: Reads, merchant_id: string, request_id: string, limit: number): Promise<RequestLogLine[]> {
  const [, high, low] = OURS.exec(request_id) ?? []
  const logId = (ms: number) => `log_${ms.toString(16).padStart(12, '0')}`
  const at = Number.parseInt(`${high}${low}`, 16)
  const rows =
    high === undefined
      ? await context.query<RequestLog>(amongLatest, [merchant_id, request_id, limit])
      : await context.query<RequestLog>(between, [merchant_id, logId(at), logId(at + TWO_MINUTES_MS), request_id, limit])
  return rows.map(show)
}

/** Refuses (HE_02) a request that does not exist. */
export async function findRequest(context: Reads, merchant_id: string, log_id: string) {
  const [found] = await context.query<RequestLog>(one, [merchant_id, log_id])
  if (!found) return refuse('not_found', { what: 'request' })
  return { line: show(found), wrote: found.wrote }
}
