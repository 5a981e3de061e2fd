/**
 * Where a column stands in the two lines that a row has on a telephone: the first and the last above, two of those
 * between below; what is done with a row has a line of its own.
 */
export type PlaceInRow = 'first' | 'last' | 'second' | 'third' | 'more' | 'acts'

/** Takes the columns that are shown; those that need room have no place. */
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
