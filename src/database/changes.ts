import type { Posting } from '../context.ts'
import { bigint, int, json, table, text, time } from './table.ts'

/**
 * One row per version of any versioned row (`kind` says of which table): what it was before, and who did it. The
 * head's columns stand in `was` as they are, those of other rows that the change touched below `rows`: null if the
 * row was not there. A row at version *v* is the row as it is, less the later `was` (`database/past-row.ts`).
 */
export const changes = table('changes', {
  key: ['merchant_id', 'object_id', 'kind', 'version'],
  columns: {
    merchant_id: text(),
    kind: text(),
    object_id: text(),
    version: int(),
    sequence: int().orNull(),
    event_id: text(),
    type: text(),
    announces: text().orNull(),
    by: text(),
    was: json<Was>(),
    /** The money that moved with it (`ledger.ts`); null: none did. */
    posted: json<Posting>().orNull(),
    created: time(),
  },
})

export type Was = { [column: string]: unknown; rows?: Record<string, Record<string, unknown> | null> }

/**
 * Events that were written long after they were named, because a COMMIT was cut off: `place` is an id of the time at
 * which that was tried again, and there a reader that follows events by their ids finds them
 * (`docs/decisions/0067-late-commits.md`). Hardly ever there.
 */
export const lateEvents = table('late_events', {
  key: ['merchant_id', 'place'],
  columns: { merchant_id: text(), place: text(), event_id: text() },
})

/**
 * What is to be told to others: one row for each change that merchants hear of, or with which money moved, written
 * with it. The process that announces it deletes it (`events/dispatch-outbox.ts`).
 */
export const outbox = table('outbox', {
  key: ['n', 'merchant_id'],
  columns: { n: bigint(), merchant_id: text(), kind: text(), object_id: text(), version: int(), created: time() },
})

/**
 * The change `c` of each of these rows (kind, object_id, version), in SQL. Looked up one by one, independent of the
 * planner: in a join it may read all changes that a merchant ever had. `$1` is the merchant.
 */
export const withChange = (rows: string, row: string, columns: string): string =>
  `${rows} cross join lateral (select ${columns} from changes x where x.merchant_id = $1 and x.object_id = ${row}.object_id and x.kind = ${row}.kind and x.version = ${row}.version limit 1) c`
