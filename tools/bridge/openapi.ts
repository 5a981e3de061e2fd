import type { TSchema } from 'typebox'
import {
  about,
  asks,
  bridgeChanges,
  disputeNotification,
  error,
  errorStatus,
  notification,
  operation,
  paymentNotification,
  registration,
} from '../../src/connectors/bridge/protocol.ts'
import { bridgeDispute, wholePayment } from '../../src/connectors/bridge/report-shapes.ts'

/** The bridge protocol as an OpenAPI document, generated from the shapes that the connector uses. */

const schemas: Record<string, TSchema> = {
  Operation: operation,
  ...Object.fromEntries(Object.values(asks).map(one => [(one as { title?: string }).title!, one])),
  About: about,
  Payment: wholePayment,
  Dispute: bridgeDispute,
  Changes: bridgeChanges,
  News: notification,
  PaymentNews: paymentNotification,
  DisputeNews: disputeNotification,
  NewsAddress: registration,
  Error: error,
}
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object) => ({ 'application/json': { schema } })
const answer = (description: string, schema: object) => ({ description, content: json(schema) })

const errors = (...codes: (keyof typeof errorStatus)[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(codes, code => errorStatus[code])).map(([status, all]) => [
      status,
      answer(`Nothing happened: ${all!.map(code => `\`${code}\``).join(', ')}`, ref('Error')),
    ]),
  )

const request_id = { name: 'request_id', in: 'path', required: true, schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' } }

const query = (name: string, required: boolean, description: string) => ({
  name,
  in: 'query',
  required,
  schema: { type: 'string' },
  description,
})

/** The paths that an adapter may leave out: it then returns 404. */
const readPaths = {
  '/v1/payments/{request_id}': {
    parameters: [request_id],
    get: {
      operationId: 'getPayment',
      summary: 'Retrieve a payment as a whole, by the request id of its authorization (optional)',
      responses: {
        200: answer('The current state of the payment, whoever moved its money', ref('Payment')),
        ...errors('unauthorized', 'not_found', 'not_supported', 'slow_down'),
      },
    },
  },
  '/v1/disputes/{reference}': {
    parameters: [{ name: 'reference', in: 'path', required: true, schema: { type: 'string' } }],
    get: {
      operationId: 'getDispute',
      summary: 'Retrieve a dispute (optional)',
      responses: {
        200: answer('The current state of the dispute', ref('Dispute')),
        ...errors('unauthorized', 'not_found', 'not_supported', 'slow_down'),
      },
    },
  },
  '/v1/changes': {
    get: {
      operationId: 'listChanges',
      summary: 'List what has changed since a time (optional)',
      parameters: [
        query('since', true, 'From this time on, in UTC'),
        query('until', true, 'Before this time, in UTC'),
        query('cursor', false, '`next` of the page before'),
      ],
      responses: {
        200: answer('A page of the changes, by the time of the last change', ref('Changes')),
        ...errors('invalid_request', 'unauthorized', 'not_found', 'not_supported', 'slow_down'),
      },
    },
  },
}

export function bridgeOpenapi(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bridge protocol',
      version: '1',
      description:
        'The API that an adapter of the bridge implements, and the notifications that it sends. For its requirements, see docs/bridge/README.md.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'https://adapter.example' }],
    security: [{ secret: [] }],
    paths: {
      '/v1': {
        get: {
          operationId: 'about',
          summary: 'Describe the adapter',
          responses: { 200: answer('The adapter and its features', ref('About')), ...errors('unauthorized') },
        },
      },
      '/v1/operations/{request_id}': {
        parameters: [request_id],
        put: {
          operationId: 'putOperation',
          summary: 'Request an operation',
          parameters: [
            {
              name: 'idempotency-key',
              in: 'header',
              schema: { type: 'string' },
              description: 'The request id, for proxies',
            },
          ],
          requestBody: {
            required: true,
            content: json({ oneOf: Object.values(asks).map(one => ref((one as { title?: string }).title!)) }),
          },
          responses: {
            200: answer('The current state of the operation, also if it is declined or the request is repeated', ref('Operation')),
            ...errors('invalid_request', 'unauthorized', 'not_found', 'conflict', 'not_allowed', 'not_supported', 'slow_down'),
          },
        },
        get: {
          operationId: 'getOperation',
          summary: 'Retrieve an operation',
          responses: {
            200: answer('The current state of the operation', ref('Operation')),
            ...errors('unauthorized', 'not_found', 'slow_down'),
          },
        },
      },
      ...readPaths,
      '/v1/news': {
        put: {
          operationId: 'putNewsAddress',
          summary: 'Set the URL for notifications',
          requestBody: { required: true, content: json(ref('NewsAddress')) },
          responses: {
            200: answer('The URL for notifications', { type: 'object', required: ['url'], properties: { url: { type: 'string' } } }),
            ...errors('invalid_request', 'unauthorized'),
          },
        },
      },
    },
    webhooks: {
      news: {
        post: {
          operationId: 'news',
          summary: 'Notification of an operation, a payment or a dispute',
          security: [],
          parameters: [
            {
              name: 'bridge-signature',
              in: 'header',
              required: true,
              schema: { type: 'string', pattern: '^t=\\d{1,12},v1=[0-9a-f]{64}$' },
              description: '`v1` is HMAC-SHA256 with the secret as key over `t`, a dot, and the bytes of the body, in hex',
            },
          ],
          requestBody: { required: true, content: json({ oneOf: ['News', 'PaymentNews', 'DisputeNews'].map(ref) }) },
          responses: { '2XX': { description: 'Accepted. After any other response, send the notification again' } },
        },
      },
    },
    components: { securitySchemes: { secret: { type: 'http', scheme: 'bearer' } }, schemas },
  }
}
