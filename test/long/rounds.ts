/** How often each race is run: ROUNDS says so, a thousand for a thorough run. */
export const ROUNDS = Number(process.env.ROUNDS ?? 100)
const AT_ONCE = 20

/** So many rounds, a few at once; `play` gets the numbers of those that are run together. */
export async function rounds(play: (together: readonly number[]) => Promise<unknown>): Promise<void> {
  for (let done = 0; done < ROUNDS; done += AT_ONCE)
    await play(Array.from({ length: Math.min(AT_ONCE, ROUNDS - done) }, (_, i) => done + i))
}

/** The same where rounds know nothing of each other. */
export const eachRound = (play: (n: number) => Promise<unknown>): Promise<void> => rounds(together => Promise.all(together.map(play)))
