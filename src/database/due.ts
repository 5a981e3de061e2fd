import { ok } from 'node:assert/strict'
import { later } from '../base/time.ts'
import type { Row, Statement, Time } from '../context.ts'
import { notMoving } from './merchant-moves.ts'
import { statement } from './statement.ts'
import type { Columns, RowOf, Table } from './table.ts'

/** Rows that fall due at a time in a column. `name`: table and column; `first`: SQL for the time of the first. */
export type DueKind = { name: string; first: string; after_ms: number }
export type Due = DueKind & { statement: Statement }

/**
 * Rows that are claimed when they are due; `R` is the part of a row that the handler receives. `line`: the line in
 * which the row waits for its turn. `to`: the peer whose slowness affects the row. `job`: the job's id within its
 * merchant. `move`: makes the row due at `$2`; its merchant is `$1`, the rest of its key follows.
 */
export type Claimed<R extends Row = Row> = Due & {
  lease_ms: number
  line(row: R): string
  to(row: R): string
  job(row: R): string
  /** An SQL condition: whether the row of a job `j` still waits. */
  waits: string
  move: Statement
  queue: Queue
}

/** `W`: the arguments of `run`, which must not throw, for one row, an error that would affect others. */
export type ScheduledJob<W> = { of: Claimed; run(work: W, row: Row): Promise<void> }

export const scheduledJob = <W, R extends Row>(of: Claimed<R>, run: (work: W, row: R) => Promise<void>): ScheduledJob<W> => ({
  of,
  run: run as ScheduledJob<W>['run'],
})

/** Rows that wait for their time. `due`: an SQL query for the rows that are due by `$1`, each as `at`. */
export type Queue = { name: string; due: string }

/** How many rows are claimed at once. Part of the text: for a parameter PostgreSQL would plan a tenth of the table. */
export const BATCH = 200
const MOST_FORGOTTEN = 5000

const firstOf = (of: Table, when: string, by: string): string =>
  `(select ${when} from ${of.name} where ${when} is not null order by ${by} limit 1)`

/** When the claim of a process that died is due again: longer than a wait for a turn and the longest conversation. */
const LEASE_MS = 60_000

type Claim<C extends Columns, G> = { when: keyof C & string; lease_ms?: number; gives: readonly G[]; asksProcessor?: true }

/**
 * Claims the rows whose time `when` has come, in batches, by moving that time ahead for a lease, so that another
 * process does not take them meanwhile; the handler clears the time or sets a new one. SKIP LOCKED: processes never
 * wait for each other. Merchants that move are skipped, and so are lines with a waiting job: with `asksProcessor`,
 * each connector account of a merchant is a line of its own. The table needs an index on `when` (where it is not
 * null). `gives`: the columns that the handler receives, its key included.
 */
export function claimed<C extends Columns, G extends keyof C & string>(
  of: Table<C>,
  { when, lease_ms = LEASE_MS, gives: columns, asksProcessor }: Claim<C, G>,
): Claimed<Pick<RowOf<Table<C>>, G>> {
  const name = `${of.name}.${when}`
  const [to, line] = asksProcessor ? ['connector', 'merchant_connector_id'] : []
  const gives: readonly string[] = [...new Set([...columns, to, line].filter(column => column !== undefined))]
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
    // No part of a key contains a blank.
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
 * Describes rows that are deleted once `when` is longer ago than `after_ms`, a part at a time. `by`: the column in
 * whose order the rows are read, if another column than `when` has the index; its order must follow the times.
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

export const dueBefore = (due: DueKind, now: Time): Time => later(now, -due.after_ms)

/** Builds one query over all kinds: which of them have due rows? An idle service runs no other query. */
export const lookFor = (name: string, kinds: readonly DueKind[]): Statement =>
  statement(
    name,
    `select name from (values ${kinds.map(({ name, first }, i) => `('${name}', ${first} <= $${i + 1}::timestamptz)`).join(',\n      ')}) kinds (name, is_due) where is_due`,
  )

/** Builds a query that counts the due rows of each queue, and gives the time since which the first has been due. */
export const depthsOf = (name: string, queues: readonly Queue[]): Statement =>
  statement(
    name,
    queues
      .map(queue => `select '${queue.name}' as name, count(*)::int as due, min(at) as oldest_due_at from (${queue.due}) of_queue`)
      .join('\n    union all '),
  )
