/**
 * The place of a column in a row on a telephone, which has two lines: the first and the last column in the upper line,
 * two of the columns between them in the lower line. Actions get a line of their own.
 */
export type PlaceInRow = 'first' | 'last' | 'second' | 'third' | 'more' | 'acts'

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
