import { readFileSync } from 'node:fs'
import type { TSchema } from 'typebox'
import { MERCHANT_ID } from '../../src/accounts/merchant.ts'
import { refusalCatalogue } from '../../src/base/refusal.ts'
import { admits } from '../../src/http/auth.ts'
import { type Endpoint, takesKey } from '../../src/http/endpoint.ts'
import { endpoints, tags } from '../../src/http/endpoints.ts'
import { errorAnswer } from '../../src/http/error-answer.ts'
import { LONGEST_KEY } from '../../src/http/idempotency.ts'
import { version } from '../../src/http/version.ts'
import { answers, type ExampleAnswer } from './answers.ts'
import type { Document, OpenApiOperation, OpenApiResponse, Parameter } from './document.ts'
import { failures, refusalLine, refusalsOf, requestIdHeader } from './errors.ts'
import { guide } from './guide.ts'
import { sayKept } from './kept-only.ts'
import { pathParts } from './path-parameters.ts'
import { openSchemas, type Schema } from './schemas.ts'
import { sdkName } from './sdk-names.ts'
import { opens, securitySchemes } from './security.ts'
import { share, shareShapes } from './shared.ts'
import { openApiWebhooks, webhookBodies, webhookHeaders } from './webhooks.ts'

/** Returns the sandbox's table of test cards, which `npm run docs` writes: the service does not know the sandbox. */
const writtenCards = (): string =>
  readFileSync(new URL('../../docs/generated/test-cards.md', import.meta.url), 'utf8')
    .replace(/^[^|]*/, '')
    .trimEnd()

/**
 * Returns the OpenAPI 3.1 document, derived from the table of endpoints. The same tables give the same document, byte
 * for byte.
 */
