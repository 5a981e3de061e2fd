import Type from 'typebox'
import { findWebhookEndpoints } from '../../accounts/webhook-endpoint.ts'
import {
  createEndpoint,
  deleteEndpoint,
  needEndpoint,
  rotateSecret,
  rotationShape,
  showEndpoint,
  updateEndpoint,
  webhookEndpointShape,
  webhookEndpointUpdateShape,
} from '../../accounts/webhook-endpoints.ts'
import { isEventType } from '../../base/event-types.ts'
import { boundedText, orNull, strictObject } from '../../base/shapes.ts'
import { countDeliveries, deliveriesQuery, deliveryStatuses, listDeliveries, MOST_COUNTED } from '../../events/endpoint-deliveries.ts'
import { replay } from '../../events/replay.ts'
import { sendTest } from '../../events/resend.ts'
import { reportDeliveries } from '../../telemetry/account-report.ts'
import { count, flag, listSchema, schema, sized, text, texts, time, times } from '../answer-shapes.ts'
import { endpoint, tagged } from '../endpoint.ts'
import { afterWrite } from './accounts.ts'
import { windowShape } from './connectors.ts'

const members = {
  endpoint_id: text,
  merchant_id: text,
  profile_id: text,
  url: text,
  ...texts('description'),
  event_types: orNull(Type.Array(text), 'null: all'),
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
const endpointAnswer = schema('WebhookEndpoint', members)
const newEndpointAnswer = schema('NewWebhookEndpoint', {
  ...members,
  secret: Type.String({ description: 'Signing secret of the endpoint (Standard Webhooks); returned only here' }),
})

const deliveryAnswer = schema('Delivery', {
  event_id: text,
  ...texts('event_type'),
  type: orNull(text, 'Name of the event type with a dot'),
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

const endpointHealthAnswer = schema('WebhookEndpointHealth', {
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

const replayAnswer = schema('Replay', {
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

const path = '/webhook_endpoints/{endpoint_id}'

const replayShape = strictObject({
  created_after: time,
  created_before: Type.Optional(time),
  only_failed: Type.Optional(Type.Boolean()),
  dry_run: Type.Optional(Type.Boolean({ description: 'true: the events are only counted; nothing is sent' })),
})

export const webhookEndpointRoutes = tagged(
  'Webhook endpoints',
  'Endpoints that receive a merchant’s events: several per business profile, each with its own secret and event types. The `webhook_details` of a profile are one of them. Deliveries are signed as specified by [Standard Webhooks](https://www.standardwebhooks.com), and with `x-webhook-signature-512` for existing clients. Deliveries without a 2xx response are retried ten times over three days; the events of one payment arrive in their order.',
  { confidential: 'personal data', sdk: ['webhookEndpoints', 'WebhookEndpoint'], platforms: 'for itself too' },
  [
    endpoint('POST /webhook_endpoints', 'createWebhookEndpoint', {
      title: 'Create a webhook endpoint',
      description:
        'Creates a webhook endpoint for a business profile. Its secret is returned only in this response. Requires `customers:personal`, too, because the endpoint receives the personal data of customers.',
      auth: { credential: 'secret', permission: 'webhooks:write', scope: 'profile' },
      webhookAddress: body => body.url,
      body: webhookEndpointShape,
      answers: newEndpointAnswer,
      errors: ['not_found'],
      choosesProfile: true,
      example: {
        summary: 'All refund events',
        value: { url: 'https://shop.example/hooks', event_types: ['refund.succeeded', 'refund.failed'] },
      },
      json: ({ service, context, merchant, body }) => afterWrite(service, createEndpoint(context, merchant, body, isEventType)),
    }),
    endpoint('GET /webhook_endpoints', 'listWebhookEndpoints', {
      title: 'List webhook endpoints',
      description: 'Lists the webhook endpoints of all business profiles; those from webhook_details come first.',
      auth: { credential: 'secret', permission: 'webhooks:read', scope: 'profile' },
      query: strictObject({ profile_id: Type.Optional(boundedText(64)) }),
      answers: listSchema('WebhookEndpoints', endpointAnswer),
      json: async ({ context, merchant, query: { profile_id } }) => {
        const all = await findWebhookEndpoints(context, merchant)
        return sized(all.filter(one => profile_id === undefined || one.profile_id === profile_id).map(one => showEndpoint(one)))
      },
    }),
    endpoint(`GET ${path}`, 'retrieveWebhookEndpoint', {
      title: 'Retrieve a webhook endpoint',
      description: 'Retrieves a webhook endpoint with its delivery status.',
      auth: { credential: 'secret', permission: 'webhooks:read', scope: 'profile' },
      answers: endpointAnswer,
      json: async ({ context, merchant, path: { endpoint_id } }) => showEndpoint(await needEndpoint(context, merchant, endpoint_id)),
    }),
    endpoint(`POST ${path}`, 'updateWebhookEndpoint', {
      title: 'Update a webhook endpoint',
      description:
        'Updates a webhook endpoint. Fields that are not sent are unchanged. `url` requires `customers:personal`, too, and confirms an endpoint that needs a review. `enabled: true` also re-enables an endpoint that was disabled after failed deliveries.',
      auth: { credential: 'secret', permission: 'webhooks:write', scope: 'profile' },
      webhookAddress: body => body.url,
      body: webhookEndpointUpdateShape,
      answers: endpointAnswer,
      example: { summary: 'Enables the endpoint again', value: { enabled: true } },
      json: ({ service, context, merchant, path: { endpoint_id }, body }) =>
        afterWrite(service, updateEndpoint(context, merchant, endpoint_id, body, isEventType)),
    }),
    endpoint(`DELETE ${path}`, 'deleteWebhookEndpoint', {
      title: 'Delete a webhook endpoint',
      description: 'Deletes a webhook endpoint; no further events are sent to it.',
      auth: { credential: 'secret', permission: 'webhooks:write', scope: 'profile' },
      answers: schema('DeletedWebhookEndpoint', { merchant_id: text, endpoint_id: text, deleted: flag }),
      json: ({ service, context, merchant, path: { endpoint_id } }) => afterWrite(service, deleteEndpoint(context, merchant, endpoint_id)),
    }),
    endpoint(`GET ${path}/deliveries`, 'listDeliveries', {
      title: 'List the deliveries to a webhook endpoint',
      description:
        'Lists the events that were sent to an endpoint, or are waiting for it, newest first, each with its last attempt. `next_try_at` is null for an event that waits for an earlier one of the same object.',
      auth: { credential: 'secret', permission: 'webhooks:read', scope: 'profile' },
      query: deliveriesQuery,
      answers: listSchema('Deliveries', deliveryAnswer),
      json: async ({ context, merchant, path: { endpoint_id }, query }) => {
        await needEndpoint(context, merchant, endpoint_id)
        return sized(await listDeliveries(context, merchant.merchant_id, endpoint_id, query))
      },
    }),
    endpoint(`GET ${path}/health`, 'retrieveWebhookEndpointHealth', {
      title: 'Retrieve the health of a webhook endpoint',
      description:
        'Retrieves how an endpoint has been doing in the last hour, day or week: attempts, how many it accepted, its response times, and the events that wait for it now. All processes of the service are counted; other processes report every ten seconds.',
      auth: { credential: 'secret', permission: 'webhooks:read', scope: 'profile' },
      query: strictObject({ window: windowShape }),
      answers: endpointHealthAnswer,
      json: async ({ service, context, merchant, path: { endpoint_id }, query: { window = '1h' } }) => {
        const { merchant_id } = merchant
        await needEndpoint(context, merchant, endpoint_id)
        await service.watch.accounts.write()
        const report = await reportDeliveries(context, merchant_id, endpoint_id, window)
        return { endpoint_id, ...report, ...(await countDeliveries(context, merchant_id, endpoint_id, report.since)) }
      },
    }),
    endpoint(`POST ${path}/rotate_secret`, 'rotateWebhookSecret', {
      sdk: 'webhookEndpoints.rotateSecret',
      title: 'Rotate the secret of a webhook endpoint',
      description:
        'Rotates an endpoint’s secret. The new secret is returned only in this response. The previous secret keeps signing for one day, or for the time in the request.',
      auth: { credential: 'secret', permission: 'webhooks:write', scope: 'profile' },
      body: rotationShape,
      answers: newEndpointAnswer,
      example: { summary: 'The previous secret signs for another hour', value: { old_expires_in: 3600 } },
      json: ({ service, context, merchant, path: { endpoint_id }, body }) =>
        afterWrite(service, rotateSecret(context, merchant, endpoint_id, body.old_expires_in)),
    }),
    endpoint(`POST ${path}/replay`, 'replayEvents', {
      sdk: 'webhookEndpoints.replay',
      title: 'Redeliver events of a time range',
      description:
        'Redelivers to an endpoint the events of a time range that it is subscribed to, or only those that were never delivered: at most 5,000, in order, each with the original payload. After 90 days it is read from the archive of the deployment (ARCHIVE_BUCKET); without an archive, and once a customer was deleted, it is written anew from the history.',
      auth: { credential: 'secret', permission: 'webhooks:replay', scope: 'profile' },
      body: replayShape,
      answers: replayAnswer,
      example: { summary: 'Events that were not delivered', value: { created_after: '2026-03-01T00:00:00Z', only_failed: true } },
      json: async ({ service, context, merchant, path: { endpoint_id }, body }) =>
        replay(context, merchant, service.services.publicUrl, await needEndpoint(context, merchant, endpoint_id), body),
    }),
    endpoint(`POST ${path}/test`, 'testWebhookEndpoint', {
      title: 'Send a test event',
      description: 'Sends an event of type webhook_test to the endpoint, once, and returns its response.',
      auth: { credential: 'secret', permission: 'webhooks:replay', scope: 'profile' },
      body: strictObject({}),
      answers: attemptAnswer,
      example: { summary: 'Tests the endpoint', value: {} },
      json: ({ service, context, merchant, path: { endpoint_id } }) => sendTest(context, service.settings, merchant, endpoint_id),
    }),
  ],
)
