import fc from 'fast-check'

/**
 * The seed of fast-check: its values are the same in every run, so that a change is judged by itself and not by luck.
 * `npm test -- FILE --seed random` tries other values, and prints the seed of a failure; `--seed N` repeats it.
 */
const { SEED = '1' } = process.env
export const seed: number = SEED === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(SEED)

fc.configureGlobal({ seed })

export default fc
