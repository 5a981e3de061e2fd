import type { TSchema } from 'typebox'
import { classes, type EventClass, eventCatalogue } from '../../src/base/event-types.ts'
import { endpoints } from '../../src/http/endpoints.ts'
import type { Schema } from './schemas.ts'

/**
 * The requests that merchants' endpoints receive, as the OpenAPI document describes them (`webhooks` of OpenAPI 3.1):
 * an entry for each event type; all event types of a class share one body.
 */

type Header = { name: string; in: 'header'; required: boolean; description: string; schema: Schema }
export type Webhook = {
  post: {
    operationId: string
    summary: string
    description: string
    tags: string[]
    security: never[]
    parameters: { $ref: string }[]
    requestBody: { required: true; content: { 'application/json': { schema: Schema } } }
    responses: Record<string, { description: string }>
  }
}

/**
 * The operation whose answer is the content of a class of events. Events about a webhook endpoint have a few members
 * of their own.
 */
const shownBy: Record<Exclude<EventClass, 'webhooks'>, string> = {
  payments: 'retrievePayment',
  refunds: 'retrieveRefund',
  payouts: 'retrievePayout',
  disputes: 'retrieveDispute',
  mandates: 'retrieveMandate',
}

const header = (name: string, required: boolean, description: string): Header => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
})

/** The headers of every webhook, with the secret that signs each signature. */
export const webhookHeaders: Readonly<Record<string, Header>> = {
  WebhookId: header('webhook-id', true, 'The event_id, the same for all delivery attempts: use it to detect duplicates.'),
  WebhookTimestamp: header(
    'webhook-timestamp',
    true,
    'Time of this delivery attempt, in seconds since 1970. Refuse requests older than five minutes.',
  ),
  WebhookSignature: header(
    'webhook-signature',
    false,
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, computed with the endpoint\u2019s own `secret` (`whsec_\u2026`). For the endpoint from a profile\u2019s `webhook_details`, the secret is `whsec_` and the base64 of the profile\u2019s `payment_response_hash_key`. During a secret rotation there are two signatures, separated by a space.',
  ),
  WebhookSignature512: header(
    'x-webhook-signature-512',
    false,
    'For existing clients: the hex HMAC-SHA512 of the body, computed with the `payment_response_hash_key` of the endpoint\u2019s business profile, as text.',
  ),
}

const text: Schema = { type: 'string' }
const time: Schema = { type: 'string', format: 'date-time' }
const orNull = (schema: Schema): Schema => ({ ...schema, type: [schema.type as string, 'null'] })

const endpointState: Schema = {
  type: 'object',
  required: ['endpoint_id', 'url', 'failing_since', 'disabled_at', 'disabled_reason'],
  properties: { endpoint_id: text, url: text, failing_since: orNull(time), disabled_at: orNull(time), disabled_reason: orNull(text) },
}

const titleOf = (of: EventClass): string => `Webhook${of[0]!.toUpperCase()}${of.slice(1)}`

/** Returns the body of a class of events. `read`: turns the schema of an answer into the document's schema. */
function bodyOf(of: EventClass, read: (schema: TSchema) => Schema): Schema {
  const types = Object.entries(eventCatalogue).filter(([, one]) => one.of === of)
  const { answers } = of === 'webhooks' ? {} : endpoints.find(({ name }) => name === shownBy[of])!
  return {
    title: titleOf(of),
    type: 'object',
    required: ['merchant_id', 'event_id', 'event_type', 'type', 'sequence', 'content', 'timestamp', 'processor_merchant_id'],
    properties: {
      merchant_id: text,
      event_id: text,
      event_type: { type: 'string', enum: types.map(([name]) => name) },
      type: { type: 'string', enum: types.map(([, { dotted }]) => dotted), description: 'The same, under its Standard Webhooks name' },
      sequence: { type: ['integer', 'null'], description: 'Sequence number of the object’s events: a lower number is an older event' },
      content: {
        type: 'object',
        required: ['type', 'object'],
        properties: { type: { const: classes[of] }, object: answers ? read(answers as TSchema) : endpointState },
      },
      timestamp: { ...time, description: 'Time of the event' },
      processor_merchant_id: text,
    },
  }
}

/** Returns the bodies, by their names in `components`. */
export const webhookBodies = (read: (schema: TSchema) => Schema): Record<string, Schema> =>
  Object.fromEntries((Object.keys(classes) as EventClass[]).map(of => [titleOf(of), bodyOf(of, read)]))

const parameters = Object.keys(webhookHeaders).map(name => ({ $ref: `#/components/parameters/${name}` }))
const responses = {
  '2XX': { description: 'Received. The response body is ignored.' },
  '410': { description: 'The endpoint is disabled immediately.' },
  default: { description: 'Any other response, or none within 15 seconds: the delivery is retried ten times over three days.' },
}

/** Returns all webhooks, by event type. */
export const openApiWebhooks = (): Record<string, Webhook> =>
  Object.fromEntries(
    Object.entries(eventCatalogue).map(([name, { dotted, of, means }]) => [
      name,
      {
        post: {
          operationId: `on_${name}`,
          summary: dotted,
          description: means,
          tags: ['Webhook endpoints'],
          security: [],
          parameters,
          requestBody: { required: true, content: { 'application/json': { schema: { $ref: `#/components/schemas/${titleOf(of)}` } } } },
          responses,
        },
      },
    ]),
  )
