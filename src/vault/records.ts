import { forgotten } from '../database/due.ts'
import { bytes, table, text, time } from '../database/table.ts'

/**
 * Sealed payment instruments: card numbers. `record`: the name that the number is bound to, `card` and a payment, or
 * `method` and a saved payment method.
 */
export const vaultRecords = table('vault_records', {
  secret: true,
  key: ['merchant_id', 'record'],
  columns: { merchant_id: text(), record: text(), sealed: bytes(row => String(row.record)), created: time() },
})

/** How long a security code, which may not be stored, waits for a confirm. */
export const WAITS_MS = 15 * 60_000

/** The name of a security code in the vault. */
export const waitingName = (payment_id: string): string => `cvc ${payment_id}`

/** Security codes that wait for a confirm, at most 15 minutes. */
export const waitingCvcs = table('waiting_cvcs', {
  secret: true,
  key: ['merchant_id', 'payment_id'],
  columns: { merchant_id: text(), payment_id: text(), sealed: bytes(row => waitingName(String(row.payment_id))), expires_at: time() },
})

/** Security codes that were never used. */
export const expiredCvcs = forgotten(waitingCvcs, 'expires_at')
