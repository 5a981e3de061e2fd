import { createSecretKey, hash } from 'node:crypto'
import type { Context } from '../context.ts'
import { decrypt, encrypt } from './cipher.ts'
import { KEY, NONCE } from './sealed.ts'

const NOTHING = Buffer.alloc(0)

/** Bytes for a key that is kept in a row, sealed by the vault, so that what it seals is lost together with the row. */
export const newDataKey = (dice: Pick<Context, 'random'>): string => dice.random(KEY).toString('base64')

/**
 * Seals and opens with such a key (AES-256-GCM). `id`: tells it from others. `bound`: what it opens only together
 * with.
 */
export function openDataKey(dice: Pick<Context, 'random'>, bytes: string) {
  const key = createSecretKey(bytes, 'base64')
  return {
    id: hash('sha256', Buffer.from(bytes, 'base64'), 'hex').slice(0, 16),
    seal: (clear: Buffer, bound: string): Buffer => encrypt(key, NOTHING, dice.random(NONCE), clear, Buffer.from(bound)),
    /** Throws if anything is not as it was. */
    open: (sealed: Buffer, bound: string): Buffer => decrypt(key, sealed, Buffer.from(bound)),
  }
}
export type DataKey = ReturnType<typeof openDataKey>
