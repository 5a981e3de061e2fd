import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import cors from '@fastify/cors'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Refusal } from '../base/refusal.ts'
import { answer, asFarAsItCame, endStreams, traceOf } from './answer.ts'
import { logAnswer, notedOf, objectOf, redactBody } from './answered.ts'
import { answerClientError } from './client-error.ts'
import { inTime, openCourse } from './course.ts'
import { serveDashboard } from './dashboard.ts'
import { documentPages } from './docs.ts'
import { serveDocsSite } from './docs-site.ts'
import type { Endpoint, Service } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { LARGEST_FORM } from './form.ts'
import { servePages } from './pages.ts'
import { caught, LARGEST_BODY, sendError } from './refused.ts'
import { requestId } from './request-id.ts'
import { serveSecurityContact } from './security-contact.ts'
import { prepare } from './shape.ts'
import { type Addresses, openAddresses } from './welcome.ts'

/** Headers that the ecosystem's browser checkouts send. */
const CLIENT_HEADERS = [
  'api-key',
  'authorization',
  'content-type',
  'idempotency-key',
  'x-request-id',
  'x-profile-id',
  'x-app-id',
  'x-redirect-uri',
  'x-browser-name',
  'x-browser-version',
  'x-client-platform',
  'x-client-source',
  'x-next-actions',
  'x-client-version',
  'x-merchant-domain',
  'x-payment-confirm-source',
  'x-feature',
]

/** Pages of every origin may ask, and read these headers of the answer. */
const ORIGINS = { origin: '*', exposedHeaders: 'x-request-id, idempotent-replayed, retry-after, force-sync-unanswered' } as const

/**
 * `only`: of a process that takes no payments nothing is there but how it goes with it. `securityContact`: where
 * weaknesses are reported.
 */
type ServerOptions = { trustedProxies: readonly string[]; only?: 'health' | null; securityContact?: string | null }

/** The HTTP door. Everything it knows of the interface it reads off the table of endpoints. */
export function openServer(service: Service, options: ServerOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: LARGEST_BODY,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    genReqId: raw => requestId(raw.headers['x-request-id'], service.context),
    routerOptions: { maxParamLength: 512 },
    forceCloseConnections: 'idle',
    // Requests during shutdown are refused from the catalogue, below.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    // An address that cannot be decoded never reaches the error handler.
    frameworkErrors: (error, request, reply) => sendError(service, request, reply as FastifyReply, error),
  })
  app.server.headersTimeout = 15_000
  // Bodies come as bytes: webhooks are verified over them, and JSON is read by `body.ts` with an error of our own
  // catalogue.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  // Every request has its place for what is noted from the start: one that is added later changes its shape.
  app.decorateRequest('noted', null)
  const addresses = openAddresses(app)
  receive(app, service, addresses)
  // A scope of its own, for preflights alone: what every answer has of it is two constants (below), not a hook.
  app.register(async preflights => {
    preflights.register(cors, {
      ...ORIGINS,
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders: CLIENT_HEADERS,
      maxAge: 86_400,
    })
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('access-control-allow-origin', ORIGINS.origin)
    reply.header('access-control-expose-headers', ORIGINS.exposedHeaders)
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done(null, endsLine(request, reply) && typeof payload === 'string' ? `${payload}\n` : payload)
  })
  watchRequests(app, service)
  app.setErrorHandler((error, request, reply) => sendError(service, request, reply, error))
  app.setNotFoundHandler((request, reply) => sendError(service, request, reply, addresses.nothingAt(request.method, request.url)))

  app.register(async routes => mountAll(routes, service, addresses, options))
  app.addHook('onListen', done => {
    if (options.only !== 'health') void prepareBodies()
    done()
  })
  return app
}

/**
 * Compiles the checks of bodies of calls at which a customer waits, once it listens, between requests. The first
 * request of each other operation waits for its own (some milliseconds): all of them compiled are 25 MB.
 */
async function prepareBodies(): Promise<void> {
  for (const { begun, body } of endpoints)
    if (begun && body) {
      await nextTurn()
      prepare(body)
    }
}

/**
 * What happens to every request first. It is one hook: each costs a payment as much as a few of its lines. OPTIONS is
 * answered also by a service that shuts down.
 */
