import cors from '@fastify/cors'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { canonical } from '../base/canonical.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import { DatabaseAway } from '../database/connection.ts'
import type { Payment } from '../payments/payment.ts'
import { needPayment } from '../payments/plan.ts'
import type { World } from '../world.ts'
import { readBody } from './body.ts'
import { type Course, cutShort, inTime, openCourse, worldOf } from './course.ts'
import { isForCustomer, pageHeaders, refusalPage } from './customer-page.ts'
import { documentPages } from './docs.ts'
import type { Call, ClientSecretOf, Endpoint, Result, Service } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { LONGEST_KEY, once } from './idempotency.ts'
import { requestId } from './request-id.ts'
import { checkShape, prepare } from './shape.ts'
import { type Credentials, checkClientSecret, type Who, who } from './who.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const LARGEST_BODY = 256 * 1024

/** Headers that the ecosystem's browser checkouts send. */
const CLIENT_HEADERS = [
  'api-key',
  'authorization',
  'content-type',
  'idempotency-key',
  'x-request-id',
  'x-browser-name',
  'x-browser-version',
  'x-client-platform',
  'x-client-source',
  'x-client-version',
  'x-merchant-domain',
  'x-payment-confirm-source',
  'x-feature',
]

/** The HTTP door. Everything it knows of the interface it reads off the table of endpoints. */
export function openServer(service: Service, options: { trustedProxies: readonly string[] }): FastifyInstance {
  const app = Fastify({
    logger: false,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: LARGEST_BODY,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    genReqId: raw => requestId(raw.headers['x-request-id'], service.world),
    routerOptions: { maxParamLength: 512 },
    forceCloseConnections: 'idle',
    // An address that cannot be decoded never reaches the error handler.
    frameworkErrors: (error, request, reply) => sendError(service, request, reply as FastifyReply, error),
  })
  app.server.headersTimeout = 15_000
  // Bodies come as bytes: webhooks are verified over them, and JSON is read by `body.ts` with an error of our own catalogue.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.register(cors, {
    origin: '*',
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: CLIENT_HEADERS,
    exposedHeaders: ['x-request-id', 'idempotent-replayed', 'retry-after'],
    maxAge: 86_400,
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    logAnswer(service, request, reply)
    done()
  })
  app.setErrorHandler((error, request, reply) => sendError(service, request, reply, error))
  app.setNotFoundHandler((request, reply) => sendError(service, request, reply, nothingThere(request)))

  app.register(async routes => {
    for (const endpoint of endpoints) mount(routes, service, endpoint)
    documentPages(routes)
  })
  return app
}

function mount(app: FastifyInstance, service: Service, endpoint: Endpoint): void {
  if (endpoint.body) prepare(endpoint.body)
  if (endpoint.query) prepare(endpoint.query)
  const url = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
  app.route({
    method: endpoint.method,
    url,
    handler: (request, reply) => {
      const course = openCourse(request.headers['idempotency-key'] !== undefined)
      const late = () => asFarAsItCame(endpoint, reply, course)
      const unheard = (error: unknown) => void caught(service, request, error)
      return inTime(answer(service, endpoint, request, reply, course), service.patience, late, unheard)
    },
  })
}

/** When to ask what became of something that was begun. */
const POLL_AFTER_S = 2

function asFarAsItCame(endpoint: Endpoint, reply: FastifyReply, course: Course): string | undefined {
  const json = cutShort(endpoint, course)
  reply.header('retry-after', String(POLL_AFTER_S))
  return send(reply, { json })
}

