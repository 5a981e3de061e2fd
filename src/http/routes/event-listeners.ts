import Type from 'typebox'
import { closed } from '../../base/shapes.ts'
import { ACTIVE_FOR_MS, findListeners, listenerShape, registerListener, removeListener, showListener } from '../../events/listener.ts'
import { reportAttempts, reportShape } from '../../events/listener-report.ts'
import { count, flag, sized, text, time } from '../answer-shapes.ts'
import { endpoint, tagged } from '../endpoint.ts'

const listenerAnswer = Type.Object(
  {
    listener_id: text,
    name: text,
    machine: text,
    forward_to: text,
    event_types: Type.Union([Type.Array(text), Type.Null()], { description: 'null: all' }),
    created: time,
    expires_at: Type.String({ format: 'date-time', description: 'Expiry, unless the listener sends a request before' }),
  },
  { title: 'EventListener' },
)
const listenersAnswer = Type.Object({ size: count, data: Type.Array(listenerAnswer) }, { title: 'EventListeners' })
const endedAnswer = Type.Object({ listener_id: text, deleted: flag }, { title: 'DeletedEventListener' })

export const eventListenerRoutes = tagged(
  'Event listeners',
  `Programs on developers’ machines, such as \`switchyard listen\`, that read the event stream and pass events on to a server that the service cannot call. Events that are sent again reach them over their stream, and what they were answered is listed among the attempts of the event. A listener is no endpoint: its failures change no delivery and no endpoint’s health. It ends ${ACTIVE_FOR_MS / 1000} seconds after it was last heard of: by its stream being opened, or by a report.`,
  { confidential: 'personal data', sdk: ['eventListeners', 'EventListener'], platforms: 'for itself too' },
  [
    endpoint({
      route: 'POST /event_listeners',
      name: 'createEventListener',
      title: 'Register an event listener',
      description: 'Registers a listener; its stream is `GET /events/stream` with its `listener_id`. Test mode only.',
      auth: { credential: 'secret', permission: 'webhooks:replay', scope: 'merchant' },
      body: listenerShape,
      answers: listenerAnswer,
      errors: ['precondition', 'unacceptable'],
      example: {
        summary: 'A developer’s machine',
        value: { name: 'ada', machine: 'adas-laptop', forward_to: 'http://localhost:3000/webhooks' },
      },
      run: async ({ service, context, merchant, body }) => ({
        json: showListener(await registerListener(context, service.mode, merchant.merchant_id, body)),
      }),
    }),
    endpoint({
      route: 'GET /event_listeners',
      name: 'listEventListeners',
      title: 'List event listeners',
      description: 'Lists the listeners that are there now, the oldest first.',
      auth: { credential: 'secret', permission: 'webhooks:read', scope: 'profile' },
      query: Type.Object({}, closed),
      answers: listenersAnswer,
      run: async ({ context, merchant }) => ({
        json: sized((await findListeners(context, merchant.merchant_id)).map(showListener)),
      }),
    }),
    endpoint({
      route: 'POST /event_listeners/{listener_id}/attempts',
      name: 'reportListenerAttempts',
      sdk: 'eventListeners.report',
      title: 'Report what a listener was answered',
      description:
        'Lists attempts of a listener among those of their events, each once, however often it is reported; and keeps the listener registered. Attempts of events that were sent again carry their `delivery_id`.',
      auth: { credential: 'secret', permission: 'webhooks:replay', scope: 'merchant' },
      body: reportShape,
      answers: listenerAnswer,
      errors: ['not_found', 'unacceptable'],
      example: { summary: 'The listener is there', value: { attempts: [] } },
      run: async ({ context, merchant, path, body }) => ({
        json: showListener(await reportAttempts(context, merchant.merchant_id, path.listener_id, body)),
      }),
    }),
    endpoint({
      route: 'DELETE /event_listeners/{listener_id}',
      name: 'deleteEventListener',
      title: 'End an event listener',
      description: 'Ends a listener: nothing is sent again to it.',
      auth: { credential: 'secret', permission: 'webhooks:replay', scope: 'merchant' },
      answers: endedAnswer,
      errors: ['not_found'],
      run: async ({ context, merchant, path: { listener_id } }) => {
        await removeListener(context, merchant.merchant_id, listener_id)
        return { json: { listener_id, deleted: true } }
      },
    }),
  ],
)
