import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { deliveryStatuses, MOST_COUNTED } from '../../events/endpoint-deliveries.ts'
import { count, flag, listSchema, schema, text, texts, time, times } from '../answer-shapes.ts'

const members = {
  endpoint_id: text,
  merchant_id: text,
  profile_id: text,
  url: text,
  ...texts('description'),
  event_types: Type.Union([Type.Array(text), Type.Null()], { description: 'null: all' }),
  enabled: flag,
  needs_review: Type.Boolean({
    description:
      'Whether the endpoint is older than the rule that its maker must have `customers:personal`, and nobody has confirmed it since: send its `url` to confirm it, or delete it',
  }),
  of_profile: Type.Boolean({ description: 'Whether the endpoint comes from the webhook_details of its business profile' }),
  ...times('failing_since disabled_at'),
  ...texts('disabled_reason'),
  created: time,
  modified_at: time,
}
export const endpointAnswer = schema('WebhookEndpoint', members)
export const newEndpointAnswer = schema('NewWebhookEndpoint', {
  ...members,
  secret: Type.String({ description: 'Signing secret of the endpoint (Standard Webhooks); returned only here' }),
})
export const endpointsAnswer = listSchema('WebhookEndpoints', endpointAnswer)
export const deletedEndpointAnswer = schema('DeletedWebhookEndpoint', { merchant_id: text, endpoint_id: text, deleted: flag })

const deliveryAnswer = schema('Delivery', {
  event_id: text,
  ...texts('event_type'),
  type: Type.Union([text, Type.Null()], { description: 'Name of the event type with a dot' }),
  ...texts('object_id'),
  status: Type.Enum([...deliveryStatuses], {
    description: '`dead`: given up after the last attempt, or because the endpoint was disabled',
  }),
  tries: count,
  most_tries: count,
  ...times('next_try_at'),
  last: orNull(
    schema('LastAttempt', '`error`: why there was no response', {
      attempt_id: text,
      status_code: orNull(count),
      ...texts('error'),
      latency_ms: count,
      at: time,
    }),
  ),
  created: time,
  ...times('ended_at'),
})
export const deliveriesAnswer = listSchema('Deliveries', deliveryAnswer)

export const endpointHealthAnswer = schema('WebhookEndpointHealth', {
  endpoint_id: text,
  window: text,
  since: Type.String({ format: 'date-time', description: 'The beginning of the window' }),
  tried: Type.Integer({ minimum: 0, description: 'Attempts in the window; those of `POST /events/…/retry` and tests are not counted' }),
  delivered: Type.Integer({ minimum: 0, description: 'Attempts that the endpoint accepted' }),
  unanswered: Type.Integer({ minimum: 0, description: 'Attempts without a response' }),
  p50_ms: orNull(count),
  p95_ms: orNull(count),
  waiting: Type.Integer({ minimum: 0, description: `Events that wait for it now; ${MOST_COUNTED} means that many or more` }),
  dead: Type.Integer({ minimum: 0, description: `Events of the window that were given up; ${MOST_COUNTED} means that many or more` }),
})

export const replayAnswer = schema('Replay', {
  endpoint_id: text,
  queued: Type.Integer({ minimum: 0, description: 'Events that are sent again; with `dry_run`, that would be' }),
})

const pairs = Type.Array(Type.Array(text))
/** The members of an event in every answer about the event or a delivery attempt. */
export const triedEvent = {
  event_id: text,
  merchant_id: text,
  profile_id: orNull(text),
  object_id: text,
  event_type: text,
  initial_attempt_id: text,
  processor_merchant_id: text,
  created: time,
}
/** A delivery attempt as existing clients read it (contract 6.9), with further members of this service. */
export const attemptAnswer = schema('EventDelivery', {
  ...triedEvent,
  event_id: Type.String({ description: 'Id of the attempt; the first has the id of the event' }),
  event_class: text,
  is_delivery_successful: Type.Boolean({ description: 'Whether the attempt was successful' }),
  endpoint_id: text,
  url: text,
  latency_ms: count,
  request: Type.Object({ body: text, headers: pairs }),
  response: Type.Object({ body: orNull(text), headers: orNull(pairs), status_code: orNull(count), error_message: orNull(text) }),
  delivery_attempt: Type.Enum(['initial_attempt', 'automatic_retry', 'manual_retry']),
  listener: orNull(
    schema(
      'AttemptListener',
      'The event listener that passed the event on and reported this attempt; null: an endpoint. `endpoint_id` is its id too',
      { listener_id: text, name: text, machine: text },
    ),
  ),
})
