import Type from 'typebox'
import { orNull, strictObject } from '../../base/shapes.ts'
import { ACTIVE_FOR_MS, findListeners, listenerShape, registerListener, removeListener, showListener } from '../../events/listener.ts'
import { reportAttempts, reportShape } from '../../events/listener-report.ts'
import { flag, listSchema, schema, sized, text, time } from '../answer-shapes.ts'
import { endpoint, tagged } from '../endpoint.ts'

const listenerAnswer = schema('EventListener', {
  listener_id: text,
  name: text,
  machine: text,
  forward_to: text,
  event_types: orNull(Type.Array(text), 'null: all'),
  created: time,
  expires_at: Type.String({ format: 'date-time', description: 'Expiry, unless the listener sends a request before' }),
})

export const eventListenerRoutes = tagged(
  'Event listeners',
  `Programs on developers’ machines, such as \`switchyard listen\`, that read the event stream and pass events on to a server that the service cannot call. Events that are sent again reach them over their stream, and what they were answered is listed among the attempts of the event. A listener is no endpoint: its failures change no delivery and no endpoint’s health. It ends ${ACTIVE_FOR_MS / 1000} seconds after it was last heard of: by its stream being opened, or by a report.`,
  { confidential: 'personal data', sdk: ['eventListeners', 'EventListener'], platforms: 'for itself too' },
  [
    endpoint('POST /event_listeners', 'createEventListener', {
      title: 'Register an event listener',
      description: 'Registers a listener; its stream is `GET /events/stream` with its `listener_id`. Test mode only.',
      auth: { credential: 'secret', permission: 'webhooks:replay', scope: 'merchant' },
      body: listenerShape,
      answers: listenerAnswer,
      example: {
        summary: 'A developer’s machine',
        value: { name: 'ada', machine: 'adas-laptop', forward_to: 'http://localhost:3000/webhooks' },
      },
      json: async ({ service, context, merchant, body }) =>
        showListener(await registerListener(context, service.mode, merchant.merchant_id, body)),
    }),
    endpoint('GET /event_listeners', 'listEventListeners', {
      title: 'List event listeners',
      description: 'Lists the listeners that are there now, the oldest first.',
      auth: { credential: 'secret', permission: 'webhooks:read', scope: 'profile' },
      query: strictObject({}),
      answers: listSchema('EventListeners', listenerAnswer),
      json: async ({ context, merchant }) => sized((await findListeners(context, merchant.merchant_id)).map(showListener)),
    }),
    endpoint('POST /event_listeners/{listener_id}/attempts', 'reportListenerAttempts', {
      sdk: 'eventListeners.report',
      title: 'Report what a listener was answered',
      description:
        'Lists attempts of a listener among those of their events, each once, however often it is reported; and keeps the listener registered. Attempts of events that were sent again carry their `delivery_id`.',
      auth: { credential: 'secret', permission: 'webhooks:replay', scope: 'merchant' },
      body: reportShape,
      answers: listenerAnswer,
      example: { summary: 'The listener is there', value: { attempts: [] } },
      json: async ({ context, merchant, path, body }) =>
        showListener(await reportAttempts(context, merchant.merchant_id, path.listener_id, body)),
    }),
    endpoint('DELETE /event_listeners/{listener_id}', 'deleteEventListener', {
      title: 'End an event listener',
      description: 'Ends a listener: nothing is sent again to it.',
      auth: { credential: 'secret', permission: 'webhooks:replay', scope: 'merchant' },
      answers: schema('DeletedEventListener', { listener_id: text, deleted: flag }),
      json: async ({ context, merchant, path: { listener_id } }) => {
        await removeListener(context, merchant.merchant_id, listener_id)
        return { listener_id, deleted: true }
      },
    }),
  ],
)
