import type { Change, Row, RowChange } from '../context.ts'
import type { Was } from './changes.ts'
import { type ListingChange, lineOf } from './listing.ts'
import { alteredOf, type Table, tableNamed } from './table.ts'

/**
 * The right to answer one Idempotency-Key, taken in the statement that begins the work: see `http/idempotency.ts`.
 * `answer`: sealed, if it is known before the work is written; it counts only if the work was written.
 */
export type Claim = {
  merchant_id: string
  key: string
  scope: string
  digest: string
  token: string
  claimed_at: string
  stale_before: string
  /** When the key is deleted if no money moves. */
  forget_at: string
  answer: Buffer | null
}

export type ClaimedChange = Change & { claim?: Claim }

/** The data from which the values of a change's statement are read. */
export type Source = {
  change: ClaimedChange
  event_id: string
  created: string
  /** The id by which streams find a late event, beside its own id; null if the event is not late. */
  place: string | null
  version: number
  was: string
  mac: string
  lines: readonly ListingChange[]
}

export type HeadTable = Table & { kind: string }

export const rowVerb = (row: RowChange): 'insert' | 'update' | 'delete' =>
  row.before === null ? 'insert' : row.after === null ? 'delete' : 'update'

/** Returns the id of a head: the last part of its key. Other rows are named within their head in the same way. */
export const idOf = (table: Table, row: Row): unknown => row[table.key.at(-1)!]

/** The owner of a head, a merchant or an organization: the first part of its key. */
export const ownerKey = (head: Table, row: Row): unknown => row[head.key[0]!]

/** Returns the name of a row in the `rows` of a history. */
export const rowName = (table: Table, row: Row): string => `${table.name} ${idOf(table, row)}`

export function headTable(change: Pick<Change, 'head'>): HeadTable {
  const head = tableNamed(change.head)
  if (head.kind === null) throw new Error(`${head.name} is no head of a change`)
  return head as HeadTable
}

/** Whether a caller may have made the row before, by the same key: such rows are inserted before the head moves. */
export const isGate = (change: Change, row: RowChange): boolean =>
  change.before !== null && row.before === null && tableNamed(row.table).keyChosenByCaller

/** Returns the id of the row that the change makes under an id that a caller knows; else the head's id. */
export function answeredId(change: Change): unknown {
  const row = change.rows.find(one => one.before === null && tableNamed(one.table).keyChosenByCaller)
  return row ? idOf(tableNamed(row.table), row.after!) : idOf(headTable(change), change.after)
}

/** Returns the earlier values of the head's columns that a change alters. Empty for a head's first version. */
export const headWas = (head: Table, { before, after }: Pick<Change, 'before' | 'after'>): Row =>
  before ? alteredOf(head, before, after) : {}

/**
 * Returns the columns of the head that a change writes. For heads that move money, the columns that the change alters:
 * the guard proves that the others still have their values, and a value costs half a microsecond on either side. For
 * all other heads, every column that may change, except JSON that stays as it is: merchants edit many different sets
 * of columns, and each set would be a statement of its own.
 */
export function writtenColumns(head: Table, { before, after }: Pick<Change, 'before' | 'after'>, altered: Row): readonly string[] {
  if (!before) return head.mutable
  if (head.money) return [...Object.keys(altered), ...head.unrecorded.filter(column => before[column] !== after[column])]
  return head.mutable.filter(column => before[column] !== after[column] || !head.columns[column]!.is.sql.startsWith('json'))
}

/** Returns the earlier values of the rows of a change, for the history; `altered`: those of the head (`headWas`). */
export function historyOf({ before, rows, forgets }: Change, altered: Row): Was {
  if (!before || forgets) return {}
  const was: Was = { ...altered }
  for (const row of rows) {
    const table = tableNamed(row.table)
    if (table.secret || table.pointer) continue
    const its = row.before && alteredOf(table, row.before, row.after ?? {})
    if (its && Object.keys(its).length === 0) continue
    was.rows ??= {}
    was.rows[rowName(table, row.before ?? row.after!)] = its
  }
  return was
}

/** Returns the effects of a change on the rows that lists are read from. */
export function listingChanges({ before, after, rows }: ClaimedChange, head: Table): ListingChange[] {
  const lines: ListingChange[] = []
  const its = lineOf(-1, head, before, after)
  if (its) lines.push(its)
  for (let i = 0; i < rows.length; i++) {
    const line = lineOf(i, tableNamed(rows[i]!.table), rows[i]!.before, rows[i]!.after)
    if (line) lines.push(line)
  }
  return lines
}
