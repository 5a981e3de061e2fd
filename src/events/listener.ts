import Type from 'typebox'
import { type EventType, isEventType, typeNamed } from '../base/event-types.ts'
import { newEventId, newId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { boundedText, strictObject } from '../base/shapes.ts'
import { later } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { forgotten } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { jsonb, type RowOf, select, table, text, time } from '../database/table.ts'

/**
 * The event listeners of merchants. A listener runs on a machine that the service cannot call, and passes events on:
 * it reads the event stream, receives resent events over it, and reports the responses. A listener is no endpoint:
 * nothing waits for it except resent events, and its failures have no consequences.
 */
const eventListeners = table('event_listeners', {
  key: ['merchant_id', 'listener_id'],
  columns: {
    merchant_id: text(),
    listener_id: text(),
    name: text(),
    machine: text(),
    forward_to: text(),
    event_types: jsonb<string[]>(['payment_succeeded']).orNull(),
    created: time(),
    expires_at: time(),
  },
})
export type EventListener = RowOf<typeof eventListeners>

/** Events that are resent to a listener, until it has answered. `delivery_id`: the id of the attempt to come. */
const listenerDeliveries = table('listener_deliveries', {
  key: ['merchant_id', 'listener_id', 'delivery_id'],
  columns: { merchant_id: text(), listener_id: text(), delivery_id: text(), event_id: text(), created: time() },
})
export type ListenerDelivery = RowOf<typeof listenerDeliveries>

/** The time after which a listener that opens no stream and sends no report is no longer active. */
export const ACTIVE_FOR_MS = 60_000
/** The time in which an inactive listener can become active again, unchanged, by sending a request. */
const KNOWN_FOR_MS = 24 * 3_600_000
const MOST_LISTENERS = 20

export const oldListeners = [
  forgotten(eventListeners, 'expires_at', { after_ms: KNOWN_FOR_MS }),
  forgotten(listenerDeliveries, 'created', { after_ms: KNOWN_FOR_MS }),
]

export const listenerShape = strictObject({
  name: Type.String({ minLength: 1, maxLength: 64, description: 'Who listens, for the people who read the attempts' }),
  machine: Type.String({ minLength: 1, maxLength: 255, description: 'The machine on which it runs' }),
  forward_to: Type.String({ minLength: 1, maxLength: 2048, description: 'Where the listener sends the events on' }),
  event_types: Type.Optional(
    Type.Array(boundedText(64), { minItems: 1, maxItems: 100, description: 'Only these are sent again to it. Default: all' }),
  ),
})
export type ListenerAsk = Type.Static<typeof listenerShape>

const live = statement(
  'live_event_listeners',
  select(eventListeners, 'where merchant_id = $1 and expires_at > $2 order by created, listener_id'),
)
const add = statement(
  'add_event_listener',
  `insert into event_listeners (${eventListeners.names.join(', ')}) values (${eventListeners.names.map((_, i) => `$${i + 1}`).join(', ')})`,
)
const renew = statement(
  'renew_event_listener',
  `update event_listeners set expires_at = greatest(expires_at, $3) where merchant_id = $1 and listener_id = $2 returning ${eventListeners.names.join(', ')}`,
)
const remove = statement(
  'remove_event_listener',
  `with d as (delete from listener_deliveries where merchant_id = $1 and listener_id = $2)
    delete from event_listeners where merchant_id = $1 and listener_id = $2 returning listener_id`,
)
const queue = statement(
  'queue_for_listeners',
  `insert into listener_deliveries (merchant_id, listener_id, delivery_id, event_id, created)
    select $1, q.listener_id, q.delivery_id, $3, $4 from json_to_recordset($2::json) q (listener_id text, delivery_id text)
      join event_listeners l on l.merchant_id = $1 and l.listener_id = q.listener_id`,
)
/** Selects the first deliveries that wait for the answer of a listener. */
export const queuedForListener = statement(
  'queued_for_listener',
  select(listenerDeliveries, 'where merchant_id = $1 and listener_id = $2 order by delivery_id limit 100'),
)

const expiry = (context: Pick<Context, 'now'>): Time => later(context.now(), ACTIVE_FOR_MS)

export const findListeners = (context: Pick<Context, 'query' | 'now'>, merchant_id: string) =>
  context.query<EventListener>(live, [merchant_id, context.now()])

/**
 * Registers for a minute, prolonged by streams and reports. Refuses (IR_16) live mode and a 21st listener, (IR_06) an
 * unknown event type.
 */
export async function registerListener(
  context: Context,
  mode: 'test' | 'live',
  merchant_id: string,
  ask: ListenerAsk,
): Promise<EventListener> {
  if (mode !== 'test') refuse('precondition', { problem: 'Event listeners can be registered in test mode only' })
  for (const [i, name] of (ask.event_types ?? []).entries())
    if (!isEventType(name)) refuse('unacceptable', { field: `event_types[${i}]`, problem: `contains an unknown event type: ${name}` })
  if ((await findListeners(context, merchant_id)).length >= MOST_LISTENERS)
    refuse('precondition', { problem: `At most ${MOST_LISTENERS} event listeners can be registered at once; end one first` })
  const { name, machine, forward_to, event_types = null } = ask
  const listener: EventListener = {
    ...{ merchant_id, listener_id: newId(context, 'lst_'), name, machine, forward_to, event_types },
    ...{ created: context.now(), expires_at: expiry(context) },
  }
  await context.query(
    add,
    eventListeners.names.map(column => {
      const value = listener[column as keyof EventListener]
      return Array.isArray(value) ? JSON.stringify(value) : value
    }),
  )
  return listener
}

/** Refuses (HE_02) an unknown listener, and one of another merchant. */
export async function renewListener(
  context: Pick<Context, 'query' | 'now'>,
  merchant_id: string,
  listener_id: string,
): Promise<EventListener> {
  const [listener] = await context.query<EventListener>(renew, [merchant_id, listener_id, expiry(context)])
  return listener ?? refuse('not_found', { what: 'event listener' })
}

/** Refuses (HE_02) a listener that is not the merchant's. */
export async function removeListener(context: Pick<Context, 'query'>, merchant_id: string, listener_id: string): Promise<void> {
  const gone = await context.query(remove, [merchant_id, listener_id])
  if (gone.length === 0) refuse('not_found', { what: 'event listener' })
}

const takes = ({ event_types }: EventListener, event_type: EventType): boolean =>
  event_types === null || event_types.some(name => typeNamed(name) === event_type)

export const listenersFor = async (context: Pick<Context, 'query' | 'now'>, merchant_id: string, event_type: EventType) =>
  (await findListeners(context, merchant_id)).filter(one => takes(one, event_type))

/** Queues an event to be resent to these listeners over their streams. Returns the deliveries that await an answer. */
export async function sendToListeners(
  context: Pick<Context, 'query' | 'now' | 'random'>,
  { merchant_id, event_id }: { merchant_id: string; event_id: string },
  listeners: readonly EventListener[],
): Promise<ListenerDelivery[]> {
  const created = context.now()
  const all = listeners.map(({ listener_id }) => ({ merchant_id, listener_id, delivery_id: newEventId(context), event_id, created }))
  if (all.length > 0) await context.query(queue, [merchant_id, JSON.stringify(all), event_id, created])
  return all
}

export const showListener = ({ listener_id, name, machine, forward_to, event_types, created, expires_at }: EventListener) => ({
  ...{ listener_id, name, machine, forward_to, event_types, created, expires_at },
})
