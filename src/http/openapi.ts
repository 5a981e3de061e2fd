import { readFileSync } from 'node:fs'
import type { TSchema } from 'typebox'
import { catalogue, type RefusalName } from '../base/refusal.ts'
import { notYet } from '../payments/check.ts'
import { errorAnswer } from './answers.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { LONGEST_KEY } from './idempotency.ts'
import { keptOnly } from './kept-only.ts'
import { examples } from './openapi-examples.ts'
import { openSchemas, type Schema } from './openapi-schemas.ts'
import type { Takes } from './who.ts'

/** The document, as far as its readers here (the page, the tools, the tests) look into it. */
export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; description?: string; schema: Schema }
export type Media = { schema?: Schema; examples?: Record<string, { summary: string; value: unknown }> }
export type Answer = { description: string; content?: Record<string, Media>; headers?: Record<string, unknown> }
export type Operation = {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, never[]>[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Answer>
}
export type Document = {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: Endpoint['room']; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    securitySchemes: Record<string, { type: 'apiKey'; in: 'header'; name: string; description: string }>
    parameters: Record<string, Parameter>
    headers: Record<string, { description: string; schema: Schema }>
    schemas: Record<string, Schema>
  }
}

const rooms: Record<Endpoint['room'], string> = {
  Payments: 'Taking money: create, confirm, capture, cancel.',
  Refunds: 'Giving money back.',
  Events: 'What happened, step by step.',
  Accounts: 'Merchants, their keys, and their accounts at processors.',
  Webhooks: 'Where processors send their news.',
  Service: 'Is it up?',
}

const securitySchemes: Document['components']['securitySchemes'] = {
  secretKey: {
    type: 'apiKey',
    in: 'header',
    name: 'api-key',
    description: "A merchant's secret key (snd_… in test, prod_… live). For servers only.",
  },
  publishableKey: {
    type: 'apiKey',
    in: 'header',
    name: 'api-key',
    description: 'The publishable key (pk_snd_… in test, pk_prd_… live), together with the client_secret of one payment. For browsers.',
  },
  sdkToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'sdk_authorization of a payment, without a scheme word: publishable key and client_secret in one.',
  },
  adminKey: { type: 'apiKey', in: 'header', name: 'api-key', description: 'The admin key of the deployment.' },
}

const opens: Record<Takes, (keyof typeof securitySchemes)[]> = {
  nothing: [],
  secret: ['secretKey'],
  admin: ['adminKey'],
  'secret or admin': ['secretKey', 'adminKey'],
  'secret or client': ['secretKey', 'publishableKey', 'sdkToken'],
}

/** The parts of paths. */
export const pathParts: Readonly<Record<string, string>> = {
  payment_id: 'The payment',
  refund_id: 'The refund',
  merchant_id: 'The merchant',
  key_id: 'The API key',
  merchant_connector_id: 'The connector account',
  connector: 'The connector',
  attempt_id: 'The attempt',
  request_id: 'Our request to the processor, which only the two of us know',
}

/** Refusals of single operations, beyond those that follow from what an operation takes. */
export const refusals: Readonly<Record<string, readonly RefusalName[]>> = {
  createPayment: [
    'invalid_value',
    'not_found',
    'not_supported',
    'not_implemented',
    'flow_not_supported',
    'no_connector',
    'duplicate',
    'busy',
  ],
  confirmPayment: [
    'invalid_value',
    'not_supported',
    'not_implemented',
    'flow_not_supported',
    'no_connector',
    'unauthorized',
    'forbidden',
    'busy',
  ],
  capturePayment: ['wrong_state', 'not_supported', 'flow_not_supported', 'busy'],
  cancelPayment: ['flow_not_supported', 'busy'],
  createRefund: [
    'not_found',
    'wrong_state',
    'refund_too_large',
    'too_many_refunds',
    'not_supported',
    'flow_not_supported',
    'duplicate',
    'busy',
  ],
  listEvents: ['not_found'],
  createMerchantAccount: ['not_supported', 'duplicate'],
  createConnectorAccount: ['duplicate'],
  startChallenge: ['no_return_url'],
  customerReturned: ['no_return_url'],
  customerReturnedByPost: ['no_return_url'],
  receiveWebhook: ['webhook_unverified', 'webhook_unknown'],
}

