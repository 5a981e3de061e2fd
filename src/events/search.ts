import type { Merchant } from '../accounts/merchant.ts'
import { refuse } from '../base/refusal.ts'
import { between } from '../base/time.ts'
import { statement } from '../database/statement.ts'
import type { Time, World } from '../world.ts'
import { bodyOf, render } from './announce.ts'
import { catalogue, classes, type EventClass, typeNamed } from './catalogue.ts'
import { type Announcement, announcements, type Delivery, type DeliveryAttempt, KEPT_MS } from './delivery.ts'
import { attemptsOf, deliveriesOf } from './lines.ts'
import { needAnnouncement, showAttempt } from './retry.ts'

/** What events are looked for by; all of it must hold. `object_id`: of a payment also what happened to its refunds. `limit`: 100 unless said. */
export type Search = {
  object_id?: string
  event_id?: string
  profile_id?: string
  event_classes?: string[]
  event_types?: string[]
  is_delivered?: boolean
  created_after?: string
  created_before?: string
  limit?: number
  offset?: number
}

export const MOST_LISTED = 100

const isDelivered = `(select bool_and(d.status = 'delivered') from deliveries d where d.merchant_id = $1 and d.event_id = a.event_id)`
const columns = announcements.names.filter(name => name !== 'body').map(name => `a.${name}`)
const filter = `a.merchant_id = $1 and ($2::text is null or a.profile_id = $2) and ($3::text[] is null or a.event_class = any($3)) and ($4::text[] is null or a.event_type = any($4))
    and ($5::timestamptz is null or a.created >= $5) and ($6::timestamptz is null or a.created <= $6) and ($7::boolean is null or coalesce(${isDelivered}, false) = $7)`
const withHistory = `left join changes c on c.merchant_id = $1 and c.kind = a.kind and c.object_id = a.head_id and c.version = a.version`
const page = (where: string, last: number) =>
  `select ${columns.join(', ')}, ${isDelivered} as is_delivered, c.type, c.by from announcements a ${withHistory}
    where ${where} order by a.created desc, a.event_id desc limit $${last - 1} offset $${last}`

const byFilter = statement('announcements_by_filter', page(filter, 9))
const countByFilter = statement('count_announcements_by_filter', `select count(*)::int as total from announcements a where ${filter}`)
const ofId = 'a.merchant_id = $1 and (a.object_id = $2 or a.head_id = $2 or a.event_id = $2) and ($3::text is null or a.profile_id = $3)'
const byId = statement('announcements_by_any_id', page(ofId, 5))
const countById = statement('count_announcements_by_any_id', `select count(*)::int as total from announcements a where ${ofId}`)

type Found = Omit<Announcement, 'body'> & { is_delivered: boolean | null; type: string | null; by: string | null }

/** Events that the merchant hears of, the newest first, and how many there are in all. Refuses what contradicts itself. */
export async function searchEvents(world: Pick<World, 'query' | 'now'>, merchant_id: string, search: Search) {
  const { limit = MOST_LISTED, offset = 0, profile_id = null } = search
  check(world, search)
  const id = search.event_id ?? search.object_id
  const values =
    id !== undefined
      ? [merchant_id, id, profile_id]
      : [
          merchant_id,
          profile_id,
          search.event_classes ?? null,
          search.event_types?.map(name => typeNamed(name) ?? name) ?? null,
          search.created_after ?? null,
          search.created_before ?? null,
          search.is_delivered ?? null,
        ]
  const [rows, [count]] = await Promise.all([
    world.query<Found>(id !== undefined ? byId : byFilter, [...values, limit, offset]),
    world.query<{ total: number }>(id !== undefined ? countById : countByFilter, values),
  ])
  return { rows, total: count!.total }
}

const timed = ['created_after', 'created_before', 'limit', 'offset', 'event_classes', 'event_types', 'is_delivered'] as const

