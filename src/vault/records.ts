import { bytes, table, text, time } from '../database/table.ts'

/** What is paid with, sealed: card numbers. `record`: what it is bound to, `card` and a payment, or `method` and a saved payment method. */
export const vaultRecords = table('vault_records', {
  secret: true,
  key: ['merchant_id', 'record'],
  columns: { merchant_id: text(), record: text(), sealed: bytes(row => String(row.record)), created: time() },
})