/** Every refusal that an operation may answer with, in the catalogue's order. */
export function refusalsOf(endpoint: Endpoint): RefusalName[] {
  const { takes, body, query, path, room, name } = endpoint
  const found = new Set<RefusalName>(['internal', 'unavailable', ...(refusals[name] ?? [])])
  const add = (condition: boolean, ...names: RefusalName[]) => {
    if (condition) for (const one of names) found.add(one)
  }
  add(takes !== 'nothing', 'key_missing_or_unknown')
  add(takes !== 'nothing' && takes !== 'secret or client', 'forbidden')
  add(takes === 'secret or client', 'missing', 'unacceptable', 'client_secret_expired', 'client_secret_mismatch')
  add(query !== undefined, 'missing', 'unreadable', 'precondition')
  add(body !== undefined, 'compressed', 'missing', 'several_missing', 'malformed', 'unreadable', 'too_long', 'unacceptable', 'precondition')
  add(takesKey(endpoint), 'malformed', 'key_reused', 'still_running')
  add(path.includes('{') && room !== 'Webhooks', 'not_found')
  return (Object.keys(catalogue) as RefusalName[]).filter(one => found.has(one))
}

const capital = (name: string): string => name[0]!.toUpperCase() + name.slice(1)

/** The words of a refusal, its facts as `{names}` (its name, where all words are the facts'); and the further members of `error` that come with it. */
export function wording(name: RefusalName): { message: string; members: string[] } {
  const fact = (word: string) => Object.assign(new String(`{${word}}`), { join: () => `{${word}}` })
  const facts = new Proxy({}, { get: (_, word) => fact(String(word)) }) as never
  const { says, members } = catalogue[name] as { says(facts: never): string; members?(facts: never): object }
  const message = String(says(facts))
  return {
    message: message === '{words}' ? `${capital(name.replaceAll('_', ' '))}: {words}` : message,
    members: Object.keys(members?.(facts) ?? {}),
  }
}

const takesKey = (endpoint: Endpoint): boolean => endpoint.method === 'POST' && endpoint.takes !== 'nothing' && !endpoint.rawBody

const json = (schema: Schema): Record<string, Media> => ({ 'application/json': { schema } })
const requestId = { 'x-request-id': { $ref: '#/components/headers/RequestId' } }

