import Type from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { listEvents, MOST_EVENTS } from '../../events/list.ts'
import { renewListener } from '../../events/listener.ts'
import { listAttempts, resendEvent } from '../../events/resend.ts'
import { listItem, retrieveEvent, searchEvents } from '../../events/search.ts'
import { streamEvents } from '../../events/stream.ts'
import { tokenIn } from '../../users/sessions.ts'
import { isHolder } from '../credentials.ts'
import { type EndpointCall, endpoint, tagged } from '../endpoint.ts'
import { roleHoldsFor } from '../profile-header.ts'
import { stillMay } from '../session.ts'
import { eventDetailAnswer, eventListAnswer, eventsAnswer } from './events-answers.ts'
import { attemptAnswer } from './webhook-endpoints-answers.ts'

const id = (description?: string) => Type.Optional(Type.String({ maxLength: 512, ...(description && { description }) }))
const names = Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100 }))
const time = Type.Optional(Type.String({ format: 'date-time' }))
const flag = Type.Optional(Type.Boolean())
const whole = Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }))

const eventsQuery = Type.Object(
  {
    object_id: id(
      'A payment_id or refund_id: lists every change of that payment, oldest first. Without it, lists the merchant’s events, newest first',
    ),
    profile_id: id(),
    event_classes: names,
    event_types: names,
    is_delivered: flag,
    created_after: time,
    created_before: time,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_EVENTS, description: `Default ${MOST_EVENTS}` })),
    offset: whole,
    after_version: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: 'With an object_id, changes after this one: the version of the last event of the previous page',
      }),
    ),
  },
  { additionalProperties: false },
)

/** The search of events (contract 6.9). */
const searchShape = Type.Object(
  {
    object_id: id('For a payment, also lists the changes of its refunds'),
    event_id: id(),
    profile_id: id(),
    event_classes: names,
    event_types: names,
    is_delivered: flag,
    created_after: time,
    created_before: time,
    limit: Type.Optional(Type.Integer({ minimum: 1, description: 'At most 100 (default)' })),
    offset: whole,
  },
  { additionalProperties: false },
)
type SearchAsk = Type.Static<typeof searchShape>

/** The filters that cannot be combined with an object, because a search by object lists the object's whole history. */
const searches = ['profile_id', 'event_classes', 'event_types', 'is_delivered', 'created_after', 'created_before', 'offset'] as const

/** Returns the requested profiles among those that the caller may see; null: all. */
function profilesAsked({ who }: Pick<EndpointCall, 'who'>, profile_id: string | undefined): readonly string[] | null {
  const may = roleHoldsFor(who)
  return profile_id === undefined ? may : [profile_id].filter(id => may?.includes(id) ?? true)
}

async function found({ context, who }: Pick<EndpointCall, 'context' | 'who'>, merchant_id: string, { profile_id, ...ask }: SearchAsk) {
  const { rows, total } = await searchEvents(context, merchant_id, { ...ask, profiles: profilesAsked({ who }, profile_id) })
  return { json: { events: rows.map(listItem), total_count: total } }
}

const example = { summary: 'Events that were not delivered', value: { is_delivered: false, limit: 20 } }

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
        const data = rows.map(({ kind: _kind, head_id: _head, body: _body, is_delivered, ...row }) => ({
          ...row,
          is_delivery_successful: is_delivered,
        }))
        return { size: data.length, data }
      },
    }),
    endpoint('GET /events/stream', 'streamEvents', {
      title: 'Stream events',
      description:
        'Streams the merchant’s events as Server-Sent Events, each with the body of its webhook, from now on or from the event in the `Last-Event-ID` header. Delivery is at least once: after a reconnect, the events of the previous 30 seconds are sent again with the same ids. The stream ends within a second when its key is revoked or expires.',
      auth: { credential: 'secret', permission: 'logs:read', scope: 'profile' },
      query: Type.Object(
        {
          event_types: names,
          listener_id: id(
            'Also streams what is sent again to this event listener, as messages `event_redelivery` without an id, each with `delivery_id`, `event_id` and `body`, and keeps the listener registered',
          ),
        },
        { additionalProperties: false },
      ),
      answers: 'stream',
      errors: ['invalid_value', 'unacceptable', 'not_found'],
      run: async call => {
        const { service, context, merchant, query, headers, who } = call
        const last = headers['last-event-id']
        const person = who.is === 'secret' ? who.user : undefined
        const token = tokenIn(headers.cookie as string | undefined)
        const isAuthorized = () =>
          person && token
            ? stillMay(service, person, token, 'logs:read')
            : isHolder(service.settings, String(headers['api-key']), merchant.merchant_id, context.now())
        const of = person ? ('people' as const) : ('keys' as const)
        const ask = {
          last: typeof last === 'string' ? last : undefined,
          event_types: query.event_types,
          listener_id:
            query.listener_id === undefined ? null : (await renewListener(context, merchant.merchant_id, query.listener_id)).listener_id,
          of,
          profiles: roleHoldsFor(who),
          isAuthorized,
        }
        return {
          stream: streamEvents(context, merchant, service.services.publicUrl, ask, call.gone()),
          type: 'text/event-stream; charset=utf-8',
        }
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
      reads: true,
      description: 'Lists the merchant’s events of the last 90 days, newest first.',
      auth: { credential: 'secret or admin', permission: 'logs:read', scope: 'profile' },
      body: searchShape,
      answers: eventListAnswer,
      example,
      run: call => found(call, call.merchant.merchant_id, call.body),
    }),
    endpoint('POST /events/profile/list', 'searchOwnEvents', {
      title: 'Search events of a profile',
      reads: true,
      description: 'Same as above, for the merchant of the API key and the business profile in the X-Profile-Id header.',
      auth: { credential: 'secret', permission: 'logs:read', scope: 'profile' },
      body: searchShape,
      answers: eventListAnswer,
      errors: ['not_found'],
      example,
      choosesProfile: true,
      run: call => found(call, call.merchant.merchant_id, call.body),
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
