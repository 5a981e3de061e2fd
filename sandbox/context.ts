// The clock, the timers and the randomness, which are passed in from outside.

import { randomBytes } from 'node:crypto'

export type Context = {
  now(): number
  /** Calls `callback` once, after a number of milliseconds. Returns a function that cancels the timer. */
  after(milliseconds: number, callback: () => void): () => void
  random(bytes: number): Uint8Array
}

const longestTimer = 2 ** 31 - 1

export const realContext: Context = {
  now: Date.now,
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(milliseconds, 1), longestTimer)).unref()
    return () => clearTimeout(timer)
  },
  random: randomBytes,
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const decimal = '0123456789'

export function draw(context: Context, length: number, alphabet: string = crockford): string {
  return Array.from(context.random(length), byte => alphabet[byte % alphabet.length]).join('')
}

export function drawDigits(context: Context, length: number): string {
  return draw(context, length, decimal)
}

export function newId(
  context: Context,
  prefix: 'auth' | 'cap' | 'inc' | 'ext' | 'rev' | 'void' | 'ref' | 'pout' | 'pcan' | 'evt' | 'order' | 'file' | 'dash',
): string {
  return `${prefix}_${draw(context, 26)}`
}

export function iso(at: number): string {
  return new Date(at).toISOString()
}
