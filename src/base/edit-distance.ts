/** How many letters must be added, left out, changed or swapped with their neighbour between two words. */
export function editDistance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row[j] = Math.min(
        rows[i - 1]![j]! + 1,
        row[j - 1]! + 1,
        rows[i - 1]![j - 1]! + same,
        swapped ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    rows.push(row)
  }
  return rows[one.length]![other.length]!
}

/** The name probably meant, with at most a third of its letters wrong, missing or swapped; else undefined. */
export function nearest(misspelt: string, names: readonly string[]): string | undefined {
  if (misspelt.length > 100) return undefined
  let best: string | undefined
  let fewest = Math.floor(misspelt.length / 3) + 1
  for (const name of names) {
    const steps = editDistance(misspelt, name)
    if (steps < fewest) [best, fewest] = [name, steps]
  }
  return best
}
