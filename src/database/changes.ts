import type { Posting } from '../context.ts'
import { bigint, int, json, table, text, time } from './table.ts'

/**
 * One row per version of any versioned row (`kind` names the table): the earlier values, and who changed it. The
 * head's columns stand directly in `was`; those of other rows that the change touched stand below `rows`, null if the
 * row did not exist. A row at version *v* is the row as it is, with the `was` of all later changes applied
 * (`database/past-row.ts`).
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
    /** The money that moved with the change (`ledger.ts`); null: none did. */
    posted: json<Posting>().orNull(),
    created: time(),
  },
})

export type Was = { [column: string]: unknown; rows?: Record<string, Record<string, unknown> | null> }

/**
 * Events that were written long after their ids were created, because a COMMIT was cut off: `place` is an id of the
 * time at which the write was tried again, under which a reader that follows events by their ids finds them
 * (`docs/design/event-streams.md`). Such rows are rare.
 */
export const lateEvents = table('late_events', {
  key: ['merchant_id', 'place'],
  columns: { merchant_id: text(), place: text(), event_id: text() },
})

/**
 * Pending announcements: one row for each change that merchants hear of, or with which money moved, written with the
 * change. The process that announces the change deletes the row (`events/dispatch-outbox.ts`).
 */
table('outbox', {
  key: ['n', 'merchant_id'],
  columns: { n: bigint(), merchant_id: text(), kind: text(), object_id: text(), version: int(), created: time() },
})

/**
 * Returns SQL that joins each of these rows (kind, object_id, version) with its change `c`. The changes are looked up
 * one by one, independent of the planner: in a join it may read all changes that a merchant ever had. `$1` is the
 * merchant.
 */
export const withChange = (rows: string, row: string, columns: string): string =>
  `${rows} cross join lateral (select ${columns} from changes x where x.merchant_id = $1 and x.object_id = ${row}.object_id and x.kind = ${row}.kind and x.version = ${row}.version limit 1) c`
