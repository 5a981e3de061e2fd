import Type from 'typebox'
import type { Merchant } from '../../accounts/merchant.ts'
import { classes } from '../../base/event-types.ts'
import { refuse } from '../../base/refusal.ts'
import { orNull, strictObject } from '../../base/shapes.ts'
import { listEvents, MOST_EVENTS } from '../../events/list.ts'
import { renewListener } from '../../events/listener.ts'
import { listAttempts, resendEvent } from '../../events/resend.ts'
import { listItem, retrieveEvent, searchEvents } from '../../events/search.ts'
import { streamEvents } from '../../events/stream.ts'
import { tokenIn } from '../../users/sessions.ts'
import { count, listSchema, open, schema, sized, text, time, times } from '../answer-shapes.ts'
import { isHolder } from '../credentials.ts'
import { type ApiRequest, endpoint, tagged } from '../endpoint.ts'
import { roleHoldsFor } from '../profile-header.ts'
import { stillMay } from '../session.ts'
import { attemptAnswer, triedEvent } from './webhook-endpoints.ts'

const eventType = orNull(text, 'Event type sent to the merchant; null for steps that are only recorded')
const delivered = orNull(Type.Boolean(), 'Whether all subscribed endpoints have received it; null: none is subscribed')

const eventAnswer = schema('Event', {
  event_id: text,
  merchant_id: text,
  object_id: text,
  event_type: eventType,
  type: Type.String({ description: 'What happened' }),
  version: Type.Integer({ description: 'Number of the change of the payment' }),
  sequence: orNull(Type.Integer(), 'Number of the event sent to the merchant'),
  by: orNull(
    text,
    'Origin of the change: secret_key and its id, client, customer, webhook and its connector account, or alarm (a scheduled job); null if it was not recorded',
  ),
  was: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'Previous values of the changed columns; only with an object_id' }),
  ),
  set: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'New values of the changed columns' })),
  profile_id: Type.Optional(orNull(text)),
  event_class: Type.Optional(text),
  is_delivery_successful: Type.Optional(delivered),
  created: time,
})

export const eventsAnswer = listSchema('Events', eventAnswer)

const { initial_attempt_id, processor_merchant_id, ...event } = triedEvent
const listed = { ...event, event_class: Type.Enum(Object.keys(classes)), is_delivery_successful: delivered }
const eventListAnswer = schema('EventList', {
  events: Type.Array(Type.Object({ ...listed, initial_attempt_id, processor_merchant_id })),
  total_count: count,
})
const eventDetailAnswer = schema('EventDetail', {
  ...listed,
  type: Type.String({ description: 'Name of the event type with a dot' }),
  version: count,
  sequence: orNull(count),
  body: orNull(open, 'Payload of the webhook: the object at the time of the event'),
  deliveries: Type.Array(
    Type.Object({ endpoint_id: text, status: Type.Enum(['pending', 'delivered', 'dead']), tries: count, ...times('ended_at') }),
  ),
  attempts: Type.Array(attemptAnswer),
})

const id = (description?: string) => Type.Optional(Type.String({ maxLength: 512, ...(description && { description }) }))
const names = Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100 }))
const whole = { minimum: 0, maximum: 2_147_483_647 }

const filters = {
  profile_id: id(),
  event_classes: names,
  event_types: names,
  is_delivered: Type.Optional(Type.Boolean()),
  created_after: Type.Optional(time),
  created_before: Type.Optional(time),
}
const offset = Type.Optional(Type.Integer(whole))

const eventsQuery = strictObject({
  object_id: id(
    'A payment_id or refund_id: lists every change of that payment, oldest first. Without it, lists the merchant’s events, newest first',
  ),
  ...filters,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_EVENTS, description: `Default ${MOST_EVENTS}` })),
  offset,
  after_version: Type.Optional(
    Type.Integer({
      ...whole,
      description: 'With an object_id, changes after this one: the version of the last event of the previous page',
    }),
  ),
})

/** The search of events (contract 6.9). */
const searchShape = strictObject({
  object_id: id('For a payment, also lists the changes of its refunds'),
  event_id: id(),
  ...filters,
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'At most 100 (default)' })),
  offset,
})

/** The filters that cannot be combined with an object, because a search by object lists the object's whole history. */
const searches = [...(Object.keys(filters) as (keyof typeof filters)[]), 'offset'] as const

/** Returns the requested profiles among those that the caller may see; null: all. */
function profilesAsked({ who }: Pick<ApiRequest, 'who'>, profile_id: string | undefined): readonly string[] | null {
  const may = roleHoldsFor(who)
  return profile_id === undefined ? may : [profile_id].filter(id => may?.includes(id) ?? true)
}

const ofSearch = {
  reads: true,
  body: searchShape,
  answers: eventListAnswer,
  example: { summary: 'Events that were not delivered', value: { is_delivered: false, limit: 20 } },
  json: async ({
    context,
    merchant,
    who,
    body: { profile_id, ...ask },
  }: ApiRequest<Merchant> & { body: Type.Static<typeof searchShape> }) => {
    const asked = { ...ask, profiles: profilesAsked({ who }, profile_id) }
    const { rows, total } = await searchEvents(context, merchant.merchant_id, asked)
    return { events: rows.map(listItem), total_count: total }
  },
} as const

