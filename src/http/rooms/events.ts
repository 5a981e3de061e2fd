import Type from 'typebox'
import { listEvents, MOST_EVENTS } from '../../events/list.ts'
import { endpoint, room } from '../endpoint.ts'
import { eventsAnswer } from './events-answers.ts'

const eventsQuery = Type.Object(
  {
    object_id: Type.String({ description: 'A payment_id or refund_id' }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_EVENTS, description: `Default ${MOST_EVENTS}` })),
    after_version: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: 'Only later ones: the version of the last event of the page before',
      }),
    ),
  },
  { additionalProperties: false },
)

export const events = room(
  'Events',
  'What happened to a payment, step by step and without gaps: what its columns were, and what they became.',
  [
    endpoint({
      method: 'GET',
      path: '/events',
      name: 'listEvents',
      title: 'List events',
      does: 'Lists what happened to a payment, oldest first.',
      takes: 'secret',
      query: eventsQuery,
      answers: eventsAnswer,
      refuses: ['not_found'],
      run: async ({ world, merchant, query: { object_id, after_version = 0, limit = MOST_EVENTS } }) => ({
        json: await listEvents(world, merchant.merchant_id, object_id, after_version, limit),
      }),
    }),
  ],
)
