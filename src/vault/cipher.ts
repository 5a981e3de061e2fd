import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { KEY, NONCE, TAG } from './sealed.ts'

const CIPHER = 'aes-256-gcm'

/** Returns the head, and after it nonce, tag and cipher text. They open only with the same `bound`. */
export function encrypt(key: KeyObject, head: Buffer, nonce: Buffer, clear: string | Buffer, bound: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce)
  cipher.setAAD(bound)
  // The last part of GCM is empty: its cipher text is as long as what it seals.
  const text = typeof clear === 'string' ? cipher.update(clear, 'utf8') : cipher.update(clear)
  cipher.final()
  return Buffer.concat([head, nonce, cipher.getAuthTag(), text])
}

/** Decrypts the bytes after the head. Throws if the bytes or `bound` have been changed. */
export function decrypt(key: KeyObject, sealed: Buffer, bound: Buffer): Buffer {
  // A tag that was cut off would pass as a shorter tag, which is easier to guess.
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE), { authTagLength: TAG })
  decipher.setAAD(bound)
  decipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG))
  const clear = decipher.update(sealed.subarray(NONCE + TAG))
  decipher.final()
  return clear
}

/** For this purpose alone (HKDF-SHA256). */
export const derivedFrom = (bytes: Buffer, purpose: string, info: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', bytes, purpose, info, KEY)))
