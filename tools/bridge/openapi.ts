import type { TSchema } from 'typebox'
import { about, asks, error, errorStatus, news, newsAddress, operation } from '../../src/connectors/bridge/protocol.ts'

/** The bridge protocol as an OpenAPI document, read off the shapes that the connector goes by. */

const schemas: Record<string, TSchema> = {
  Operation: operation,
  ...Object.fromEntries(Object.values(asks).map(one => [(one as { title?: string }).title!, one])),
  About: about,
  News: news,
  NewsAddress: newsAddress,
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

export function bridgeOpenapi(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bridge protocol',
      version: '1',
      description: 'What an adapter of the bridge answers, and the news that it sends. docs/bridge/README.md says what must hold.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'https://adapter.example' }],
    security: [{ secret: [] }],
    paths: {
      '/v1': {
        get: {
          operationId: 'about',
          summary: 'What the adapter is, and what it offers',
          responses: { 200: answer('It', ref('About')), ...errors('unauthorized') },
        },
      },
      '/v1/operations/{request_id}': {
        parameters: [request_id],
        put: {
          operationId: 'putOperation',
          summary: 'Asks for an operation, once',
          parameters: [
            {
              name: 'idempotency-key',
              in: 'header',
              schema: { type: 'string' },
              description: 'The request id again, for whatever stands between',
            },
          ],
          requestBody: {
            required: true,
            content: json({ oneOf: Object.values(asks).map(one => ref((one as { title?: string }).title!)) }),
          },
          responses: {
            200: answer('The operation as it stands: a decline too, and one that was put before', ref('Operation')),
            ...errors('invalid_request', 'unauthorized', 'not_found', 'conflict', 'not_allowed', 'not_supported', 'slow_down'),
          },
        },
        get: {
          operationId: 'getOperation',
          summary: 'What became of an operation',
          responses: { 200: answer('The operation as it stands', ref('Operation')), ...errors('unauthorized', 'not_found', 'slow_down') },
        },
      },
      '/v1/news': {
        put: {
          operationId: 'putNewsAddress',
          summary: 'Says where news goes',
          requestBody: { required: true, content: json(ref('NewsAddress')) },
          responses: {
            200: answer('News goes there', { type: 'object', required: ['url'], properties: { url: { type: 'string' } } }),
            ...errors('invalid_request', 'unauthorized'),
          },
        },
      },
    },
    webhooks: {
      news: {
        post: {
          operationId: 'news',
          summary: 'What became of an operation, told by the adapter',
          security: [],
          parameters: [
            {
              name: 'bridge-signature',
              in: 'header',
              required: true,
              schema: { type: 'string', pattern: '^t=\\d{1,12},v1=[0-9a-f]{64}$' },
              description: '`v1`: HMAC-SHA256 with the secret over `t`, a dot, and the bytes of the body, in hex',
            },
          ],
          requestBody: { required: true, content: json(ref('News')) },
          responses: { '2XX': { description: 'Taken. Anything else: send it again' } },
        },
      },
    },
    components: { securitySchemes: { secret: { type: 'http', scheme: 'bearer' } }, schemas },
  }
}
