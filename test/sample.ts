/**
 * Samples of the long suites: `--sample N` selects a part of them, always the same part for the same
 * number; consecutive numbers select everything in turn. Without it everything runs.
 */

const { SAMPLE, SEED } = process.env
if (SAMPLE !== undefined && !/^\d+$/.test(SAMPLE)) throw new Error(`--sample must be a whole number, not ${SAMPLE}`)

/** The number of this run's sample; null if everything runs. */
const number = SAMPLE === undefined ? null : Number(SAMPLE)

export const isSample = number !== null

/** The seed of what is random in a test (`--seed`); the test prints it. */
export const seed = SEED ?? SAMPLE ?? String(Date.now() % 1_000_000)

/** Gives one in `divisor` of these, in their order, and at least one of them. */
export function sampleOf<T>(all: readonly T[], divisor: number, turn = number): readonly T[] {
  if (turn === null) return all
  const step = Math.min(divisor, all.length)
  return all.filter((_, i) => i % step === turn % step)
}

/**
 * Gives one in `divisor` of these groups, and of each one member. Once all groups have been selected, their next
 * members are.
 */
export function sampleOfEach<T>(groups: readonly (readonly T[])[], divisor: number, turn = number): readonly T[] {
  if (turn === null) return groups.flat()
  const round = Math.floor(turn / divisor)
  return sampleOf([...groups.entries()], divisor, turn).map(([i, members]) => members[(i + round) % members.length]!)
}
