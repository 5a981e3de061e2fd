import { ok } from 'node:assert/strict'
import type { Row, Time } from '../context.ts'
import type { Listing } from './listing-kinds.ts'

/**
 * A table is described once. Its description defines the type of its rows, the columns of its updates and selects,
 * example rows for tests, and a test that compares it with the migrated database (`table.test.ts`): a column is added
 * here and in a migration, and nowhere else.
 */

/** The columns' types in SQL; words are enum types of the migrations. */
export type SqlType = 'text' | 'int' | 'bigint' | 'json' | 'jsonb' | 'timestamptz' | 'bytea' | 'boolean' | `${string}_${string}`

type Facts = {
  sql: SqlType
  /** The words of an enum type, in its order. */
  words: readonly string[] | null
  nullable: boolean
  /** Written when the row is inserted and never again: a change that alters the column is a mistake of ours. */
  fixed: boolean
  /** Whether the statement of a change increments the column itself. */
  counted: boolean
  /** Whether the column is usually empty when the row is inserted: null, or 0. */
  emptyAtFirst: boolean
  /** Whether the column is part of the history (`changes.ts`): never a sealed column. */
  recorded: boolean
  /** The sealed values of the column, each with its record name in the vault. */
  sealed: readonly Sealed[]
}

/** A value that the vault sealed under the name `record`: the column, or its member in base64, `{ "sealed": … }`. */
export type Sealed = { member: string | null; record(row: Row): string }

/** A column: its facts for SQL, and `example`, a value that also carries the column's type. */
export class Column<T> {
  readonly is: Facts
  readonly example: T
  constructor(is: Facts, example: T) {
    this.is = is
    this.example = example
  }
  orNull(example: T | null = null): Column<T | null> {
    return new Column<T | null>({ ...this.is, nullable: true }, example)
  }
  fixed(): Column<T> {
    return new Column({ ...this.is, fixed: true }, this.example)
  }
  /** Marks a column as usually null (or 0, if it cannot be) when the row is inserted: nothing is sent then. */
  emptyAtFirst(): Column<T> {
    return new Column({ ...this.is, emptyAtFirst: true }, this.example)
  }
  /** Marks these members of the column as sealed. */
  holding(members: readonly string[], record: (row: Row, member: string) => string): Column<T> {
    const sealed = members.map(member => ({ member, record: (row: Row) => record(row, member) }))
    return new Column({ ...this.is, sealed }, this.example)
  }
  /** Takes the column out of the history: it also changes without a change. */
  unrecorded(): Column<T> {
    return new Column({ ...this.is, recorded: false }, this.example)
  }
}

const plain = { words: null, nullable: false, fixed: false, counted: false, emptyAtFirst: false, recorded: true, sealed: [] }

export const text = <T extends string = string>(example: T = 'x' as T) => new Column<T>({ ...plain, sql: 'text' }, example)
export const int = () => new Column<number>({ ...plain, sql: 'int' }, 1)
/** An amount in the lowest denomination of its currency, or another large number. */
export const bigint = () => new Column<number>({ ...plain, sql: 'bigint' }, 0)
export const flag = () => new Column<boolean>({ ...plain, sql: 'boolean' }, false)
export const time = () => new Column<Time>({ ...plain, sql: 'timestamptz' }, '2026-01-01T00:00:00.000Z')
/** Bytes that the vault has sealed, under this record name. */
export const bytes = (record: (row: Row) => string) =>
  new Column<Buffer>({ ...plain, sql: 'bytea', recorded: false, sealed: [{ member: null, record }] }, Buffer.alloc(1))
/** JSON that is stored as it was written. */
export const json = <T extends object>(example = {} as T) => new Column<T>({ ...plain, sql: 'json' }, example)
export const jsonb = <T extends object>(example = {} as T) => new Column<T>({ ...plain, sql: 'jsonb' }, example)
/** One of the words of an enum type. */
export const word = <T extends string>(sql: SqlType, values: readonly T[]) => new Column<T>({ ...plain, sql, words: values }, values[0]!)
/** A counter of changes. The guard of a change is that the counter still has the value that the use case read. */
export const count = (from: 0 | 1) => new Column<number>({ ...plain, sql: 'int', counted: true }, from)

