import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { count, flag, text, texts, time, times } from '../answer-shapes.ts'

const members = {
  endpoint_id: text,
  merchant_id: text,
  profile_id: text,
  url: text,
  ...texts('description'),
  event_types: Type.Union([Type.Array(text), Type.Null()], { description: 'null: all' }),
  enabled: flag,
  of_profile: Type.Boolean({ description: 'Whether the endpoint comes from the webhook_details of its business profile' }),
  ...times('failing_since disabled_at'),
  ...texts('disabled_reason'),
  created: time,
  modified_at: time,
}
export const endpointAnswer = Type.Object(members, { title: 'WebhookEndpoint' })
export const newEndpointAnswer = Type.Object(
  { ...members, secret: Type.String({ description: 'Signing secret of the endpoint (Standard Webhooks); returned only here' }) },
  { title: 'NewWebhookEndpoint' },
)
export const endpointsAnswer = Type.Object({ size: count, data: Type.Array(endpointAnswer) }, { title: 'WebhookEndpoints' })
export const deletedEndpointAnswer = Type.Object(
  { merchant_id: text, endpoint_id: text, deleted: flag },
  { title: 'DeletedWebhookEndpoint' },
)

export const replayAnswer = Type.Object({ endpoint_id: text, queued: count }, { title: 'Replay' })

const pairs = Type.Array(Type.Array(text))
/** What every answer about an event, or a try of it, says of the event. */
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
/** One try of an event, as existing clients read it (contract 6.9), with what they do not know yet. */
export const attemptAnswer = Type.Object(
  {
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
  },
  { title: 'EventDelivery' },
)
