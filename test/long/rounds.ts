import { isSample } from '../sample.ts'

/** The number of times that each race runs: `--count`, a thousand for a thorough run. */
export const ROUNDS = Number(process.env.COUNT ?? (isSample ? 40 : 100))
const AT_ONCE = 20

/** Runs all rounds, a few at once; `play` receives the numbers of the rounds that run together. */
export async function rounds(play: (together: readonly number[]) => Promise<unknown>, all = ROUNDS): Promise<void> {
  for (let done = 0; done < all; done += AT_ONCE) await play(Array.from({ length: Math.min(AT_ONCE, all - done) }, (_, i) => done + i))
}

/** Runs all rounds, where rounds are independent of each other. */
export const eachRound = (play: (n: number) => Promise<unknown>): Promise<void> => rounds(together => Promise.all(together.map(play)))
