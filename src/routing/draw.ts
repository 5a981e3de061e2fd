import { hash } from 'node:crypto'

const DIGITS = 12

/** 0 to less than 1; the same for a name in every process and replay, evenly distributed (48 bits of SHA-256). */
export const draw = (name: string): number => Number.parseInt(hash('sha256', name).slice(0, DIGITS), 16) / 16 ** DIGITS
