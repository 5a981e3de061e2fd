import type { Merchant } from '../accounts/merchant.ts'
import { classes, type EventType, eventCatalogue, typeNamed } from '../base/event-types.ts'
import { refuse } from '../base/refusal.ts'
import { between, later, readTime } from '../base/time.ts'
import type { Context } from '../context.ts'
import { withChange } from '../database/changes.ts'
import { statement } from '../database/statement.ts'
import { bodyOf, render } from './announce.ts'
import { type Delivery, type DeliveryAttempt, KEPT_MS } from './delivery.ts'
import { attemptsOf, deliveriesOf } from './delivery-queue.ts'
import { type Event, type EventRow, eventFrom, eventsBetween, findEvent, isDelivered, needEvent, profileOf, selectEvents } from './event.ts'
import type { EventRenderer } from './event-renderer.ts'
import { eventRenderers } from './event-renderers.ts'
import { showAttempt, showTried } from './resend.ts'

/** All must match. `object_id`: for a payment, the events of its refunds as well. `limit`: 100 by default. */
export type Search = {
  object_id?: string
  event_id?: string
  /** The profiles whose events are found; null: all. */
  profiles?: readonly string[] | null
  event_classes?: string[]
  event_types?: string[]
  is_delivered?: boolean
  created_after?: string
  created_before?: string
  limit?: number
  offset?: number
}

const MOST_LISTED = 100

const within = `c.merchant_id = $1 and c.announces = any($2) and c.event_id >= $3 and c.event_id < $4 and c.created >= $5 and c.created <= $6
    and ($7::text[] is null or ${profileOf} = any($7)) and ($8::boolean is null or coalesce(${isDelivered}, false) = $8)`
const byFilter = statement('events_by_filter', selectEvents(`and ${within} order by c.event_id desc limit $9 offset $10`))
const countByFilter = statement(
  'count_events_by_filter',
  `select count(*)::int as total from changes c where c.announces is not null and ${within}`,
)
/** Returns SQL that finds the head object of a part by the part's id, for example the payment of a refund. */
const headsOfParts = ({ table, within = [] }: EventRenderer): string[] =>
  within.map(part => `(select ${table.key.at(-1)} from ${part.name} where merchant_id = $1 and ${part.key.at(-1)} = $2)`)
const ofObject = statement(
  'events_of_object',
  selectEvents(`and c.object_id in (${['$2', ...eventRenderers.flatMap(headsOfParts)].join(', ')}) order by c.event_id desc`),
)

/** Returns a page, newest first, and the total. Refuses filters that contradict each other. */
export async function searchEvents(context: Pick<Context, 'query' | 'now'>, merchant_id: string, search: Search) {
  check(context, search)
  const { limit = MOST_LISTED, offset = 0, profiles = null } = search
  if (search.event_id !== undefined || search.object_id !== undefined) {
    const its = (await eventsOf(context, merchant_id, search)).filter(
      event => profiles === null || profiles.includes(event.profile_id ?? ''),
    )
    return { rows: its.slice(offset, offset + limit), total: its.length }
  }
  const { created_before: before = context.now() } = search
  const { created_after: after = later(context.now(), -KEPT_MS) } = search
  const chosen = search.event_types?.map(name => typeNamed(name)!)
  const types = (Object.keys(eventCatalogue) as EventType[]).filter(
    type => (chosen?.includes(type) ?? true) && (search.event_classes?.includes(eventCatalogue[type].of) ?? true),
  )
  const values = [merchant_id, types, ...eventsBetween(after, before), after, before, profiles, search.is_delivered ?? null]
  const [rows, [count]] = await Promise.all([
    context.query<EventRow>(byFilter, [...values, limit, offset]),
    context.query<{ total: number }>(countByFilter, values),
  ])
  return { rows: rows.map(eventFrom), total: count!.total }
}

async function eventsOf(context: Pick<Context, 'query'>, merchant_id: string, { event_id, object_id: id }: Search): Promise<Event[]> {
  if (event_id !== undefined) {
    const event = await findEvent(context, merchant_id, event_id)
    return event ? [event] : []
  }
  const found = (await context.query<EventRow>(ofObject, [merchant_id, id])).map(eventFrom)
  return found.filter(({ head_id, object_id }) => head_id === id || object_id === id)
}

const timed = ['created_after', 'created_before', 'limit', 'offset', 'event_classes', 'event_types', 'is_delivered'] as const

