import { forgotten } from './due.ts'
import { statement } from './statement.ts'
import { bytes, int, type RowOf, table, text, time } from './table.ts'

export const answerRecord = (key: string): string => `answer ${key}`

/**
 * Idempotency-Keys, each claimed by the change that begins the request's work: `version` of `kind` and `head_id`
 * (empty while nothing is begun). `object_id` is the object that the answer shows: the head, or the row that the
 * change made beside the head. `status` is null while the first request runs (or was cut off by a crash); the answer
 * is sealed, because it may contain secrets that are shown only once.
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
    /** The head's merchant, if it is not the key's: an admin's keys have no merchant, but begin heads of one. */
    head_merchant: text().orNull(),
    head_id: text(),
    object_id: text(),
    version: int(),
    event_id: text(),
    claimed_at: time(),
    /** Null if money moved: such a key is never deleted. */
    forget_at: time().orNull(),
    status: int().orNull(),
    answer: bytes(row => answerRecord(String(row.key))).orNull(),
  },
})

/**
 * Deletes the stored answers of a merchant's requests that began nothing. Their customers are not known: the answer to
 * a repeated creation shows the payment with its customer. Such a request begins nothing again.
 */
export const forgetAnswersOfNothing = statement(
  'forget_answers_of_nothing',
  "delete from idempotency_keys where merchant_id = $1 and kind = '' and status is not null",
)

/** Expired Idempotency-Keys under which no money moved. */
export const oldIdempotencyKeys = forgotten(idempotencyKeys, 'forget_at')
export type KeyRow = RowOf<typeof idempotencyKeys>
