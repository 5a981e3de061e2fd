import { forgotten } from './due.ts'
import { bytes, int, type RowOf, table, text, time } from './table.ts'

/** The name of a kept answer in the vault. */
export const answerRecord = (key: string): string => `answer ${key}`

/**
 * Idempotency-Keys, each claimed by the change that begins its work: `version` of `kind` and `head_id` (empty while
 * nothing is begun). `object_id` is what the answer shows: the head, or what the change made besides it. `status` is
 * null while the first request runs (or was cut off by a crash); the answer is sealed, because it may hold what is
 * shown once.
 */
export const idempotencyKeys = table('idempotency_keys', {
  key: ['merchant_id', 'key'],
  columns: {
    merchant_id: text(),
    key: text(),
    scope: text(),
    digest: text(),
    token: text(),
    kind: text(),
    /**
     * The admin's keys belong to no merchant, the heads that they begin are a merchant's; null: of the merchant of the
     * key.
     */
    head_merchant: text().orNull(),
    head_id: text(),
    object_id: text(),
    version: int(),
    event_id: text(),
    claimed_at: time(),
    /** Null where money moved: kept for good. */
    forget_at: time().orNull(),
    status: int().orNull(),
    answer: bytes(row => answerRecord(String(row.key))).orNull(),
  },
})

/** Idempotency-Keys under which no money moved. */
export const oldIdempotencyKeys = forgotten(idempotencyKeys, 'forget_at')
export type KeyRow = RowOf<typeof idempotencyKeys>
