import { forgotten } from '../database/due.ts'
import { int, json, type RowOf, table, text, time } from '../database/table.ts'

/**
 * The payload of an event that an endpoint receives, written once. The history has all events of merchants
 * (`event.ts`).
 */
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

/**
 * One event for one endpoint. `line`: what it must not overtake another event of. `dead`: tried for the last time, or
 * the endpoint is not called any more.
 */
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
 * The events of one object that wait for one endpoint, in order: only the first of them is due, at this time; or,
 * during its delivery, once the delivering process has died. `newest`: the last version that waits.
 */
export const deliveryLines = table('delivery_lines', {
  key: ['merchant_id', 'endpoint_id', 'line'],
  columns: { merchant_id: text(), endpoint_id: text(), line: text(), newest: int(), due_at: time() },
})

/** Whom a try went to that did not go to an endpoint (`listener.ts`). */
export type ListenerName = { listener_id: string; name: string; machine: string }

/** One call of an endpoint, and its answer. `listener`: who passed it on; its id is then the `endpoint_id` too. */
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

/** The earliest that what was sent of an event, its deliveries and their attempts are forgotten. */
export const KEPT_MS = 90 * 24 * 3_600_000

/** What was sent that long ago; where there is an archive, that forgets it (`archive.ts`). */
export const oldAnnouncements = forgotten(announcements, 'created', { after_ms: KEPT_MS })
/** Deliveries that are that old, with their tries. */
export const oldDeliveries = [
  forgotten(deliveries, 'created', { after_ms: KEPT_MS }),
  forgotten(deliveryAttempts, 'created', { after_ms: KEPT_MS }),
]
