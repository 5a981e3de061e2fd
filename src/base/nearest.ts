/**
 * Returns the name that a misspelt name probably means: at most a third of its letters are wrong, missing or swapped.
 * Returns undefined if no name is close enough.
 */
export function nearest(misspelt: string, names: readonly string[]): string | undefined {
  if (misspelt.length > 100) return undefined
  let best: string | undefined
  let fewest = Math.floor(misspelt.length / 3) + 1
  for (const name of names) {
    const steps = stepsBetween(misspelt, name)
    if (steps < fewest) [best, fewest] = [name, steps]
  }
  return best
}

/**
 * Returns how many letters must be changed, added, left out or swapped with their neighbour to turn `from` into `to`.
 */
function stepsBetween(from: string, to: string): number {
  const rows = Array.from({ length: from.length + 1 }, (_, i) => [i, ...Array<number>(to.length).fill(0)])
  for (let j = 0; j <= to.length; j++) rows[0]![j] = j
  for (let i = 1; i <= from.length; i++) {
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1]
      const steps = [rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + (same ? 0 : 1)]
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) steps.push(rows[i - 2]![j - 2]! + 1)
      rows[i]![j] = Math.min(...steps)
    }
  }
  return rows[from.length]![to.length]!
}