export type Columns = Readonly<Record<string, Column<unknown>>>

export type Table<C extends Columns = Columns> = {
  readonly name: string
  readonly key: readonly string[]
  readonly columns: C
  readonly names: readonly string[]
  /**
   * All but key, fixed and counted columns. An update writes all, so none is forgotten and each shape is one
   * statement.
   */
  readonly mutable: readonly string[]
  readonly fixed: readonly string[]
  /** The columns that are usually empty at first, each with its empty value. */
  readonly emptyAtFirst: readonly (readonly [name: string, empty: null | 0])[]
  /** The columns that may change, with and without history. */
  readonly recorded: readonly string[]
  readonly unrecorded: readonly string[]
  /** Whether callers may choose keys: such rows are inserted first, and the head moves only if they could be. */
  readonly keyChosenByCaller: boolean
  /** The name of a versioned row in the history and for Idempotency-Keys; null: only written beside other rows. */
  readonly kind: string | null
  /** Whether money moves with the row. */
  readonly money: boolean
  /** Kept in memory by every process: a write moves the counter that tells them (`settings-counter.ts`). */
  readonly cached: boolean
  /** Whether the table contains secrets and their traces, which are not part of the history. */
  readonly secret: boolean
  /** Whether the rows only point to other rows: they have no history, and writing one again does nothing. */
  readonly pointer: boolean
  /** Whether a row beside a head is inserted only if its key does not exist yet. */
  readonly maybeThere: boolean
  /** Whether changes are in the audit log (`audit.ts`): by default those of heads with which no money moves. */
  readonly audited: boolean
  /** How the rows are listed; null if they are not (`listing-kinds.ts`). */
  readonly listed: Listing | null
  /** Columns that only the previous release knows. */
  readonly leaving: readonly string[]
}

export type RowOf<T> = T extends Table<infer C> ? { -readonly [N in keyof C]: C[N] extends Column<infer V> ? V : never } : never

const described = new Map<string, Table>()

type Traits = Pick<
  Table,
  'keyChosenByCaller' | 'kind' | 'money' | 'cached' | 'secret' | 'pointer' | 'maybeThere' | 'audited' | 'listed' | 'leaving'
>
const usual: Omit<Traits, 'audited'> = {
  keyChosenByCaller: false,
  kind: null,
  money: false,
  cached: false,
  secret: false,
  pointer: false,
  maybeThere: false,
  listed: null,
  leaving: [],
}

export function table<const C extends Columns>(
  name: string,
  { columns, ...more }: { key: readonly (keyof C & string)[]; columns: C } & Partial<Traits>,
): Table<C> {
  ok(!described.has(name), `${name} is described twice`)
  const names = Object.keys(columns)
  const rest = names.filter(column => !more.key.includes(column) && !columns[column]!.is.counted)
  const mutable = rest.filter(column => !columns[column]!.is.fixed)
  const one: Table<C> = {
    ...usual,
    audited: more.kind !== undefined && more.kind !== null && more.money !== true,
    ...more,
    name,
    columns,
    names,
    mutable,
    emptyAtFirst: names.filter(column => columns[column]!.is.emptyAtFirst).map(column => [column, emptyValue(columns[column]!)]),
    recorded: mutable.filter(column => columns[column]!.is.recorded),
    unrecorded: mutable.filter(column => !columns[column]!.is.recorded),
    fixed: [...more.key, ...rest.filter(column => columns[column]!.is.fixed)],
  }
  described.set(name, one)
  return one
}

/** Every table that has been described: all of them, once `service.ts` is loaded. */
export const allTables = (): readonly Table[] => [...described.values()]

export function tableNamed(name: string): Table {
  const found = described.get(name)
  if (!found) throw new Error(`unknown table ${name}`)
  return found
}

