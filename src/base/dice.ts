import { randomBytes } from 'node:crypto'

const POOL = 8192

/** Random bytes of the system's generator, fetched 8 kB at a time: one call for many ids. No byte is given twice. */
export function openDice(): (bytes: number) => Buffer {
  let pool = Buffer.alloc(0)
  let at = 0
  return bytes => {
    if (at + bytes > pool.length) {
      pool = randomBytes(Math.max(POOL, bytes))
      at = 0
    }
    // A copy: callers may write into what they get.
    const taken = Buffer.from(pool.subarray(at, at + bytes))
    at += bytes
    return taken
  }
}
