import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { classes } from '../../events/catalogue.ts'
import { count, listSchema, open, schema, text, time, times } from '../answer-shapes.ts'
import { attemptAnswer, triedEvent } from './webhook-endpoints-answers.ts'

const eventType = Type.Union([text, Type.Null()], {
  description: 'Event type sent to the merchant; null for steps that are only recorded',
})
const delivered = Type.Union([Type.Boolean(), Type.Null()], {
  description: 'Whether all subscribed endpoints have received it; null: none is subscribed',
})

const eventAnswer = schema('Event', {
  event_id: text,
  merchant_id: text,
  object_id: text,
  event_type: eventType,
  type: Type.String({ description: 'What happened' }),
  version: Type.Integer({ description: 'Number of the change of the payment' }),
  sequence: Type.Union([Type.Integer(), Type.Null()], { description: 'Number of the event sent to the merchant' }),
  by: Type.Union([text, Type.Null()], {
    description:
      'Origin of the change: secret_key and its id, client, customer, webhook and its connector account, or alarm (a scheduled job); null if it was not recorded',
  }),
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
export const eventListAnswer = schema('EventList', {
  events: Type.Array(Type.Object({ ...listed, initial_attempt_id, processor_merchant_id })),
  total_count: count,
})
export const eventDetailAnswer = schema('EventDetail', {
  ...listed,
  type: Type.String({ description: 'Name of the event type with a dot' }),
  version: count,
  sequence: orNull(count),
  body: Type.Union([open, Type.Null()], { description: 'Payload of the webhook: the object at the time of the event' }),
  deliveries: Type.Array(
    Type.Object({ endpoint_id: text, status: Type.Enum(['pending', 'delivered', 'dead']), tries: count, ...times('ended_at') }),
  ),
  attempts: Type.Array(attemptAnswer),
})
