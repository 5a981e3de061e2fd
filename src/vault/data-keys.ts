import { createSecretKey, hash } from 'node:crypto'
import type { Context } from '../context.ts'
import { decrypt, encrypt } from './cipher.ts'
import { KEY, NONCE } from './sealed.ts'

const NOTHING = Buffer.alloc(0)

/** Stored in a row, sealed by the vault, so that the data under this key is lost together with the row. */
export const newDataKey = (dice: Pick<Context, 'random'>): string => dice.random(KEY).toString('base64')

/** AES-256-GCM. Sealed bytes open only with the same `bound`. */
export function openDataKey(dice: Pick<Context, 'random'>, bytes: string) {
  const key = createSecretKey(bytes, 'base64')
  return {
    id: hash('sha256', Buffer.from(bytes, 'base64'), 'hex').slice(0, 16),
    seal: (clear: Buffer, bound: string): Buffer => encrypt(key, NOTHING, dice.random(NONCE), clear, Buffer.from(bound)),
    /** Throws if the bytes or `bound` have been changed. */
    open: (sealed: Buffer, bound: string): Buffer => decrypt(key, sealed, Buffer.from(bound)),
  }
}
export type DataKey = ReturnType<typeof openDataKey>
