import { randomBytes } from 'node:crypto'

const POOL = 8192

/** From the system, 8 kB at a time: one call serves many ids. No byte comes twice, so callers may overwrite theirs. */
export function openRandomBytes(): (bytes: number) => Buffer {
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
