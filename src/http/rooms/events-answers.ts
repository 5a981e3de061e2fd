import Type from 'typebox'
import { count, text, time } from '../answer-shapes.ts'

export const eventAnswer = Type.Object(
  {
    event_id: text,
    merchant_id: text,
    object_id: text,
    event_type: Type.Union([text, Type.Null()], {
      description: 'Under which name the merchant hears of it; null for steps that are only kept',
    }),
    type: Type.String({ description: 'What happened' }),
    version: Type.Integer({ description: 'Counts every change of the payment' }),
    sequence: Type.Union([Type.Integer(), Type.Null()], { description: 'Counts the changes that the merchant hears of' }),
    by: Type.Union([text, Type.Null()], {
      description:
        'Who did it: secret_key and its id, client, customer, webhook and its connector account, or alarm; null where that was not written down yet',
    }),
    was: Type.Object({}, { additionalProperties: true, description: 'The changed columns as they were' }),
    set: Type.Object({}, { additionalProperties: true, description: 'The changed columns as they became' }),
    created: time,
  },
  { title: 'Event' },
)

export const eventsAnswer = Type.Object({ size: count, data: Type.Array(eventAnswer) }, { title: 'Events' })