export function openapi(testCards: string = writtenCards()): Document {
  const schemas = openSchemas()
  const answered = answers()
  const paths: Document['paths'] = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] ??= {}
    paths[endpoint.path]![endpoint.method.toLowerCase()] = operation(endpoint, schemas.read, answered[endpoint.name])
  }
  for (const { name } of endpoints) sayKept(name, schemas.components[requestTitle(name)]?.properties)
  schemas.read(errorAnswer)
  Object.assign(schemas.components, webhookBodies(schemas.read))
  shareShapes(schemas.components)
  const { responses, parameters, examples } = share(Object.values(paths).flatMap(methods => Object.values(methods)))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Switchyard',
      version,
      description: guide(testCards),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: tags.map(({ name, description }) => ({ name, description })),
    paths,
    webhooks: openApiWebhooks(),
    components: {
      securitySchemes,
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'Makes retries safe: a retry with the same key returns the first response byte for byte and does nothing else. A different body is refused.',
          example: 'order-1047',
          schema: { type: 'string', minLength: 1, maxLength: LONGEST_KEY, pattern: '^[\\x21-\\x7e]+$' },
        },
        ConnectedMerchant: {
          name: 'x-connected-merchant-id',
          in: 'header',
          required: false,
          description:
            'The connected account that a platform acts for. Requires the secret key of the platform. An empty header counts as absent.',
          schema: { type: 'string', pattern: `^$|${MERCHANT_ID.source}` },
        },
        ...webhookHeaders,
        ...parameters,
      },
      headers: {
        RequestId: { description: 'Id of this request in the log; yours, if you sent one.', schema: { type: 'string' } },
        IdempotentReplayed: {
          description: 'true: this is the response to an earlier request with the same Idempotency-Key.',
          schema: { type: 'string', enum: ['true'] },
        },
        RetryAfter: { description: 'Seconds to wait before retrying.', schema: { type: 'integer' } },
      },
      responses,
      examples,
      schemas: Object.fromEntries(Object.entries(schemas.components).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

const requestTitle = (operation: string): string => `${operation[0]!.toUpperCase()}${operation.slice(1)}Request`

type Read = (schema: TSchema, name?: string) => Schema

function operation(endpoint: Endpoint, read: Read, answered: ExampleAnswer | undefined): OpenApiOperation {
  const parameters = parametersOf(endpoint, read, answered?.asked ?? {})
  const body = requestBody(endpoint, read)
  const method = sdkName(endpoint)
  return {
    operationId: endpoint.name,
    summary: endpoint.title,
    description: endpoint.description,
    tags: [endpoint.tag.name],
    ...(method !== null && { 'x-sdk-method': method }),
    ...(endpoint.aliasOf && { 'x-alias-of': endpoint.aliasOf }),
    ...(endpoint.reads && { 'x-reads': true as const }),
    security: opens[endpoint.auth.credential].map(name => ({ [name]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { ...success(endpoint, read, answered), ...failures(endpoint) },
  }
}

function parametersOf(endpoint: Endpoint, read: Read, asked: Record<string, string>): NonNullable<OpenApiOperation['parameters']> {
  const example = (name: string) => asked[name] !== undefined && { example: asked[name] }
  const parts = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, match]): Parameter => {
    const name = match!
    const description = pathParts[name]
    return { name, in: 'path', required: true, ...(description && { description }), ...example(name), schema: { type: 'string' } }
  })
  const query = (endpoint.query ? read(endpoint.query) : {}) as Schema
  sayKept(endpoint.name, query.properties)
  const inQuery = Object.entries(query.properties ?? {}).map(([name, { description, ...schema }]): Parameter => {
    const required = query.required?.includes(name) ?? false
    return { name, in: 'query', required, ...(description !== undefined && { description }), ...example(name), schema }
  })
  return [
    ...parts,
    ...inQuery,
    ...(takesKey(endpoint) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(admits(endpoint.auth, 'secret') ? [{ $ref: '#/components/parameters/ConnectedMerchant' }] : []),
  ]
}

function requestBody({ body, rawBody, form, name, example }: Endpoint, read: Read): OpenApiOperation['requestBody'] {
  if (rawBody) return { required: false, content: { '*/*': {} } }
  if (!body) return undefined
  const title = requestTitle(name)
  const schema = read({ ...body, title } as TSchema)
  const required = ((body as Schema).required?.length ?? 0) > 0
  return {
    required,
    content: { [form ? 'multipart/form-data' : 'application/json']: { schema, ...(example && { examples: { [name]: example } }) } },
  }
}

/** Returns the refusals whose status is a success status. */
const amongSuccesses = (endpoint: Endpoint) => refusalsOf(endpoint).filter(name => refusalCatalogue[name].status < 400)

function success(endpoint: Endpoint, read: Read, answered?: ExampleAnswer): Record<string, OpenApiResponse> {
  const { answers } = endpoint
  if (answers === 'redirect') {
    return {
      200: {
        description: 'A page that shows the payment status, for browsers (Accept: text/html) when no return_url is known',
        headers: requestIdHeader,
        content: { 'text/html': { schema: { type: 'string' } } },
      },
      302: onward(answered),
    }
  }
  const replayed = takesKey(endpoint) && { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } }
  const headers = { ...requestIdHeader, ...replayed }
  if (answers === 'nothing') return { 200: { description: 'Accepted', headers } }
  if (answers === 'page') {
    const page = { 200: { description: 'A page', headers, content: { 'text/html': { schema: { type: 'string' } } } } }
    return endpoint.redirects ? { ...page, 302: onward(answered) } : page
  }
  if (answers === 'text') {
    const [type, ...others] = endpoint.types ?? ['text/plain']
    const content = Object.fromEntries([
      [type, { schema: { type: 'string' }, example: answered?.text }],
      ...others.map(other => [other, { schema: { type: 'string' } }]),
    ])
    return { 200: { description: 'Text', headers, content } }
  }
  if (answers === 'file') {
    const file = { schema: { type: 'string', format: 'binary' } }
    const content = Object.fromEntries((endpoint.types ?? ['application/octet-stream']).map(type => [type, file]))
    return { 200: { description: 'A file', headers, content } }
  }
  if (answers === 'stream')
    return {
      200: { description: 'Events', headers, content: { 'text/event-stream': { schema: { type: 'string' }, example: answered?.text } } },
    }
  const { title } = answers as Schema
  const schema = read(answers)
  const errors = amongSuccesses(endpoint)
  return {
    [endpoint.async ? 202 : 200]: {
      description: [title ?? 'The requested object', ...errors.map(refusalLine)].join('\n'),
      headers,
      content: {
        'application/json': {
          schema,
          example: answered?.json,
        },
      },
    },
    ...(endpoint.approval && {
      202: {
        description: 'Approval: a person asked for it, and a second one has to approve. Never the answer to an API key',
        headers,
        content: { 'application/json': { schema: read(endpoint.approval) } },
      },
    }),
  }
}

const onward = (answered?: ExampleAnswer): OpenApiResponse => ({
  description: 'Redirects to the next URL',
  headers: {
    ...requestIdHeader,
    Location: {
      description: 'The next URL',
      schema: { type: 'string', format: 'uri-reference' },
      ...(answered?.location && { example: answered.location }),
    },
  },
})
