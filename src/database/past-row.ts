import type { Row } from '../context.ts'
import { rowName } from './change.ts'
import type { Was } from './changes.ts'
import type { RowOf, Table } from './table.ts'

/** What a history says of one change. */
export type PastChange = { version: number; sequence: number | null; was: Was }

/**
 * A row as it was at version `version` of its head: the row as it is now, less what the later changes say that it
 * was. Null if it was not there yet. `now` is read before the changes: what altered it in between is then taken back
 * as well. Columns that are sealed, and the alarms of operations, have no history.
 */
export function rowAt<T extends Table>(
  table: T,
  now: RowOf<T>,
  head: Table,
  changes: readonly PastChange[],
  version: number,
): RowOf<T> | null {
  const isHead = table.name === head.name
  const name = rowName(table, now as Row)
  let row: Row | null = now as Row
  for (const { was, ...past } of changes.filter(one => one.version > version).sort((a, b) => b.version - a.version)) {
    const { rows, ...own } = was
    const its: Row | null | undefined = isHead ? { ...own, ...countsBefore(past) } : rows?.[name]
    if (its !== undefined) row = its && { ...row, ...its }
  }
  return row as RowOf<T> | null
}

const countsBefore = ({ version, sequence }: Pick<PastChange, 'version' | 'sequence'>): Row => ({
  version: version - 1,
  ...(sequence !== null && { sequence: sequence - 1 }),
})

/** What each change made of the columns that it altered: `now` is the head after the last of them. */
export function setBy(now: Row, changes: readonly PastChange[]): Row[] {
  let row = now
  return changes
    .toReversed()
    .map(({ was: { rows: _others, ...own } }) => {
      const set = Object.fromEntries(Object.keys(own).map(column => [column, row[column]]))
      row = { ...row, ...own }
      return set
    })
    .reverse()
}