/** The text of the answer; nothing if it is sent already. Returning the reply itself would make Fastify wait until the last byte has gone, with all that the request holds. */
async function answer(
  service: Service,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  course: Course,
): Promise<string | undefined> {
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const path = request.params as Record<string, string>
  // Nothing is called so, and PostgreSQL could not even look for it.
  if (Object.values(path).some(part => part.includes('\u0000'))) throw nothingThere(request)
  const query = readQuery(endpoint.query, request.query as Record<string, unknown>)
  // Who asks is decided before what they ask for is read: a stranger learns nothing of the shapes.
  const reads = endpoint.method === 'POST' && !endpoint.rawBody
  const body = reads && endpoint.takes === 'secret or client' ? readBody(raw, request.headers['content-type']) : null
  const caller = await identify(service, endpoint, request, path, body ?? query)
  if (caller.is !== 'nobody')
    (request as { merchant_id?: string }).merchant_id = 'merchant' in caller ? caller.merchant.merchant_id : 'admin'
  const content = body ?? (reads ? readBody(raw, request.headers['content-type']) : {})
  if (endpoint.body) checkShape(endpoint.body, content)
  if (endpoint.query) checkShape(endpoint.query, query)

  const key = request.headers['idempotency-key']
  const world = endpoint.begun && !course.keyed ? worldOf(course, service.world) : service.world
  const opened = await open(endpoint, caller, path, world)
  const call: Call = { service, world, who: caller, opened, path, query, body: content, raw, headers: request.headers }
  course.call = call
  if (reads && typeof key === 'string' && caller.is !== 'nobody') {
    const { body: text, replayed } = await underKey(endpoint, call, key, request)
    if (replayed) reply.header('idempotent-replayed', 'true')
    reply.type(JSON_TYPE)
    return text
  }
  try {
    return send(reply, await endpoint.run(call))
  } catch (error) {
    if (course.written.length === 0 || error instanceof Refusal) throw error
    // The database is gone, or we made a mistake. What was begun may still charge, so the caller must learn its id.
    service.world.log.error({ err: error, req_id: request.id }, 'a request did not come to its end')
    return asFarAsItCame(endpoint, reply, course)
  }
}

/** What a browser's client_secret opens: refused if it is another's, or its session is over. */
const opens: Record<ClientSecretOf, (world: World, merchant_id: string, path: Record<string, string>) => Promise<Payment>> = {
  payment: (world, merchant_id, path) => needPayment(world, merchant_id, path.payment_id!),
}

async function open(endpoint: Endpoint, caller: Who, path: Record<string, string>, world: World): Promise<Payment | null> {
  if (caller.is !== 'client' || endpoint.takes !== 'secret or client') return null
  const opened = await opens[endpoint.clientSecretOf](world, caller.merchant.merchant_id, path)
  checkClientSecret(opened, caller.client_secret, world.now())
  return opened
}

function send(reply: FastifyReply, result: Result): string | undefined {
  if ('json' in result) {
    reply.type(JSON_TYPE)
    return JSON.stringify(result.json)
  }
  if ('text' in result) {
    reply.type(result.type)
    return result.text
  }
  if ('page' in result) {
    reply.headers(pageHeaders)
    return result.page
  }
  if ('redirect' in result) reply.redirect(result.redirect, 302)
  else reply.send()
  return undefined
}

async function underKey(endpoint: Endpoint, call: Call, key: string, request: FastifyRequest) {
  if (key.length === 0 || key.length > LONGEST_KEY || !/^[\x21-\x7e]+$/.test(key))
    refuse('malformed', { field: 'Idempotency-Key', expected: `1 to ${LONGEST_KEY} visible ASCII characters` })
  const { world, opened } = call
  // No merchant is called @admin: the id could not be one.
  const merchant_id = call.who.is === 'secret' || call.who.is === 'client' ? call.who.merchant.merchant_id : '@admin'
  const keyed = {
    merchant_id,
    // A shopper's key is another than the merchant's of the same name, and than any other shopper's: no key has a blank in it.
    key: opened ? `${opened.payment_id} ${key}` : key,
    scope: `${call.who.is} POST ${request.url.split('?')[0]}`,
    digest: world.vault.digest('request body', canonical(withoutCvc(call.body))),
  }
  const story = async (claimed: Call['world']) => {
    const result = await endpoint.run({ ...call, world: claimed })
    return JSON.stringify('json' in result ? result.json : null)
  }
  const { current } = endpoint
  return once(world, keyed, story, current ? async object_id => JSON.stringify(await current(call, object_id)) : null)
}