/** The OpenAPI 3.1 document, read off the table of endpoints. The same table, the same document, to the byte. */
export function openapi(): Document {
  const schemas = openSchemas()
  const paths: Document['paths'] = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] ??= {}
    paths[endpoint.path]![endpoint.method.toLowerCase()] = operation(endpoint, schemas.read)
  }
  for (const { name } of endpoints) sayKept(name, schemas.components[requestTitle(name)]?.properties)
  schemas.read(errorAnswer)
  const used = new Set(endpoints.map(endpoint => endpoint.room))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Switchyard',
      version: version(),
      description:
        'Payment orchestration: integrate once, route every payment to the best processor. Bodies are JSON. Amounts are integers in the lowest denomination of their currency, times are ISO 8601. In a request an absent member, null and "" mean the same; in an answer every member is present, null where unknown, and clients must expect members that are not documented yet.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: (Object.keys(rooms) as Endpoint['room'][]).filter(room => used.has(room)).map(name => ({ name, description: rooms[name] })),
    paths,
    components: {
      securitySchemes,
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'One key, one answer: the same request again, with the same key, is given the first answer byte for byte and does nothing. With another body it is refused.',
          schema: { type: 'string', minLength: 1, maxLength: LONGEST_KEY, pattern: '^[\\x21-\\x7e]+$' },
        },
      },
      headers: {
        RequestId: { description: 'Names this request in the log. Yours, if you sent one.', schema: { type: 'string' } },
        IdempotentReplayed: {
          description: 'true: this is the answer to an earlier request with the same Idempotency-Key.',
          schema: { type: 'string', enum: ['true'] },
        },
        RetryAfter: { description: 'Seconds after which trying again makes sense.', schema: { type: 'integer' } },
      },
      schemas: Object.fromEntries(Object.entries(schemas.components).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

const requestTitle = (operation: string): string => `${capital(operation)}Request`

/** Adds to the descriptions which members are only kept, and which are refused unless they ask for nothing. */
function sayKept(operation: string, properties: Record<string, Schema> = {}): void {
  const add = (property: Schema | undefined, words: string) => {
    if (property)
      property.description = property.description === undefined ? words : `${property.description.replace(/\.?$/, '.')} ${words}`
  }
  for (const { member, why } of keptOnly(operation)) {
    const [outer, ...inner] = member.split('.')
    add(properties[outer!], inner.length === 0 ? `Kept only: ${why}.` : `Kept only of it: ${inner.join('.')} (${why}).`)
  }
  if (operation !== 'createPayment' && operation !== 'confirmPayment') return
  for (const [member, harmless] of notYet)
    add(properties[member], harmless.length === 0 ? 'Not supported by this version.' : `Only ${harmless.join(' or ')} in this version.`)
}

type Read = (schema: TSchema, name?: string) => Schema

function operation(endpoint: Endpoint, read: Read): Operation {
  const parameters = parametersOf(endpoint, read)
  const body = requestBody(endpoint, read)
  return {
    operationId: endpoint.name,
    summary: endpoint.does,
    tags: [endpoint.room],
    security: opens[endpoint.takes].map(name => ({ [name]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { ...success(endpoint, read), ...failures(endpoint) },
  }
}

function parametersOf(endpoint: Endpoint, read: Read): NonNullable<Operation['parameters']> {
  const parts = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]): Parameter => {
    const description = pathParts[name!]
    return { name: name!, in: 'path', required: true, ...(description && { description }), schema: { type: 'string' } }
  })
  const query = (endpoint.query ? read(endpoint.query) : {}) as Schema
  sayKept(endpoint.name, query.properties)
  const asked = Object.entries(query.properties ?? {}).map(([name, { description, ...schema }]): Parameter => {
    const required = query.required?.includes(name) ?? false
    return { name, in: 'query', required, ...(description !== undefined && { description }), schema }
  })
  return [...parts, ...asked, ...(takesKey(endpoint) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : [])]
}

function requestBody({ body, rawBody, name }: Endpoint, read: Read): Operation['requestBody'] {
  if (rawBody) return { required: false, content: { '*/*': {} } }
  if (!body) return undefined
  const title = requestTitle(name)
  const schema = read({ ...body, title } as TSchema)
  const example = examples[name]
  const required = ((body as Schema).required?.length ?? 0) > 0
  return { required, content: { 'application/json': { schema, ...(example && { examples: { [name]: example } }) } } }
}

function success(endpoint: Endpoint, read: Read): Operation['responses'] {
  const { answers } = endpoint
  if (answers === 'redirect') {
    const headers = { ...requestId, Location: { description: 'Where to', schema: { type: 'string', format: 'uri' } } }
    const page = { 'text/html': { schema: { type: 'string' } } }
    return {
      200: {
        description: 'A page that says how the payment stands: for a browser (Accept: text/html), where no return_url is known',
        headers: requestId,
        content: page,
      },
      302: { description: 'On to the next address', headers },
    }
  }
  const replayed = takesKey(endpoint) && { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } }
  const headers = { ...requestId, ...replayed }
  if (answers === 'nothing') return { 200: { description: 'Heard', headers } }
  if (answers === 'text') return { 200: { description: 'Words', headers, content: { 'text/plain': { schema: { type: 'string' } } } } }
  const { title } = answers as Schema
  return { 200: { description: title ?? 'What was asked for', headers, content: json(read(answers)) } }
}

/** One answer for each status, naming the codes that come with it. */
function failures(endpoint: Endpoint): Operation['responses'] {
  const answers: Operation['responses'] = {}
  for (const name of refusalsOf(endpoint)) {
    const { status, code } = catalogue[name]
    const retry = 'retryAfter' in catalogue[name] && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
    const before = answers[status]
    const line = `${code}: ${wording(name).message}`
    answers[status] = {
      description: before ? `${before.description}\n${line}` : line,
      headers: { ...requestId, ...before?.headers, ...retry },
      content: json({ $ref: '#/components/schemas/Error' }),
    }
  }
  return answers
}

const version = (): string => JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