export const eventRoutes = tagged(
  'Events',
  'The complete history of each payment, with old and new values of every change, and the merchant’s events with every delivery attempt.',
  { confidential: 'personal data', sdk: ['events', 'Event'], platforms: 'for itself too' },
  [
    endpoint('GET /events', 'listEvents', {
      title: 'List events',
      description: 'Lists the history of a payment, oldest first; without an object_id, lists the merchant’s events, newest first.',
      auth: { credential: 'secret', permission: 'logs:read', scope: 'profile', ids: ['object_id'] },
      query: eventsQuery,
      answers: eventsAnswer,
      errors: ['not_found', 'unacceptable'],
      json: async call => {
        const { context, merchant, query } = call
        const { object_id, after_version, limit = MOST_EVENTS, ...search } = query
        const { merchant_id } = merchant
        if (object_id !== undefined) {
          const other = searches.find(name => search[name] !== undefined)
          if (other) refuse('precondition', { problem: `${other} cannot be used together with object_id` })
          return listEvents(context, merchant_id, object_id, after_version ?? 0, limit)
        }
        if (after_version !== undefined) refuse('missing', { field: 'object_id' })
        const { profile_id, ...rest } = search
        const { rows } = await searchEvents(context, merchant_id, { ...rest, profiles: profilesAsked(call, profile_id), limit })
        return sized(
          rows.map(({ kind: _kind, head_id: _head, body: _body, is_delivered, ...row }) => ({
            ...row,
            is_delivery_successful: is_delivered,
          })),
        )
      },
    }),
    endpoint('GET /events/stream', 'streamEvents', {
      title: 'Stream events',
      description:
        'Streams the merchant’s events as Server-Sent Events, each with the body of its webhook, from now on or from the event in the `Last-Event-ID` header. Delivery is at least once: after a reconnect, the events of the previous 30 seconds are sent again with the same ids. The stream ends within a second when its key is revoked or expires.',
      auth: { credential: 'secret', permission: 'logs:read', scope: 'profile' },
      query: strictObject({
        event_types: names,
        listener_id: id(
          'Also streams what is sent again to this event listener, as messages `event_redelivery` without an id, each with `delivery_id`, `event_id` and `body`, and keeps the listener registered',
        ),
      }),
      answers: 'stream',
      errors: ['invalid_value', 'unacceptable', 'not_found'],
      run: async call => {
        const { service, context, merchant, query, headers, who } = call
        const { listener_id = null, event_types } = query
        const last = headers['last-event-id']
        const person = who.is === 'secret' ? who.user : undefined
        const token = tokenIn(headers.cookie as string | undefined)
        const isAuthorized = () =>
          person && token
            ? stillMay(service, person, token, 'logs:read')
            : isHolder(service.settings, String(headers['api-key']), merchant.merchant_id, context.now())
        if (listener_id !== null) await renewListener(context, merchant.merchant_id, listener_id)
        const ask = {
          last: typeof last === 'string' ? last : undefined,
          event_types,
          listener_id,
          of: person ? ('people' as const) : ('keys' as const),
          profiles: roleHoldsFor(who),
          isAuthorized,
        }
        const stream = streamEvents(context, merchant, service.services.publicUrl, ask, call.gone())
        return { stream, type: 'text/event-stream; charset=utf-8' }
      },
    }),
    endpoint('GET /events/{event_id}', 'retrieveEvent', {
      title: 'Retrieve an event',
      description: 'Retrieves an event with its payload, its webhook endpoints and every delivery attempt.',
      auth: { credential: 'secret', permission: 'logs:read', scope: 'profile' },
      answers: eventDetailAnswer,
      json: ({ service, context, merchant, path }) => retrieveEvent(context, merchant, service.services.publicUrl, path.event_id),
    }),
    endpoint('POST /events/{merchant_id}', 'searchEvents', {
      title: 'Search events',
      description: 'Lists the merchant’s events of the last 90 days, newest first.',
      auth: { credential: 'secret or admin', permission: 'logs:read', scope: 'profile' },
      ...ofSearch,
    }),
    endpoint('POST /events/profile/list', 'searchOwnEvents', {
      title: 'Search events of a profile',
      description: 'Same as above, for the merchant of the API key and the business profile in the X-Profile-Id header.',
      auth: { credential: 'secret', permission: 'logs:read', scope: 'profile' },
      ...ofSearch,
      errors: ['not_found'],
      choosesProfile: true,
    }),
    endpoint('GET /events/{merchant_id}/{event_id}/attempts', 'listEventAttempts', {
      title: 'List the delivery attempts of an event',
      description: 'Lists every delivery attempt of an event, oldest first, with the request and the response.',
      auth: { credential: 'secret or admin', permission: 'logs:read', scope: 'profile' },
      answers: Type.Array(attemptAnswer),
      json: ({ context, merchant, path }) => listAttempts(context, merchant.merchant_id, path.event_id),
    }),
    endpoint('POST /events/{merchant_id}/{event_id}/retry', 'retryEvent', {
      title: 'Redeliver an event',
      description:
        'Redelivers an event immediately with its original payload, to every endpoint that has not received it, or to all endpoints if all have, and to every event listener, and returns the response. Without an endpoint, waits up to ten seconds for a listener’s.',
      auth: { credential: 'secret or admin', permission: 'webhooks:replay', scope: 'profile' },
      answers: attemptAnswer,
      json: ({ service, context, merchant, path }) => resendEvent(context, service.settings, merchant.merchant_id, path.event_id),
    }),
  ],
)