/** Contract 6.9. */
function check(world: Pick<World, 'now'>, search: Search): void {
  if (search.object_id !== undefined && search.event_id !== undefined)
    refuse('precondition', { words: 'object_id and event_id cannot be asked for together' })
  if (search.object_id !== undefined || search.event_id !== undefined) {
    const other = timed.find(name => search[name] !== undefined)
    if (other) refuse('precondition', { words: `object_id and event_id find all there is: ${other} cannot be asked for with them` })
  }
  if (search.limit !== undefined && search.limit > MOST_LISTED)
    refuse('unacceptable', { field: 'limit', words: `must be at most ${MOST_LISTED}` })
  for (const field of ['created_after', 'created_before'] as const) {
    const time = search[field]
    if (time === undefined) continue
    if (Number.isNaN(Date.parse(time))) refuse('malformed', { field, expected: 'a time as in RFC 3339' })
    if (between(new Date(time).toISOString(), world.now()) > KEPT_MS)
      refuse('unacceptable', { field, words: 'must be within the last 90 days' })
  }
  const { created_after, created_before, event_classes, event_types } = search
  if (created_after !== undefined && created_before !== undefined && Date.parse(created_after) > Date.parse(created_before))
    refuse('unacceptable', { field: 'created_after', words: 'must not be later than created_before' })
  for (const [i, name] of (event_classes ?? []).entries())
    if (!Object.hasOwn(classes, name))
      refuse('unacceptable', { field: `event_classes[${i}]`, words: `must be one of ${Object.keys(classes).join(', ')}` })
  for (const [i, name] of (event_types ?? []).entries()) {
    const type = typeNamed(name) ?? refuse('unacceptable', { field: `event_types[${i}]`, words: `there is no event type ${name}` })
    if (event_classes && !event_classes.includes(catalogue[type].of))
      refuse('unacceptable', { field: `event_types[${i}]`, words: 'must belong to one of event_classes' })
  }
}

/** As existing clients list events (contract 6.9). */
export const listItem = (found: Found) => ({
  event_id: found.event_id,
  merchant_id: found.merchant_id,
  profile_id: found.profile_id,
  object_id: found.object_id,
  event_type: found.event_type,
  event_class: found.event_class,
  is_delivery_successful: found.is_delivered,
  initial_attempt_id: found.event_id,
  processor_merchant_id: found.merchant_id,
  created: found.created,
})

/** One event: what is sent of it, to whom, and every try. What nobody was to hear of is rendered now, as it would have been sent. Refuses (HE_02) one that there is not. */
export async function retrieveEvent(world: Pick<World, 'query'>, merchant: Merchant, publicUrl: string, event_id: string) {
  const { merchant_id } = merchant
  const event = await needAnnouncement(world, merchant_id, event_id)
  const [to, attempts] = await Promise.all([
    world.query<Delivery>(deliveriesOf, [merchant_id, event_id]),
    world.query<DeliveryAttempt>(attemptsOf, [merchant_id, event_id]),
  ])
  const { kind, head_id, version, sequence, profile_id, event_type, event_class, object_id, created } = event
  const [told] = event.body === null ? await render(world, merchant, publicUrl, [{ kind, object_id: head_id, version }]) : []
  const body = event.body ?? (told ? bodyOf(told) : null)
  return {
    event_id,
    merchant_id,
    profile_id,
    object_id,
    event_type,
    type: catalogue[event_type].dotted,
    event_class: event_class as EventClass,
    version,
    sequence,
    created: created as Time,
    is_delivery_successful: to.length === 0 ? null : to.every(({ status }) => status === 'delivered'),
    body: body === null ? null : (JSON.parse(body) as Record<string, unknown>),
    deliveries: to.map(({ endpoint_id, status, tries, ended_at }) => ({ endpoint_id, status, tries, ended_at })),
    attempts: attempts.map(attempt => showAttempt(event, attempt)),
  }
}
