import { bytes, int, type RowOf, table, text, time } from './table.ts'

/** Idempotency-Keys. `status` is null while the first request runs (or was cut off by a crash); the answer is sealed, because it may hold what is shown once. */
export const claims = table('claims', {
  key: ['merchant_id', 'key'],
  columns: {
    merchant_id: text(),
    key: text(),
    scope: text(),
    digest: text(),
    token: text(),
    payment_id: text(),
    object_id: text(),
    version: int(),
    event_id: text(),
    claimed_at: time(),
    status: int().orNull(),
    answer: bytes().orNull(),
  },
})
export type ClaimRow = RowOf<typeof claims>
