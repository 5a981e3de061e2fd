import type { Row } from '../context.ts'
import { type ClaimedChange, type HeadTable, idOf, ownerKey, type Source } from './change.ts'
import type { ListingChange } from './listing.ts'
import { joined, type Sql, type SqlParam, sql } from './sql.ts'
import { checkFixed, isEmptyYet, putter, type SqlType, type Table } from './table.ts'

type Read = (source: Source) => unknown

export type PutValues = (values: unknown[], source: Source) => void

/**
 * The values of one shape of change: `types` are those of its parameters, `puts` the functions that put the values of
 * a change of this shape into their places. The parts of the statement add the values that they need, in the order of
 * the parameters.
 */
export type Values = {
  change: ClaimedChange
  head: HeadTable
  lines: readonly ListingChange[]
  /** The columns of the head that an update writes. */
  written: readonly string[]
  /** Whether the change is announced to merchants. */
  aloud: boolean
  late: boolean
  types: SqlType[]
  puts: PutValues[]
  /** The head's owner and id: the first two parameters of every statement. */
  merchant: SqlParam
  id: SqlParam
}

/** Values that all changes of a shape share stand in its text: a parameter costs half a microsecond on either side. */
export function openValues(
  change: ClaimedChange,
  head: HeadTable,
  lines: readonly ListingChange[],
  written: readonly string[],
  late: boolean,
): Values {
  const bare = { change, head, lines, written, aloud: change.event.announces !== null, late, types: [], puts: [] }
  const merchant = param(bare, 'text', s => ownerKey(head, s.change.after))
  const id = param(bare, 'text', s => idOf(head, s.change.after))
  return { ...bare, merchant, id }
}

const place = ({ types }: Pick<Values, 'types'>, type: SqlType): SqlParam => ({ at: types.push(type) - 1, type })

/** Adds a parameter: its place in the text and the source of its value, defined together. */
export function param(values: Pick<Values, 'types' | 'puts'>, type: SqlType, read: Read): SqlParam {
  const made = place(values, type)
  const { at } = made
  values.puts.push((all, source) => {
    all[at] = read(source)
  })
  return made
}

/**
 * Returns the columns that all rows of a change share with its head, which are parameters only once. In a condition
 * for many changes the kind comes from their line: as a constant it would be condition enough for an index that begins
 * with the kind, and all rows of that kind that a merchant ever had would be read.
 */
function sharedOf({ head, merchant, id }: Values, kind: Sql): Readonly<Record<string, Sql>> {
  return { [head.key[0]!]: merchant, [head.key.at(-1)!]: head.key.length === 1 ? merchant : id, kind, object_id: id }
}

/** Checks that a row has its head's merchant and, if it names a head (by key, or kind and id), names this one. */
function belongs(table: Table, common: readonly string[], row: Row, head: HeadTable, after: Row): void {
  for (const column of common) {
    const its = column === 'kind' ? head.kind : column === 'object_id' ? idOf(head, after) : after[column]
    if (row[column] !== its) throw new Error(`${table.name}.${column} is not that of the head`)
  }
}

export function columnValues(
  values: Values,
  table: Table,
  names: readonly string[],
  row: (source: Source) => Row,
  kind: Sql = `'${values.head.kind}'`,
): Sql[] {
  const { head, puts, types } = values
  const shared = sharedOf(values, kind)
  const own = names.filter(column => !(column in shared))
  const put = putter(table, own, types.length)
  puts.push((all, source) => put(all, row(source)))
  const common = names.filter(column => column in shared)
  if (table !== head) puts.push((_all, source) => belongs(table, common, row(source), head, source.change.after))
  const places = new Map(own.map(column => [column, place(values, table.columns[column]!.is.sql)]))
  return names.map(column => shared[column] ?? places.get(column)!)
}

export function assigned(values: Values, table: Table, row: (source: Source) => Row, names: readonly string[] = table.mutable): Sql {
  const places = columnValues(values, table, names, row)
  return joined(
    names.map((column, i) => sql`${column} = ${places[i]!}`),
    ', ',
  )
}

/**
 * Returns the insert of a row, up to its `from`; heads and versioned rows begin with version 1. The empty columns of a
 * row that is empty yet (`emptyAtFirst`) are not parameters: they stand in the text, or are null by default.
 */
export function inserted(values: Values, table: Table, row: (of: Pick<Source, 'change'>) => Row): Sql {
  const is = (column: string) => table.columns[column]!.is
  const empty = new Map(isEmptyYet(table, row(values)) ? table.emptyAtFirst : [])
  const counted = table.names.filter(column => is(column).counted)
  const names = table.names.filter(column => !is(column).counted && !empty.has(column))
  const zeros = [...empty.keys()].filter(column => empty.get(column) === 0)
  const begins = counted.map(column => (column === 'version' || (values.aloud && table === values.head) ? '1' : '0'))
  const columns = [...names, ...zeros, ...counted].join(', ')
  const its = [...columnValues(values, table, names, row), ...zeros.map(() => '0'), ...begins]
  return sql`insert into ${table.name} (${columns}) select ${joined(its, ', ')}`
}

/** Returns the condition that finds a row by these values of its key. */
export const matched = (table: Table, places: readonly Sql[]): Sql =>
  joined(
    table.key.map((column, k) => sql`${table.name}.${column} = ${places[k]!}`),
    ' and ',
  )

/** Adds the check that an update does not alter fixed columns: refuses a change that does. */
export function keepFixed({ puts }: Values, table: Table, row: (source: Source) => { before: Row | null; after: Row | null }): void {
  puts.push((_all, source) => {
    const { before, after } = row(source)
    checkFixed(table, before!, after!)
  })
}
