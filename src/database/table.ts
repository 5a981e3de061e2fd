import { ok } from 'node:assert/strict'
import type { Row, Time } from '../context.ts'
import type { Listing } from './listed.ts'

/**
 * A table is described once. From its description follow the type of its rows, what an update writes, what a select
 * names, rows for tests, and a test that holds it against the migrated database (`table.test.ts`): a column is added
 * here and in a migration, and nowhere else.
 */

/** The columns' types in SQL; words are enum types of the migrations. */
export type SqlType = 'text' | 'int' | 'bigint' | 'json' | 'jsonb' | 'timestamptz' | 'bytea' | 'boolean' | `${string}_${string}`

type Facts = {
  sql: SqlType
  /** The words of an enum type, in its order. */
  words: readonly string[] | null
  nullable: boolean
  /** Written when the row is inserted and never again: a change that alters it is a mistake of ours. */
  fixed: boolean
  /** Counted up by the statement of a change itself. */
  counted: boolean
  /** A row that is made has none of it, as a rule: it is null then, or 0. */
  emptyAtFirst: boolean
  /** Part of the history (`changes.ts`): never what is sealed. */
  recorded: boolean
  /** What of it the vault sealed, under which names. */
  sealed: readonly Sealed[]
}

/**
 * Something that the vault sealed: the column itself (`member` null), or in base64 a member of it, `{ "sealed": … }`.
 * `record`: its name there, which it is bound to.
 */
export type Sealed = { member: string | null; record(row: Row): string }

/** A column: what SQL knows of it, and `example`, a value that also carries its type. */
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
  /** A row that is made has none of it yet, as a rule: null, or 0 of what is not null. It is not sent then. */
  emptyAtFirst(): Column<T> {
    return new Column({ ...this.is, emptyAtFirst: true }, this.example)
  }
  /** These members of it are sealed. */
  holding(members: readonly string[], record: (row: Row, member: string) => string): Column<T> {
    const sealed = members.map(member => ({ member, record: (row: Row) => record(row, member) }))
    return new Column({ ...this.is, sealed }, this.example)
  }
  /** Without history: it changes without a change. */
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
/** What the vault sealed, under this name. */
export const bytes = (record: (row: Row) => string) =>
  new Column<Buffer>({ ...plain, sql: 'bytea', recorded: false, sealed: [{ member: null, record }] }, Buffer.alloc(1))
/** Kept as it was written. */
export const json = <T extends object>(example = {} as T) => new Column<T>({ ...plain, sql: 'json' }, example)
export const jsonb = <T extends object>(example = {} as T) => new Column<T>({ ...plain, sql: 'jsonb' }, example)
/** One of the words of an enum type. */
export const word = <T extends string>(sql: SqlType, words: readonly T[]) => new Column<T>({ ...plain, sql, words }, words[0]!)
/** Counts changes; the guard of a change is that it still is what the story read. */
export const count = (from: 0 | 1) => new Column<number>({ ...plain, sql: 'int', counted: true }, from)

export type Columns = Readonly<Record<string, Column<unknown>>>

export type Table<C extends Columns = Columns> = {
  readonly name: string
  readonly key: readonly string[]
  readonly columns: C
  /** All column names, in the order of the description. */
  readonly names: readonly string[]
  /**
   * What every update writes: all but key, fixed and counted columns, so that nothing can be forgotten, and there is
   * one statement per shape of change.
   */
  readonly mutable: readonly string[]
  readonly fixed: readonly string[]
  /** Is all of it empty that is so as a rule when a row is made? */
  readonly isEmptyYet: (row: Row) => boolean
  /** What may change and has no history. */
  readonly unrecorded: readonly string[]
  /**
   * Rows whose key a caller may choose: inserted before the head moves, which moves only if they could be (see
   * `statements.ts`).
   */
  readonly keyChosenByCaller: boolean
  /**
   * What a versioned row is called in the history and by the Idempotency-Keys that begin it; null if it is only
   * written beside others.
   */
  readonly kind: string | null
  /** Does money move with it? */
  readonly money: boolean
  /** Every process keeps it in memory: writing it moves the counter by which they notice (`settings-counter.ts`). */
  readonly cached: boolean
  /** Secrets and their traces: not in the history. */
  readonly secret: boolean
  /** Its rows only say where something stands: they have no history, and writing one again does nothing. */
  readonly pointer: boolean
  /** Beside another head its row is made if there is none under this key; one that is there stays as it is. */
  readonly maybeThere: boolean
  /**
   * Is each of its changes in the audit log (`audit.ts`)? So is every head with which no money moves, unless it says
   * otherwise.
   */
  readonly audited: boolean
  /** How its rows are listed, if they are (`listed.ts`). */
  readonly listed: Listing | null
  /** Columns that only the release before knows. */
  readonly leaving: readonly string[]
}

