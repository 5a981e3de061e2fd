import { webhookEndpointStates } from '../accounts/webhook-endpoint.ts'
import { firstEventId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { later } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { changes } from '../database/changes.ts'
import { statement } from '../database/statement.ts'
import type { RowOf, Table } from '../database/table.ts'
import { disputes } from '../disputes/dispute.ts'
import { mandates } from '../payment-methods/mandate.ts'
import { payments } from '../payments/payment.ts'
import { payouts } from '../payouts/payout.ts'
import { refunds } from '../refunds/refund.ts'
import { type EventClass, type EventType, eventCatalogue, isEventType } from './catalogue.ts'

type Change = RowOf<typeof changes>

/**
 * What merchants hear of is the history itself, where it announces something. `head_id`, `version`: of what, and
 * which version of it. `object_id`: what it is about, a refund of that payment for example. `body`: what is sent,
 * null where nobody was to hear of it.
 */
export type Event = Pick<Change, 'merchant_id' | 'event_id' | 'kind' | 'version' | 'sequence' | 'type' | 'by' | 'created'> & {
  head_id: string
  profile_id: string | null
  event_class: EventClass
  event_type: EventType
  object_id: string
  body: string | null
  is_delivered: boolean | null
}

/** Whose changes merchants hear of. */
const heads: readonly Table[] = [payments, payouts, mandates, webhookEndpointStates]

/** The profile of a change's head, in SQL. `$1` is the merchant, here as below. */
export const profileOf = `coalesce(${heads
  .map(
    ({ name, kind, key }) =>
      `(select h.profile_id from ${name} h where c.kind = '${kind}' and h.merchant_id = $1 and h.${key.at(-1)} = c.object_id)`,
  )
  .join(', ')})`

export const isDelivered = `(select bool_and(d.status = 'delivered') from deliveries d where d.merchant_id = $1 and d.event_id = c.event_id)`

/** Selects events. */
export const selectEvents = (rest: string) =>
  `select ${changes.names.map(name => `c.${name}`).join(', ')}, ${profileOf} as profile_id, ${isDelivered} as is_delivered, a.body from changes c
    left join lateral (select body from announcements a where a.merchant_id = $1 and a.event_id = c.event_id limit 1) a on true where c.merchant_id = $1 and c.announces is not null ${rest}`

export type EventRow = Change & Pick<Event, 'profile_id' | 'is_delivered' | 'body'>

/** The refund that a change is about: it moved one, and says so. */
export const refundIn = ({ type, was }: Pick<Change, 'type' | 'was'>): string | undefined =>
  type.startsWith('refund_')
    ? Object.keys(was.rows ?? {})
        .find(name => name.startsWith(`${refunds.name} `))
        ?.slice(refunds.name.length + 1)
    : undefined

/** The dispute that a change is about, the same way. */
export const disputeIn = ({ announces, was }: Pick<Change, 'announces' | 'was'>): string | undefined =>
  announces?.startsWith('dispute_')
    ? Object.keys(was.rows ?? {})
        .find(name => name.startsWith(`${disputes.name} `))
        ?.slice(disputes.name.length + 1)
    : undefined

/** What a change announces, and what that is about. */
export function newsOf(change: Change): Pick<Event, 'event_type' | 'event_class' | 'object_id'> {
  const { announces } = change
  if (announces === null || !isEventType(announces)) throw new Error(`${announces} is announced, and is not in the catalogue of events`)
  const event_type = announces as EventType
  return { event_type, event_class: eventCatalogue[event_type].of, object_id: refundIn(change) ?? disputeIn(change) ?? change.object_id }
}

export function eventFrom(found: EventRow): Event {
  const { was: _was, announces: _announces, posted: _ledger, object_id: head_id, ...rest } = found
  return { ...rest, head_id, ...newsOf(found) }
}

/**
 * The ids that events of this time have, in SQL's order: an id begins with its millisecond. The first is not below
 * them, the second is above them.
 */
export const eventsBetween = (from: Time, to: Time): [string, string] => [firstEventId(from), firstEventId(later(to, 60_000))]

const byId = statement('event_by_id', selectEvents('and c.event_id = $2'))

/** An event that the merchant hears of. */
export async function findEvent(context: Pick<Context, 'query'>, merchant_id: string, event_id: string): Promise<Event | undefined> {
  const [found] = await context.query<EventRow>(byId, [merchant_id, event_id])
  return found && eventFrom(found)
}

/** The same. Refuses (HE_02) one that there is not. */
export const needEvent = async (context: Pick<Context, 'query'>, merchant_id: string, event_id: string): Promise<Event> =>
  (await findEvent(context, merchant_id, event_id)) ?? refuse('not_found', { what: 'event' })
