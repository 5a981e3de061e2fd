import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { eventsOfVersions } from '../../events/search.ts'
import { findRequest, listRequests, logsQuery } from '../../telemetry/request-log.ts'
import { count, flag, text, texts, time } from '../answer-shapes.ts'
import { endpoint, room } from '../endpoint.ts'

const line = {
  merchant_id: text,
  log_id: text,
  request_id: Type.String({ description: 'The x-request-id of its answer' }),
  by: Type.String({ description: 'Who asked: secret_key and its id, client, ephemeral_key and its id, or admin' }),
  method: text,
  route: text,
  path: text,
  ...texts('object_id'),
  status: count,
  latency_ms: count,
  members: Type.Array(text, { description: 'The names of what was sent; values are not kept' }),
  ...texts('error_code error_field error_message'),
  address: text,
  ...texts('user_agent'),
  created: time,
}
const logAnswer = Type.Object(line, { title: 'RequestLog' })
const logsAnswer = Type.Object({ size: count, data: Type.Array(logAnswer) }, { title: 'RequestLogs' })
const writtenAnswer = Type.Object(
  {
    event_id: text,
    type: Type.String({ description: 'What happened' }),
    event_type: Type.Union([text, Type.Null()], {
      description: 'Under which name the merchant hears of it; null for steps that are only kept',
    }),
    sequence: orNull(count),
    kind: text,
    object_id: text,
    version: count,
    is_delivery_successful: Type.Union([flag, Type.Null()], {
      description: 'Has every endpoint got it that was to hear of it? null: none was',
    }),
    deliveries: count,
  },
  { title: 'RequestLogEvent' },
)

export const logRoutes = room(
  'Logs',
  'The API requests of a merchant and how they were answered, for as long as the deployment keeps them (`REQUEST_LOG_DAYS`): what was asked for by which key, what it was about, why it was refused, and which events it wrote. Values that were sent are not kept. Lines appear within a second or two.',
  [
    endpoint({
      method: 'GET',
      path: '/logs',
      name: 'listRequestLogs',
      title: 'List API requests',
      does: 'Lists the merchant’s API requests, newest first.',
      takes: 'secret',
      query: logsQuery,
      answers: logsAnswer,
      refuses: ['malformed'],
      run: async ({ context, merchant, query }) => ({ json: await listRequests(context, merchant.merchant_id, query) }),
    }),
    endpoint({
      method: 'GET',
      path: '/logs/{log_id}',
      name: 'retrieveRequestLog',
      title: 'Retrieve an API request',
      does: 'Retrieves an API request with the events that it created; `GET /events/{event_id}` shows the deliveries of each.',
      takes: 'secret',
      answers: Type.Object({ ...line, events: Type.Array(writtenAnswer) }, { title: 'RequestLogDetail' }),
      run: async ({ context, merchant, path: { log_id } }) => {
        const { merchant_id } = merchant
        const found = await findRequest(context, merchant_id, log_id)
        return { json: { ...found.line, events: await eventsOfVersions(context, merchant_id, found.wrote) } }
      },
    }),
  ],
  'for itself too',
)
