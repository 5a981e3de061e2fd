import { ok } from 'node:assert/strict'
import { later } from '../base/time.ts'
import type { Row, Statement, Time } from '../context.ts'
import { notMoving } from './moves.ts'
import { statement } from './statement.ts'
import type { Columns, RowOf, Table } from './table.ts'

/**
 * Rows of a table for which something falls due at the time that stands in one of their columns. `name` says which
 * table and column; `first` is an SQL expression: when does the first of them fall due?
 */
export type DueKind = { name: string; first: string; after_ms: number }
/** What is done about them is one statement. */
export type Due = DueKind & { statement: Statement }

/**
 * Rows that are claimed when they are due, and what the handler receives of each; `R` is that. `line`: in which line
 * it waits for its turn. `to`: the peer whose slowness affects it. `job`: which of its merchant's. `move`: has it
 * fall due at `$2`; its merchant is `$1`, the rest of its key follows.
 */
export type Claimed<R extends Row = Row> = Due & {
  lease_ms: number
  line(row: R): string
  to(row: R): string
  job(row: R): string
  /** Is the row of a job `j` still waiting? In SQL. */
  waits: string
  move: Statement
  queue: Queue
}

/**
 * A kind that is claimed, with what is done about each of its rows; `W`: what that takes, which is handed over at
 * start. `run` must not throw for one row what others would suffer from.
 */
export type ScheduledJob<W> = { of: Claimed; run(work: W, alarm: Row): Promise<void> }

export const scheduledJob = <W, R extends Row>(of: Claimed<R>, run: (work: W, alarm: R) => Promise<void>): ScheduledJob<W> => ({
  of,
  run: run as ScheduledJob<W>['run'],
})

/** Rows that wait for their time: those that are due by `$1`, in SQL, each as `at`. */
export type Queue = { name: string; due: string }

/**
 * How many rows are claimed at once. It stands in the text: of a limit that is a parameter, PostgreSQL expects a
 * tenth of the table, and would read all of it.
 */
export const BATCH = 200
/** And how many are forgotten. */
const MOST_FORGOTTEN = 5000

const firstOf = (of: Table, when: string, by: string): string =>
  `(select ${when} from ${of.name} where ${when} is not null order by ${by} limit 1)`

/**
 * A claim whose process died falls due again after this: long enough to wait for a turn and for the longest
 * conversation.
 */
const LEASE_MS = 60_000

type Claim<C extends Columns, G> = { when: keyof C & string; lease_ms?: number; gives: readonly G[]; asksProcessor?: true }

/**
 * Rows whose time `when` has come are claimed in batches by moving it ahead for a lease, so that another process does
 * not take them meanwhile; the handler clears it or sets it anew. SKIP LOCKED: processes never wait for each other.
 * Merchants that move are passed over, and lines with a waiting job: those of one merchant are told apart by the
 * connector account, where a processor is asked (`asksProcessor`). The table needs an index on `when` (where it is not
 * null). `gives`: what the handler receives of the row, its key included.
 */
export function claimed<C extends Columns, G extends keyof C & string>(
  of: Table<C>,
  { when, lease_ms = LEASE_MS, gives: told, asksProcessor }: Claim<C, G>,
): Claimed<Pick<RowOf<Table<C>>, G>> {
  const name = `${of.name}.${when}`
  const [to, line] = asksProcessor ? ['connector', 'merchant_connector_id'] : []
  const gives: readonly string[] = [...new Set([...told, to, line].filter(column => column !== undefined))]
  for (const column of ['merchant_id', ...of.key]) ok(gives.includes(column), `who claims ${name} is told ${column}`)
  const own = of.key.filter(column => column !== 'merchant_id')
  const lineOf = `'${name} ' || merchant_id${line ? ` || ' ' || ${line}` : ''}`
  return {
    name,
    first: firstOf(of, when, when),
    after_ms: 0,
    lease_ms,
    line: row => `${name} ${row['merchant_id' as G]}${line ? ` ${row[line as G]}` : ''}`,
    to: row => (to ? `${name} ${row[to as G]}` : name),
    queue: { name, due: `select ${when} as at from ${of.name} where ${when} <= $1 and ${notMoving}` },
    // No part of a key has a blank in it.
    job: row => own.map(column => row[column as G]).join(' '),
    waits: `exists (select from ${of.name} o where o.merchant_id = j.merchant_id and ${own
      .map((column, i) => `o.${column} = split_part(j.job, ' ', ${i + 1})::${of.columns[column]!.is.sql}`)
      .join(' and ')} and o.${when} is not null)`,
    move: statement(
      `move ${name}`,
      `update ${of.name} set ${when} = $2 where merchant_id = $1 and ${own.map((column, i) => `${column} = $${i + 3}`).join(' and ')} and ${when} is not null`,
    ),
    statement: statement(
      `claim ${name}`,
      `update ${of.name} o set ${when} = $2 from (
      select ${of.key.join(', ')} from ${of.name} where ${when} <= $1 and ${lineOf} <> all($3::text[]) and ${notMoving}
      order by ${when} limit ${BATCH} for update skip locked
    ) due where ${of.key.map(column => `o.${column} = due.${column}`).join(' and ')} and o.${when} is not null
    returning ${gives.map(column => `o.${column}`).join(', ')}`,
    ),
  }
}

/**
 * Rows that are forgotten once `when` is longer ago than `after_ms`, a part at a time. `by`: the column in whose
 * order they are looked through, if another one than `when` has the index; times rise with it.
 */
export function forgotten<C extends Columns>(
  of: Table<C>,
  when: keyof C & string,
  { after_ms = 0, by = when }: { after_ms?: number; by?: keyof C & string } = {},
): Due {
  const name = `${of.name}.${when}`
  const key = of.key.join(', ')
  return {
    name,
    first: firstOf(of, when, by),
    after_ms,
    statement: statement(
      `forget ${name}`,
      `delete from ${of.name} where ${when} <= $1 and (${key}) in (
      select ${key} from (select ${[...new Set([...of.key, when])].join(', ')} from ${of.name} where ${when} is not null order by ${by} limit ${MOST_FORGOTTEN}) oldest where ${when} <= $1)`,
    ),
  }
}

/** Until when each of these rows is due now. */
export const dueBefore = (due: DueKind, now: Time): Time => later(now, -due.after_ms)

/** One question for all kinds: of which is anything due? An idle service asks nothing else. */
export const lookFor = (name: string, kinds: readonly DueKind[]): Statement =>
  statement(
    name,
    `select name from (values ${kinds.map(({ name, first }, i) => `('${name}', ${first} <= $${i + 1}::timestamptz)`).join(',\n      ')}) kinds (name, is_due) where is_due`,
  )

/** How many rows of each queue are due, and since when the first of them has been. */
export const depthsOf = (name: string, queues: readonly Queue[]): Statement =>
  statement(
    name,
    queues
      .map(queue => `select '${queue.name}' as name, count(*)::int as due, min(at) as oldest_due_at from (${queue.due}) of_queue`)
      .join('\n    union all '),
  )
