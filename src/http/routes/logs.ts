import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { eventsOfVersions } from '../../events/search.ts'
import { findRequest, listRequests, logsQuery } from '../../telemetry/request-log.ts'
import { count, flag, listSchema, schema, text, texts, time } from '../answer-shapes.ts'
import { endpoint, tagged } from '../endpoint.ts'

const line = {
  merchant_id: text,
  log_id: text,
  request_id: Type.String({ description: 'The x-request-id of the response' }),
  by: Type.String({ description: 'Authentication of the request: secret_key and its id, client, ephemeral_key and its id, or admin' }),
  method: text,
  route: text,
  path: text,
  ...texts('object_id'),
  status: count,
  latency_ms: count,
  members: Type.Array(text, { description: 'Names of the parameters sent; values are not stored' }),
  ...texts('error_code error_field error_message'),
  address: text,
  ...texts('user_agent'),
  created: time,
}
const logAnswer = schema('RequestLog', line)
const writtenAnswer = schema('RequestLogEvent', {
  event_id: text,
  type: Type.String({ description: 'What happened' }),
  event_type: orNull(text, 'Event type sent to the merchant; null for steps that are only recorded'),
  sequence: orNull(count),
  kind: text,
  object_id: text,
  version: count,
  is_delivery_successful: orNull(flag, 'Whether all subscribed endpoints have received it; null: none is subscribed'),
  deliveries: count,
})

export const logRoutes = tagged(
  'Logs',
  'A merchant’s API requests and their results, for as long as the deployment stores them (`REQUEST_LOG_DAYS`): the operation, the API key, the object, the reason for a refusal, and the events created. Request values are not stored. Entries appear within two seconds.',
  { confidential: 'nothing', sdk: ['logs', 'RequestLog'], platforms: 'for itself too' },
  [
    endpoint('GET /logs', 'listRequestLogs', {
      title: 'List API requests',
      description: 'Lists the merchant’s API requests, newest first.',
      auth: { credential: 'secret', permission: 'logs:read', scope: 'merchant' },
      query: logsQuery,
      answers: listSchema('RequestLogs', logAnswer),
      json: ({ context, merchant, query }) => listRequests(context, merchant.merchant_id, query),
    }),
    endpoint('GET /logs/{log_id}', 'retrieveRequestLog', {
      title: 'Retrieve an API request',
      description: 'Retrieves an API request with the events that it created; `GET /events/{event_id}` shows the deliveries of each.',
      auth: { credential: 'secret', permission: 'logs:read', scope: 'merchant' },
      answers: schema('RequestLogDetail', { ...line, events: Type.Array(writtenAnswer) }),
      json: async ({ context, merchant, path: { log_id } }) => {
        const { merchant_id } = merchant
        const found = await findRequest(context, merchant_id, log_id)
        return { ...found.line, events: await eventsOfVersions(context, merchant_id, found.wrote) }
      },
    }),
  ],
)
