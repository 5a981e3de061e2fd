import { hash } from 'node:crypto'

const DIGITS = 12

/**
 * Draws a number from 0 to less than 1 by a name: the same name gives the same number in every process and every
 * replay, and the numbers of different names are distributed evenly (48 bits of SHA-256).
 */
export const draw = (name: string): number => Number.parseInt(hash('sha256', name).slice(0, DIGITS), 16) / 16 ** DIGITS
