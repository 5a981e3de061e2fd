import type { Row } from '../world.ts'

/**
 * A table as `commit` needs to know it. Its column list is said once, here and in the migration (a test holds them together).
 * `mutable` columns are all written by every update, so that there is one statement per shape of change and not one per subset of columns.
 */
export type Table = {
  name: string
  key: readonly string[]
  columns: Readonly<Record<string, ColumnType>>
  mutable: readonly string[]
  /** Rows whose key a caller may choose: inserted before the payment moves, which moves only if they could be (see `statements.ts`). */
  keyChosenByCaller?: true
}

/** The columns' types in SQL; the words in the second line are enums of the migration. */
export type ColumnType =
  | 'text'
  | 'int'
  | 'bigint'
  | 'json'
  | 'timestamptz'
  | 'bytea'
  | 'boolean'
  | 'payment_status'
  | 'payment_busy'
  | 'operation_verb'
  | 'operation_purpose'
  | 'operation_state'
  | 'refund_status'

/** Appends values of one row, as the driver takes them: JSON as text, everything else as it is. */
type Append = (values: unknown[], row: Row) => void

/**
 * What appends these columns of a row. Compiled, once for each shape of change: a payment writes 140 columns, and a name that is a variable is looked up anew each time.
 * The names are the table's own, never a caller's.
 */
export function appender(table: Table, names: readonly string[]): Append {
  const value = (name: string) =>
    table.columns[name] === 'json' ? `row.${name} == null ? null : JSON.stringify(row.${name})` : `row.${name} ?? null`
  return new Function('values', 'row', `values.push(${names.map(value).join(', ')})`) as Append
}

/** What changed of `before`, as `{was, set}`: only columns that differ. Objects are compared by identity: rows are never changed in place. */
export function difference(table: Table, before: Row, after: Row): { was: Row; set: Row } {
  const was: Row = {}
  const set: Row = {}
  for (const column of table.mutable) {
    if (before[column] !== after[column]) {
      was[column] = before[column]
      set[column] = after[column]
    }
  }
  return { was, set }
}
