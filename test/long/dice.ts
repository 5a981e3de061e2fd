import { createHash } from 'node:crypto'

/** Opens dice that fall the same way for the same words, so that a storm can be repeated. */
export function openDice(...seeds: (string | number)[]) {
  let state = createHash('sha256').update(seeds.join(' ')).digest().readUInt32LE(0)
  /** Gives a number from 0 up to, but not including, 1 (the generator is "mulberry32"). */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (low: number, high: number): number => Math.floor(low + next() * (high - low + 1)),
    one: <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)]!,
    chance: (of: number): boolean => next() < of,
    /** Picks one of several, each as often as its weight says. */
    weighted<T extends { weight: number }>(of: readonly T[]): T {
      let left = next() * of.reduce((sum, { weight }) => sum + weight, 0)
      for (const one of of) {
        left -= one.weight
        if (left < 0) return one
      }
      return of.at(-1)!
    },
  }
}
export type Dice = ReturnType<typeof openDice>
