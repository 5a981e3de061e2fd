import { forgotten } from '../database/due.ts'
import { bytes, table, text, time } from '../database/table.ts'

/** Sealed card numbers. `record`: `card` and a payment, or `method` and a saved payment method. */
export const vaultRecords = table('vault_records', {
  secret: true,
  key: ['merchant_id', 'record'],
  columns: { merchant_id: text(), record: text(), sealed: bytes(row => String(row.record)), created: time() },
})

/** A security code may not be stored: it waits for a confirm at most so long. */
export const WAITS_MS = 15 * 60_000

export const waitingName = (payment_id: string): string => `cvc ${payment_id}`

export const waitingCvcs = table('waiting_cvcs', {
  secret: true,
  key: ['merchant_id', 'payment_id'],
  columns: { merchant_id: text(), payment_id: text(), sealed: bytes(row => waitingName(String(row.payment_id))), expires_at: time() },
})

export const expiredCvcs = forgotten(waitingCvcs, 'expires_at')
