import fc from 'fast-check'

/**
 * What fast-check thinks of is the same in every run, so that a change is judged by itself and not by luck.
 * `SEED=random npm test -- FILE` looks for more, and prints the seed of what it finds; `SEED=n` repeats it.
 */
const { SEED = '1' } = process.env
export const seed: number = SEED === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(SEED)

fc.configureGlobal({ seed })

export default fc