/** Columns are named: with `*`, a column that is added under a running service breaks prepared statements. */
export const select = (from: Table, where: string): string => `select ${from.names.join(', ')} from ${from.name} ${where}`

/** Returns a select of whole rows, each as one text: a JSON array of its columns, for `rowStatement`. */
export const selectRow = (from: Table, where: string): string =>
  `select json_build_array(${from.names.join(', ')})::text as row from ${from.name} ${where}`

/** Returns the function that reads such a text. Compiled, like the functions that write rows. */
export function rowReader(of: Table): (text: string) => Row {
  const value = (name: string, i: number): string => {
    const { sql, nullable } = of.columns[name]!.is
    if (sql === 'bytea') throw new Error(`${of.name}.${name}: bytes are not read as JSON`)
    if (sql !== 'timestamptz') return `all[${i}]`
    return nullable ? `all[${i}] && time(all[${i}])` : `time(all[${i}])`
  }
  const members = of.names.map((name, i) => `${name}: ${value(name, i)}`)
  return new Function('time', `return text => { const all = JSON.parse(text); return { ${members.join(', ')} } }`)(timeFromJson)
}

/** Converts `2026-06-25T10:11:12.12+00:00` (a `timestamptz(3)` in JSON, UTC) to `2026-06-25T10:11:12.120Z`. */
export function timeFromJson(text: string): Time {
  const end = text.length - '+00:00'.length
  return end === 23 ? `${text.slice(0, end)}Z` : `${text.slice(0, 19)}.${text.slice(20, end).padEnd(3, '0')}Z`
}

/** Returns a row for tests: null where allowed, otherwise the plainest value of the type; `more` replaces values. */
export const exampleOf = <T extends Table>(of: T, more: Partial<RowOf<T>> = {}): RowOf<T> =>
  ({ ...Object.fromEntries(of.names.map(name => [name, of.columns[name]!.example])), ...more }) as RowOf<T>

/** Puts the values of one row into their places, as the driver takes them: JSON as text, everything else as it is. */
type Put = (values: unknown[], row: Row) => void

/**
 * Returns the function that puts these columns of a row into `values`, the first of them at `from`. Compiled, once for
 * each shape of change: a payment writes 140 columns, and a name that is a variable is looked up anew each time. The
 * names are the table's own, never a caller's. A column that the row does not have is a mistake of ours, and never
 * written as null.
 */
export function putter(of: Table, names: readonly string[], from: number): Put {
  const isJson = (name: string) => ['json', 'jsonb'].includes(of.columns[name]!.is.sql)
  const value = (name: string) => {
    const there = `(row.${name} === undefined ? missing('${name}') : row.${name})`
    return isJson(name) ? `row.${name} === null ? null : JSON.stringify${there}` : there
  }
  const missing = (name: string): never => {
    throw new Error(`${of.name}.${name} is missing from what is written`)
  }
  const puts = names.map((name, i) => `values[${from + i}] = ${value(name)}`)
  return new Function('missing', `return (values, row) => { ${puts.join('\n')} }`)(missing) as Put
}

/** Refuses a change of a fixed column. Objects are compared by identity, because rows are never changed in place. */
export function checkFixed(of: Table, before: Row, after: Row): void {
  for (const name of of.fixed) if (before[name] !== after[name]) throw new Error(`${of.name}.${name} never changes`)
}

/** The value of an empty column, in SQL as in JavaScript. */
const emptyValue = ({ is }: Column<unknown>): null | 0 => (is.nullable ? null : 0)

export const isEmptyYet = (of: Table, row: Row): boolean => of.emptyAtFirst.every(([name, empty]) => row[name] === empty)

/** Returns the earlier values of the recorded columns that a change alters. */
export function alteredOf(of: Table, before: Row, after: Row): Row {
  const was: Row = {}
  for (const name of of.recorded) if (before[name] !== after[name]) was[name] = before[name]
  return was
}
