import type { ReactNode } from 'react'

export type Column<Row> = {
  /** The heading, which is also the column's name in the address. A column of actions has none. */
  name: string
  cell(row: Row): ReactNode
  /** Whether the column is aligned right, as amounts and times are. */
  right?: boolean
  /** Whether the column is shown only on wide screens. */
  wide?: boolean
}

export const classOf = (column: { right?: boolean; wide?: boolean; look?: string | undefined }): string | undefined =>
  [column.right && 'n', column.wide && 'wide', column.look].filter(Boolean).join(' ') || undefined

/**
 * The place of a column in a row on a telephone, which has two lines: the first and the last column in the upper line,
 * two of the columns between them in the lower line. Actions get a line of their own.
 */
type PlaceInRow = 'first' | 'last' | 'second' | 'third' | 'more' | 'acts'

/** Returns the places of the columns that are shown. Wide columns have no place. */
export function placesIn(columns: readonly { name: string; wide?: boolean | undefined }[]): (PlaceInRow | undefined)[] {
  const free: PlaceInRow[] = ['second', 'third']
  const last = columns.findLastIndex(({ name, wide }) => name !== '' && !wide)
  return columns.map(({ name, wide }, n) => {
    if (n === 0) return 'first'
    if (wide) return undefined
    if (name === '') return 'acts'
    return n === last ? 'last' : (free.shift() ?? 'more')
  })
}
