import { hash } from 'node:crypto'

const DIGITS = 12

/**
 * From 0 to less than 1: the same name gives the same number in every process and replay, and different names are
 * distributed evenly (48 bits of SHA-256).
 */
export const draw = (name: string): number => Number.parseInt(hash('sha256', name).slice(0, DIGITS), 16) / 16 ** DIGITS
