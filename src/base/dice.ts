import { randomBytes } from 'node:crypto'

const POOL = 8192

/**
 * Random bytes of the system's generator, fetched 8 kB at a time: one call for many ids. No byte is given twice, so
 * callers may write into what they get.
 */
export function openDice(): (bytes: number) => Buffer {
  let pool = Buffer.alloc(0)
  let at = 0
  return bytes => {
    if (at + bytes > pool.length) {
      pool = randomBytes(Math.max(POOL, bytes))
      at = 0
    }
    at += bytes
    return pool.subarray(at - bytes, at)
  }
}