/** The type of a table's rows. */
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

/** Describes a table. */
export function table<const C extends Columns>(
  name: string,
  { columns, ...more }: { key: readonly (keyof C & string)[]; columns: C } & Partial<Traits>,
): Table<C> {
  ok(!described.has(name), `${name} is described twice`)
  const names = Object.keys(columns)
  const rest = names.filter(column => !more.key.includes(column) && !columns[column]!.is.counted)
  const one: Table<C> = {
    ...usual,
    audited: more.kind !== undefined && more.kind !== null && more.money !== true,
    ...more,
    name,
    columns,
    names,
    mutable: rest.filter(column => !columns[column]!.is.fixed),
    isEmptyYet: emptyReader(columns),
    unrecorded: rest.filter(column => !columns[column]!.is.fixed && !columns[column]!.is.recorded),
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

/**
 * A select that names its columns: with `*`, a column that is added under a running service breaks every statement
 * that a connection has prepared.
 */
export const select = (from: Table, where: string): string => `select ${from.names.join(', ')} from ${from.name} ${where}`

/**
 * A select of whole rows as one text each: JSON of their columns in the order of the description. Its statement is
 * made by `rowStatement`.
 */
export const selectRow = (from: Table, where: string): string =>
  `select json_build_array(${from.names.join(', ')})::text as row from ${from.name} ${where}`

/** What reads such a text. Compiled, like what writes rows. */
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

/**
 * What PostgreSQL says of a `timestamptz(3)` in UTC in JSON (`2026-06-25T10:11:12.12+00:00`), as the wire has it
 * (`2026-06-25T10:11:12.120Z`).
 */
export function timeFromJson(text: string): Time {
  const end = text.length - '+00:00'.length
  return end === 23 ? `${text.slice(0, end)}Z` : `${text.slice(0, 19)}.${text.slice(20, end).padEnd(3, '0')}Z`
}

/** A row for tests: null where that may be, otherwise the plainest value of its type; `more` says the rest. */
export const exampleOf = <T extends Table>(of: T, more: Partial<RowOf<T>> = {}): RowOf<T> =>
  ({ ...Object.fromEntries(of.names.map(name => [name, of.columns[name]!.example])), ...more }) as RowOf<T>

/** Puts values of one row where they belong, as the driver takes them: JSON as text, everything else as it is. */
type Put = (values: unknown[], row: Row) => void

/**
 * What puts these columns of a row into `values`, the first of them at `from`. Compiled, once for each shape of
 * change: a payment writes 140 columns, and a name that is a variable is looked up anew each time. The names are the
 * table's own, never a caller's. A column that the row does not have is a mistake of ours, and never a null.
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

/**
 * Refuses a change of what never changes. Compiled like the above; objects are compared by identity: rows are never
 * changed in place.
 */
export function keeper(of: Table): (before: Row, after: Row) => void {
  const altered = (name: string): never => {
    throw new Error(`${of.name}.${name} never changes`)
  }
  const checks = of.fixed.map(name => `if (before.${name} !== after.${name}) altered('${name}')`)
  return new Function('altered', `return (before, after) => { ${checks.join('\n')} }`)(altered) as (before: Row, after: Row) => void
}

/** Is all of a row empty that is, as a rule, when a row is made? Compiled too. */
function emptyReader(columns: Columns): (row: Row) => boolean {
  const empty = Object.keys(columns).filter(name => columns[name]!.is.emptyAtFirst)
  const all = empty.map(name => `row.${name} === ${emptyValue(columns[name]!)}`)
  return new Function('row', `return ${all.join(' && ') || 'true'}`) as (row: Row) => boolean
}

/** What an empty column holds, in SQL as in JavaScript. */
export const emptyValue = ({ is }: Column<unknown>): 'null' | '0' => (is.nullable ? 'null' : '0')

/** What the columns that a change alters were before. Compiled too. */
export function differ(of: Table): (before: Row, after: Row) => Row {
  const recorded = of.mutable.filter(name => of.columns[name]!.is.recorded)
  const checks = recorded.map(name => `if (before.${name} !== after.${name}) was.${name} = before.${name}`)
  return new Function('before', 'after', `const was = {}\n${checks.join('\n')}\nreturn was`) as (before: Row, after: Row) => Row
}