/** The same request may be sent again without the security code, which nobody is allowed to keep. */
function withoutCvc(body: Record<string, unknown>): Record<string, unknown> {
  const { card_cvc: _cvc, ...rest } = body
  const data = rest.payment_method_data as { card?: Record<string, unknown> } | undefined
  if (!data?.card) return rest
  const { card_cvc: _code, ...card } = data.card
  return { ...rest, payment_method_data: { ...data, card } }
}

function identify(
  service: Service,
  endpoint: Endpoint,
  request: FastifyRequest,
  path: Record<string, string>,
  secretIn: Record<string, unknown>,
): Promise<Who> {
  const header = (name: string) => {
    const value = request.headers[name]
    return typeof value === 'string' ? value : undefined
  }
  const given: Credentials = {
    apiKey: header('api-key'),
    authorization: header('authorization'),
    client_secret: endpoint.takes === 'secret or client' && typeof secretIn.client_secret === 'string' ? secretIn.client_secret : undefined,
    merchant_in_path: path.merchant_id,
  }
  return who(service.settings, service.adminKey, endpoint.takes, given, service.world.now())
}

/** Query parameters by their declared types: `true` and `false`, whole numbers; anything else stays text and is refused by its schema. Empty ones are absent. */
function readQuery(schema: TSchema | undefined, given: Record<string, unknown>): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  const properties = (schema as { properties?: Record<string, { type?: string }> } | undefined)?.properties ?? {}
  for (const [name, value] of Object.entries(given)) {
    if (name === '__proto__') refuse('unreadable', { field: name, words: 'is not a known member' })
    if (value === '') continue
    const type = properties[name]?.type
    if (type === 'boolean' && (value === 'true' || value === 'false')) query[name] = value === 'true'
    else if (type === 'integer' && typeof value === 'string' && /^-?\d{1,15}$/.test(value)) query[name] = Number(value)
    else query[name] = value
    if (typeof value === 'string' && value.includes('\u0000')) refuse('unreadable', { field: name, words: 'must not hold U+0000' })
  }
  return query
}

function nothingThere(request: FastifyRequest): Refusal {
  const path = request.url.split('?')[0]!
  const welcome = endpoints
    .filter(endpoint => new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .map(endpoint => endpoint.method)
  // The method may be right and the address still lead nowhere: a part of it is too long.
  return welcome.length > 0 && !welcome.includes(request.method as Endpoint['method'])
    ? new Refusal('wrong_method', { method: request.method, welcome })
    : new Refusal('unknown_url', { method: request.method, path })
}

/** Every error becomes an entry of the catalogue here, and nowhere else. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const code = (error as { code?: string })?.code
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Refusal('unreadable', { field: null, words: `The body is larger than ${LARGEST_BODY} bytes` })
  // Whoever hangs up in the middle of a body hears nothing, and it is no fault of ours.
  if (code === 'ECONNRESET' || (typeof code === 'string' && code.startsWith('FST_ERR')))
    return new Refusal('unreadable', { field: null, words: 'The request could not be read' })
  if (error instanceof DatabaseAway)
    return new Refusal('unavailable', { words: 'The database cannot be reached; nothing was changed unless the resource says so' })
  return new Refusal('internal', {})
}

/** The refusal that an error becomes; a mistake of ours is logged. */
function caught(service: Service, request: FastifyRequest, error: unknown): Refusal {
  const refusal = refusalOf(error)
  if (refusal.refusal === 'internal') service.world.log.error({ err: error, req_id: request.id }, 'a request failed')
  return refusal
}

function sendError(service: Service, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = caught(service, request, error)
  const { status, retryAfter } = refusal.entry
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  ;(request as { refused?: string }).refused = refusal.entry.code
  if (isForCustomer(request)) return reply.code(status).headers(pageHeaders).send(refusalPage(refusal))
  return reply.code(status).type(JSON_TYPE).send(JSON.stringify(refusal.body()))
}

function logAnswer(service: Service, request: FastifyRequest, reply: FastifyReply): void {
  const { merchant_id, refused } = request as { merchant_id?: string; refused?: string }
  service.world.log.info(
    {
      req_id: request.id,
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      merchant_id,
      code: refused,
    },
    'answered',
  )
}
