import type { Change, Row, RowChange } from '../context.ts'
import type { Was } from './changes.ts'
import { type ListingChange, lineOf } from './listing.ts'
import { differ, type Table, tableNamed } from './table.ts'

/**
 * The right to answer one Idempotency-Key, taken in the statement that begins the work: see `http/idempotency.ts`.
 * `answer`: sealed, where it is known before the work is written; it counts only if the work was.
 */
export type Claim = {
  merchant_id: string
  key: string
  scope: string
  digest: string
  token: string
  claimed_at: string
  stale_before: string
  /** When it is forgotten if no money moves. */
  forget_at: string
  answer: Buffer | null
}

export type ClaimedChange = Change & { claim?: Claim }

/** Everything that the values of a change's statement are read from. */
export type Source = {
  change: ClaimedChange
  event_id: string
  created: string
  /** Where it is found beside its id, if it comes late. */
  place: string | null
  version: number
  was: string
  mac: string
  lines: readonly ListingChange[]
}

export type HeadTable = Table & { kind: string }

export const rowVerb = (row: RowChange): 'insert' | 'update' | 'delete' =>
  row.before === null ? 'insert' : row.after === null ? 'delete' : 'update'

/** A head's id: the last part of its key. So are other rows called within their head. */
export const idOf = (table: Table, row: Row): unknown => row[table.key.at(-1)!]

/** The owner of a head, a merchant or an organization: the first part of its key. */
export const ownerKey = (head: Table, row: Row): unknown => row[head.key[0]!]

/** The name of a row in the `rows` of a history. */
export const rowName = (table: Table, row: Row): string => `${table.name} ${idOf(table, row)}`

export function headTable(change: Pick<Change, 'head'>): HeadTable {
  const head = tableNamed(change.head)
  if (head.kind === null) throw new Error(`${head.name} is no head of a change`)
  return head as HeadTable
}

/** Rows that a caller could have made before, under the same key: they are inserted before the head moves. */
export const isGate = (change: Change, row: RowChange): boolean =>
  change.before !== null && row.before === null && tableNamed(row.table).keyChosenByCaller

/** What the change makes besides its head, by the id that a caller knows; else the head. */
export function answeredId(change: Change): unknown {
  const row = change.rows.find(one => one.before === null && tableNamed(one.table).keyChosenByCaller)
  return row ? idOf(tableNamed(row.table), row.after!) : idOf(headTable(change), change.after)
}

const differs = new Map<Table, ReturnType<typeof differ>>()
/** What the recorded columns that a move alters were before it. */
function wasOf(table: Table, before: Row, after: Row): Row {
  let difference = differs.get(table)
  if (!difference) {
    difference = differ(table)
    differs.set(table, difference)
  }
  return difference(before, after)
}

/** What a change alters of its head: what its columns were before. Before its first version there was nothing. */
export const headWas = (head: Table, { before, after }: Pick<Change, 'before' | 'after'>): Row => (before ? wasOf(head, before, after) : {})

/**
 * The columns of its head that a change writes. Of what moves money, those that it alters: the guard says that the
 * others still are what they were, and a value costs half a microsecond on either side. Of everything else, all that
 * may change, but for JSON that stays as it is: what merchants edit would make a statement for each set of columns.
 */
export function writtenColumns(head: Table, { before, after }: Pick<Change, 'before' | 'after'>, altered: Row): readonly string[] {
  if (!before) return head.mutable
  if (head.money) return [...Object.keys(altered), ...head.unrecorded.filter(column => before[column] !== after[column])]
  return head.mutable.filter(column => before[column] !== after[column] || !head.columns[column]!.is.sql.startsWith('json'))
}

/** What the rows of a change were, for its history; `altered`: of its head (`headWas`). */
export function historyOf({ before, rows, forgets }: Change, altered: Row): Was {
  if (!before || forgets) return {}
  const was: Was = { ...altered }
  for (const row of rows) {
    const table = tableNamed(row.table)
    if (table.secret || table.pointer) continue
    const its = row.before && wasOf(table, row.before, row.after ?? {})
    if (its && Object.keys(its).length === 0) continue
    was.rows ??= {}
    was.rows[rowName(table, row.before ?? row.after!)] = its
  }
  return was
}

/** What a change does to what lists are read from. */
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
