import Type from 'typebox'
import { eventCatalogue } from '../base/event-types.ts'
import { boundedText, strictObject } from '../base/shapes.ts'
import type { Context, Time } from '../context.ts'
import { changes } from '../database/changes.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { type Delivery, type DeliveryAttempt, deliveries } from './delivery.ts'
import { eventsBetween } from './event.ts'
import { type HistoryRow, headlineOf } from './headline.ts'
import { retryPauses } from './webhook-retry-schedule.ts'

/** The deliveries to an endpoint, event by event, each with its state and its last attempt. */

export const deliveryStatuses = ['pending', 'delivered', 'dead'] as const
const MOST_DELIVERIES = 100

export const deliveriesQuery = strictObject({
  status: Type.Optional(Type.Enum([...deliveryStatuses])),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_DELIVERIES, description: `Default ${MOST_DELIVERIES}` })),
  starting_after: Type.Optional(boundedText(64)),
})
export type DeliveriesAsk = Type.Static<typeof deliveriesQuery>

type Last = Pick<DeliveryAttempt, 'status_code' | 'error' | 'latency_ms'> & { attempt_id: string; at: Time }
type Row = Delivery & { next_try_at: Time | null } & { [N in keyof Last as `last_${N}`]: Last[N] | null }

/**
 * The newest of each status, then the newest of all: one index has each in this order. Only a line's first has a
 * `next_try_at`.
 */
const ofEndpoint = statement(
  'deliveries_of_endpoint',
  `select ${deliveries.names.map(name => `d.${name}`).join(', ')}, l.due_at as next_try_at, a.attempt_id as last_attempt_id,
      a.status_code as last_status_code, a.error as last_error, a.latency_ms as last_latency_ms, a.created as last_at
    from (
      select d.* from unnest($3::text[]) of (status), lateral (
        select ${deliveries.names.join(', ')} from deliveries d
        where d.merchant_id = $1 and d.endpoint_id = $2 and d.status = of.status and ($4::text is null or d.event_id < $4)
        order by d.event_id desc limit $5) d
      order by d.event_id desc limit $5) d
    left join lateral (
      select due_at from delivery_lines l
      where d.status = 'pending' and l.merchant_id = $1 and l.endpoint_id = $2 and l.line = d.line and d.version = (
        select min(o.version) from deliveries o where o.merchant_id = $1 and o.endpoint_id = $2 and o.line = d.line and o.status = 'pending')
      limit 1) l on true
    left join lateral (
      select attempt_id, status_code, error, latency_ms, created from delivery_attempts a
      where a.merchant_id = $1 and a.event_id = d.event_id and a.endpoint_id = $2 order by a.created desc, a.attempt_id desc limit 1) a on true
    order by d.event_id desc`,
)
const changesCalled = statement(
  'changes_of_deliveries',
  select(changes, 'where merchant_id = $1 and announces is not null and event_id = any($2)'),
)

function show({ event_id, status, tries, created, ended_at, next_try_at, ...row }: Row, change: HistoryRow | undefined) {
  const { event_type = null, object_id = null } = change ? headlineOf(change) : {}
  const { last_attempt_id: attempt_id, last_status_code: status_code, last_error: error, last_latency_ms: latency_ms, last_at: at } = row
  return {
    event_id,
    event_type,
    type: event_type && eventCatalogue[event_type].dotted,
    object_id,
    status,
    tries,
    most_tries: retryPauses.length + 1,
    next_try_at,
    last: attempt_id === null ? null : { attempt_id, status_code, error, latency_ms, at },
    created,
    ended_at,
  }
}

export async function listDeliveries(context: Pick<Context, 'query'>, merchant_id: string, endpoint_id: string, ask: DeliveriesAsk) {
  const { status, starting_after = null, limit = MOST_DELIVERIES } = ask
  const statuses = status === undefined ? deliveryStatuses : [status]
  const rows = await context.query<Row>(ofEndpoint, [merchant_id, endpoint_id, statuses, starting_after, limit])
  const announced = await context.query<HistoryRow>(changesCalled, [merchant_id, rows.map(row => row.event_id)])
  const byEvent = new Map(announced.map(change => [change.event_id, change]))
  return rows.map(row => show(row, byEvent.get(row.event_id)))
}

export const MOST_COUNTED = 10_000

const countOf = (status: string, more: string): string =>
  `(select count(*)::int from (select from deliveries where merchant_id = $1 and endpoint_id = $2 and status = '${status}' ${more} limit ${MOST_COUNTED}) d)`
const waitingAndDead = statement(
  'count_deliveries_of_endpoint',
  `select ${countOf('pending', '')} as waiting, ${countOf('dead', 'and event_id >= $3 and event_id < $4')} as dead`,
)

/** Counts the events that wait for an endpoint, and those since `since` that were given up; each up to 10,000. */
export async function countDeliveries(context: Pick<Context, 'query' | 'now'>, merchant_id: string, endpoint_id: string, since: Time) {
  const values = [merchant_id, endpoint_id, ...eventsBetween(since, context.now())]
  const [found] = await context.query<{ waiting: number; dead: number }>(waitingAndDead, values)
  return found!
}
