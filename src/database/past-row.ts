import type { Row } from '../context.ts'
import { rowName } from './change.ts'
import type { Was } from './changes.ts'
import type { RowOf, Table } from './table.ts'

export type PastChange = { version: number; sequence: number | null; was: Was }

/**
 * Returns a row as it was at version `version` of its head: the row as it is now, with the earlier values that the
 * later changes have recorded. Null if the row did not exist yet. `now` must be read before the changes: a change in
 * between is then taken back as well. Sealed columns, and the poll times of operations, have no history.
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

/** Returns the new values of the columns that each change altered; `now`: the head after the last of them. */
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
