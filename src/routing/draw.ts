import { hash } from 'node:crypto'

const DIGITS = 12

/**
 * A number from 0 to less than 1 that is drawn by a name: the same name gives the same number in every process and
 * every replay, and numbers of different names are spread evenly. (48 bits of SHA-256.)
 */
export const draw = (name: string): number => Number.parseInt(hash('sha256', name).slice(0, DIGITS), 16) / 16 ** DIGITS
