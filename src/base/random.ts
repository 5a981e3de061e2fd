import { randomBytes } from 'node:crypto'

const POOL = 8192

/**
 * Opens a source of random bytes from the system's generator. The bytes are fetched 8 kB at a time, so that one call
 * serves many ids. No byte is returned twice, so callers may write into the buffer they receive.
 */
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
