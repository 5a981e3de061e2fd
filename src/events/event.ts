import { firstEventId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { later } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { changes } from '../database/changes.ts'
import { statement } from '../database/statement.ts'
import { eventRenderers } from './event-renderers.ts'
import { type Headline, type HistoryRow, headlineOf } from './headline.ts'

/** A change that announces something. `head_id`, `version`: of the changed object. `body` null: no subscriber. */
export type Event = Pick<HistoryRow, 'merchant_id' | 'event_id' | 'kind' | 'version' | 'sequence' | 'type' | 'by' | 'created'> &
  Headline & {
    head_id: string
    profile_id: string | null
    body: string | null
    is_delivered: boolean | null
  }

/** The profile of a changed object, as an SQL expression. `$1` is the merchant, in all expressions of this file. */
export const profileOf = `coalesce(${eventRenderers
  .map(
    ({ table: { name, kind, key } }) =>
      `(select h.profile_id from ${name} h where c.kind = '${kind}' and h.merchant_id = $1 and h.${key.at(-1)} = c.object_id)`,
  )
  .join(', ')})`

export const isDelivered = `(select bool_and(d.status = 'delivered') from deliveries d where d.merchant_id = $1 and d.event_id = c.event_id)`

export const selectEvents = (rest: string) =>
  `select ${changes.names.map(name => `c.${name}`).join(', ')}, ${profileOf} as profile_id, ${isDelivered} as is_delivered, a.body from changes c
    left join lateral (select body from announcements a where a.merchant_id = $1 and a.event_id = c.event_id limit 1) a on true where c.merchant_id = $1 and c.announces is not null ${rest}`

export type EventRow = HistoryRow & Pick<Event, 'profile_id' | 'is_delivered' | 'body'>

export function eventFrom(found: EventRow): Event {
  const { was: _was, announces: _announces, posted: _ledger, object_id: head_id, ...rest } = found
  return { ...rest, head_id, ...headlineOf(found) }
}

/** Returns the ids' range, first inclusive, last exclusive, in SQL order: an id begins with its millisecond. */
export const eventsBetween = (from: Time, to: Time): [string, string] => [firstEventId(from), firstEventId(later(to, 60_000))]

/** Returns the time that is encoded at the beginning of an event id. */
export const timeOf = (event_id: string): Time => new Date(Number.parseInt(event_id.slice(4, 16), 16)).toISOString()

const byId = statement('event_by_id', selectEvents('and c.event_id = $2'))

export async function findEvent(context: Pick<Context, 'query'>, merchant_id: string, event_id: string): Promise<Event | undefined> {
  const [found] = await context.query<EventRow>(byId, [merchant_id, event_id])
  return found && eventFrom(found)
}

/** Refuses (HE_02) an unknown event. */
export const needEvent = async (context: Pick<Context, 'query'>, merchant_id: string, event_id: string): Promise<Event> =>
  (await findEvent(context, merchant_id, event_id)) ?? refuse('not_found', { what: 'event' })
