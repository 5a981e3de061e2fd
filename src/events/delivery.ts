import { forgotten } from '../database/due.ts'
import { int, json, type RowOf, table, text, time } from '../database/table.ts'

/** An event's payload as endpoints receive it. None without subscribers: the history (`event.ts`) has all events. */
export const announcements = table('announcements', {
  key: ['merchant_id', 'event_id'],
  columns: {
    merchant_id: text(),
    event_id: text(),
    body: text(),
    created: time(),
  },
})
export type Announcement = RowOf<typeof announcements>

/** One event for one endpoint. `line`: the object whose order it keeps. `dead`: given up, or no longer called. */
export const deliveries = table('deliveries', {
  key: ['merchant_id', 'event_id', 'endpoint_id'],
  columns: {
    merchant_id: text(),
    event_id: text(),
    endpoint_id: text(),
    line: text(),
    version: int(),
    status: text<'pending' | 'delivered' | 'dead'>('pending'),
    tries: int(),
    created: time(),
    ended_at: time().orNull(),
  },
})
export type Delivery = RowOf<typeof deliveries>

/**
 * The delivery lines: the events of one object that wait for one endpoint, in order. Only the first of them is due, at
 * `due_at`; while it is being delivered, `due_at` is the end of the lease, in case the delivering process dies.
 * `newest`: the latest version that waits.
 */
table('delivery_lines', {
  key: ['merchant_id', 'endpoint_id', 'line'],
  columns: { merchant_id: text(), endpoint_id: text(), line: text(), newest: int(), due_at: time() },
})

export type ListenerName = { listener_id: string; name: string; machine: string }

/** One call of an endpoint. `listener`: passed the event on; its id is then also the `endpoint_id`. */
export const deliveryAttempts = table('delivery_attempts', {
  key: ['merchant_id', 'event_id', 'attempt_id'],
  columns: {
    merchant_id: text(),
    event_id: text(),
    attempt_id: text(),
    endpoint_id: text(),
    kind: text<'initial_attempt' | 'automatic_retry' | 'manual_retry'>('initial_attempt'),
    url: text(),
    request_headers: json<[string, string][]>([]),
    status_code: int().orNull(),
    error: text().orNull(),
    response_headers: json<[string, string][]>([]).orNull(),
    response_body: text().orNull(),
    latency_ms: int(),
    created: time(),
    listener: json<ListenerName>({ listener_id: 'lst_x', name: 'x', machine: 'x' }).orNull(),
  },
})
export type DeliveryAttempt = RowOf<typeof deliveryAttempts>

export const KEPT_MS = 90 * 24 * 3_600_000

/** With an archive, archiving deletes them instead (`archive.ts`). */
export const oldAnnouncements = forgotten(announcements, 'created', { after_ms: KEPT_MS })
export const oldDeliveries = [
  forgotten(deliveries, 'created', { after_ms: KEPT_MS }),
  forgotten(deliveryAttempts, 'created', { after_ms: KEPT_MS }),
]