/** Contract 6.9. */
function check(context: Pick<Context, 'now'>, search: Search): void {
  if (search.object_id !== undefined && search.event_id !== undefined)
    refuse('precondition', { problem: 'object_id and event_id cannot be used together' })
  if (search.object_id !== undefined || search.event_id !== undefined) {
    const other = timed.find(name => search[name] !== undefined)
    if (other) refuse('precondition', { problem: `${other} cannot be used together with object_id or event_id` })
  }
  if (search.limit !== undefined && search.limit > MOST_LISTED)
    refuse('unacceptable', { field: 'limit', problem: `must be at most ${MOST_LISTED}` })
  for (const field of ['created_after', 'created_before'] as const) {
    const time = search[field]
    if (time === undefined) continue
    if (between(readTime(field, time), context.now()) > KEPT_MS)
      refuse('unacceptable', { field, problem: 'must be within the last 90 days' })
  }
  const { created_after, created_before, event_classes, event_types } = search
  if (created_after !== undefined && created_before !== undefined && Date.parse(created_after) > Date.parse(created_before))
    refuse('unacceptable', { field: 'created_after', problem: 'must not be later than created_before' })
  for (const [i, name] of (event_classes ?? []).entries())
    if (!Object.hasOwn(classes, name))
      refuse('unacceptable', { field: `event_classes[${i}]`, problem: `must be one of ${Object.keys(classes).join(', ')}` })
  for (const [i, name] of (event_types ?? []).entries()) {
    const type =
      typeNamed(name) ?? refuse('unacceptable', { field: `event_types[${i}]`, problem: `contains an unknown event type: ${name}` })
    if (event_classes && !event_classes.includes(eventCatalogue[type].of))
      refuse('unacceptable', { field: `event_types[${i}]`, problem: 'must belong to one of event_classes' })
  }
}

/** As existing clients see an event in lists (contract 6.9). */
export const listItem = ({ is_delivered, created, ...event }: Event) => ({
  ...showTried(event),
  is_delivery_successful: is_delivered,
  created,
})

/**
 * Returns payload, deliveries and attempts. Without subscribers, the payload is rendered now. Refuses (HE_02) an
 * unknown event.
 */
export async function retrieveEvent(context: Pick<Context, 'query'>, merchant: Merchant, publicUrl: string, event_id: string) {
  const { merchant_id } = merchant
  const event = await needEvent(context, merchant_id, event_id)
  const [to, attempts] = await Promise.all([
    context.query<Delivery>(deliveriesOf, [merchant_id, event_id]),
    context.query<DeliveryAttempt>(attemptsOf, [merchant_id, event_id]),
  ])
  const { kind, head_id, version, sequence, profile_id, event_type, event_class, object_id, created } = event
  const [payload] = event.body === null ? await render(context, merchant, publicUrl, [{ kind, object_id: head_id, version }]) : []
  const body = event.body ?? (payload ? bodyOf(payload) : null)
  return {
    event_id,
    merchant_id,
    profile_id,
    object_id,
    event_type,
    type: eventCatalogue[event_type].dotted,
    event_class,
    version,
    sequence,
    created,
    is_delivery_successful: to.length === 0 ? null : to.every(({ status }) => status === 'delivered'),
    body: body === null ? null : (JSON.parse(body) as Record<string, unknown>),
    deliveries: to.map(({ endpoint_id, status, tries, ended_at }) => ({ endpoint_id, status, tries, ended_at })),
    attempts: attempts.map(attempt => showAttempt(event, attempt)),
  }
}

const ofVersions = statement(
  'events_of_versions',
  `select c.event_id, c.type, c.announces as event_type, c.sequence, c.kind, c.object_id, c.version, ${isDelivered} as is_delivery_successful,
    (select count(*)::int from deliveries d where d.merchant_id = $1 and d.event_id = c.event_id) as deliveries
    from ${withChange('unnest($2::text[], $3::text[], $4::int[]) wrote (kind, object_id, version)', 'wrote', 'x.*')} order by c.event_id`,
)

/** Returns the events of these versions of a merchant's objects, and whether all subscribers have received them. */
export const eventsOfVersions = (
  context: Pick<Context, 'query'>,
  merchant_id: string,
  wrote: readonly { kind: string; id: string; version: number }[],
) => context.query(ofVersions, [merchant_id, wrote.map(one => one.kind), wrote.map(one => one.id), wrote.map(one => one.version)])