function receive(app: FastifyInstance, { watch }: Service, addresses: Addresses): void {
  const { traces } = watch
  let stopping = false
  const connections = new Set<Socket>()
  app.server.on('connection', socket => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  app.addHook('preClose', done => {
    stopping = true
    // A client that keeps its connection open holds nothing up: neither after its answer, nor if it has never asked,
    // which Node does not count as idle.
    app.server.keepAliveTimeout = 1
    for (const connection of connections) if (connection.bytesRead === 0) connection.destroy()
    endStreams()
    done()
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS') {
      // A browser before a request of another origin; else a caller who wants to know the allowed methods.
      if (request.headers['access-control-request-method'] !== undefined) return done()
      const welcome = addresses.welcome(request.url)
      if (welcome.length === 0) return done(addresses.nothingAt(request.method, request.url))
      return void reply.code(204).header('allow', welcome.join(', ')).send()
    }
    if (stopping)
      return done(new Refusal('unavailable', { words: 'The service is shutting down; the request was not processed. Retry it' }))
    if (traces) {
      const trace = traces.begin(`${request.method} ${request.routeOptions.url ?? 'none'}`, request.headers)
      traceOf.set(request, trace)
      notedOf(request).trace_id = trace.trace_id
    }
    done()
  })
}

/** What is told of each request: a line in the log, figures, a trace, and what its merchant may read. */
function watchRequests(app: FastifyInstance, service: Service): void {
  const { watch } = service
  app.addHook('onResponse', (request, reply, done) => {
    // Fastify makes them anew each time they are read.
    const { url } = request.routeOptions
    logAnswer(service.context.log, request, reply, url)
    watch.request?.(request.method, url ?? 'none', reply.statusCode, reply.elapsedTime)
    traceOf.get(request)?.end(reply.statusCode, {
      'http.route': url ?? 'none',
      'switchyard.req_id': request.id,
      'switchyard.merchant_id': notedOf(request).merchant_id ?? '',
    })
    if (watch.requestLog) keepLine(service, watch.requestLog, request, reply, url)
    done()
  })
}

/** The table of endpoints, and the pages beside it. */
async function mountAll(routes: FastifyInstance, service: Service, addresses: Addresses, options: ServerOptions): Promise<void> {
  const { only, securityContact = null } = options
  const isHere = ({ path }: Endpoint) => only !== 'health' || path.startsWith('/health')
  for (const endpoint of endpoints.filter(isHere)) mount(routes, service, addresses, endpoint)
  if (only !== 'health') {
    documentPages(routes)
    servePages(routes, service.context)
    if (securityContact !== null) serveSecurityContact(routes, service, securityContact)
    await serveDashboard(routes)
    await serveDocsSite(routes)
  }
  for (const { method, url } of addresses.mistaken())
    routes.route({
      method,
      url,
      config: { mistaken: true },
      handler: request => Promise.reject(addresses.nothingAt(request.method, request.url)),
    })
}

/** Of a body so many names are kept; what is no name of a member is not. */
const MOST_MEMBERS = 100

/**
 * A request of a merchant, for that merchant's eyes: what it was about and how it was answered. Looks at this log are
 * not in it.
 */
function keepLine(
  service: Service,
  requestLog: NonNullable<Service['watch']['requestLog']>,
  request: FastifyRequest,
  reply: FastifyReply,
  route: string | undefined,
): void {
  const { merchant_id, by = 'nobody', members = [], wrote = [], refused } = notedOf(request)
  if (merchant_id === undefined || merchant_id === 'admin' || route === undefined || route.startsWith('/logs')) return
  requestLog.add({
    merchant_id,
    request_id: request.id,
    by,
    method: request.method,
    route: route.replace(/:(\w+)/g, '{$1}'),
    path: redactBody(request.url.split('?')[0])!,
    object_id: objectOf(request),
    status: reply.statusCode,
    latency_ms: Math.round(reply.elapsedTime),
    members: members.filter(name => /^[a-z]\w{0,63}$/.test(name) && redactBody(name) === name).slice(0, MOST_MEMBERS),
    error_code: refused?.entry.code ?? null,
    error_field: redactBody(refused?.field) ?? null,
    error_message: redactBody(refused && [refused.message, refused.why].filter(Boolean).join(': ')) ?? null,
    address: request.ip,
    user_agent: redactBody(request.headers['user-agent']) ?? null,
    wrote,
    created: service.context.now(),
  })
}

/**
 * A person who asks with curl as it is reads the answer in a terminal, where the next prompt should not follow on the
 * same line. Only what is sent has the line's end, never what is kept.
 */
const endsLine = (request: FastifyRequest, reply: FastifyReply): boolean =>
  request.headers['user-agent']?.startsWith('curl/') === true &&
  request.headers.accept === '*/*' &&
  String(reply.getHeader('content-type')).startsWith('application/json')

function mount(app: FastifyInstance, service: Service, addresses: Addresses, endpoint: Endpoint): void {
  const url = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
  app.route({
    method: endpoint.method,
    url,
    ...(endpoint.form && { bodyLimit: LARGEST_FORM }),
    handler: (request, reply) => {
      const course = openCourse(request.headers['idempotency-key'] !== undefined)
      const late = () => asFarAsItCame(endpoint, reply, course)
      const unheard = (error: unknown) => void caught(service, request, error)
      return inTime(answer(service, addresses, endpoint, request, reply, course), service.patience, late, unheard)
    },
  })
}
