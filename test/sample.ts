/**
 * Samples of the long suites: `SAMPLE`, a whole number, selects a part of them, always the same part for the same
 * number; consecutive numbers select everything in turn. Without it everything runs.
 */

const { SAMPLE } = process.env
if (SAMPLE !== undefined && !/^\d+$/.test(SAMPLE)) throw new Error(`SAMPLE must be a whole number, not ${SAMPLE}`)
const number = Number(SAMPLE ?? 0)

export const isSample = SAMPLE !== undefined

/** The seed of what is random in a test; the test prints it. */
export const seed = SAMPLE ?? String(Date.now() % 1_000_000)

/** Gives one in `divisor` of these, in their order, and at least one of them; all without `SAMPLE`. */
export function sampleOf<T>(all: readonly T[], divisor: number): readonly T[] {
  const step = Math.min(divisor, all.length)
  return isSample ? all.filter((_, i) => i % step === number % step) : all
}

/**
 * Gives one in `divisor` of these groups, and of each one member; all members of all groups without `SAMPLE`. Once all
 * groups have been selected, the next members are.
 */
export function sampleOfEach<T>(groups: readonly (readonly T[])[], divisor: number): readonly T[] {
  if (!isSample) return groups.flat()
  const round = Math.floor(number / divisor)
  return sampleOf([...groups.entries()], divisor).map(([i, members]) => members[(i + round) % members.length]!)
}
