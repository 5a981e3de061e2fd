import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import cors from '@fastify/cors'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Refusal } from '../base/refusal.ts'
import { logAnswer, notedOf, objectOf, redactBody } from './access-log.ts'
import { type Addresses, openAddresses } from './addresses.ts'
import { answer, answerLate } from './answer.ts'
import { answerClientError } from './client-error.ts'
import { compressed, isCompressed } from './compress.ts'
import { serveDashboard } from './dashboard.ts'
import { documentPages } from './docs.ts'
import { serveDocsSite } from './docs-site.ts'
import type { Endpoint, Service } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { LARGEST_FORM } from './form.ts'
import { HttpExchange } from './http-exchange.ts'
import { servePages } from './pages.ts'
import { caught, LARGEST_BODY, sendError } from './refused.ts'
import { requestId } from './request-id.ts'
import { inTime } from './request-lifetime.ts'
import { serveSecurityContact } from './security-contact.ts'
import { prepare } from './shape.ts'

/**
 * The CORS rules: pages of every origin may send requests with any headers (no cookie is accepted across origins), and
 * read these headers of the answer.
 */
const ORIGINS = { origin: '*', exposedHeaders: 'x-request-id, idempotent-replayed, retry-after, force-sync-unanswered' } as const

/**
 * The options of the server. `only`: `health` for a process that takes no payments and serves only its health.
 * `securityContact`: the address for reports of weaknesses.
 */
type ServerOptions = { trustedProxies: readonly string[]; only?: 'health' | null; securityContact?: string | null }

/** Opens the HTTP server. Everything it knows about the interface is derived from the table of endpoints. */
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
    // Requests during shutdown are refused below, with an error of the catalogue.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    // An address that cannot be decoded does not reach the error handler.
    frameworkErrors: (error, request, reply) => sendError(service, request, reply as FastifyReply, error),
  })
  app.server.headersTimeout = 15_000
  // Bodies are read as bytes: signatures of webhooks are verified over them, and `body.ts` reads JSON with errors of
  // the catalogue.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  // Every request has the member for noted facts from the start: adding it later would change the object's shape.
  app.decorateRequest('noted', null)
  const addresses = openAddresses(app)
  receive(app, service, addresses)
  // A scope of its own for preflight requests only: the CORS headers of all other answers are two constants (below),
  // not a hook.
  app.register(async preflights => {
    preflights.register(cors, {
      ...ORIGINS,
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      maxAge: 86_400,
    })
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('access-control-allow-origin', ORIGINS.origin)
    reply.header('access-control-expose-headers', ORIGINS.exposedHeaders)
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    // Existing clients ask for the time that the service took, in milliseconds.
    if (request.headers['x-hs-latency'] === 'true') reply.header('x-hs-latency', Math.round(reply.elapsedTime))
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    const text = endsLine(request, reply) && typeof payload === 'string' ? `${payload}\n` : payload
    if (isCompressed(request, reply, text)) compressed(request, reply, text).then(short => done(null, short), done)
    else done(null, text)
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
 * Compiles the checks of bodies of calls for which a customer waits, after the server listens and between requests.
 * Each other operation compiles its checks at its first request (some milliseconds): compiling all would take 25 MB.
 */
async function prepareBodies(): Promise<void> {
  for (const { partialResponse, body } of endpoints)
    if (partialResponse && body) {
      await nextTurn()
      prepare(body)
    }
}

/**
 * Installs the first steps of every request. They share one hook: each hook costs a payment as much time as a few
 * lines of code. OPTIONS is answered even while the service shuts down.
 */
function receive(app: FastifyInstance, service: Service, addresses: Addresses): void {
  const { traces } = service.watch
  let stopping = false
  const connections = new Set<Socket>()
  app.server.on('connection', socket => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  app.addHook('preClose', done => {
    stopping = true
    // A client's idle connection does not delay the shutdown: neither after its answer, nor if it has never sent a
    // request, which Node does not count as idle.
    app.server.keepAliveTimeout = 1
    for (const connection of connections) if (connection.bytesRead === 0) connection.destroy()
    for (const end of service.streams) end()
    done()
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS') {
      // With this header the request is a browser's preflight; otherwise a caller asks for the allowed methods.
      if (request.headers['access-control-request-method'] !== undefined) return done()
      const methods = addresses.methodsOf(request.url)
      if (methods.length === 0) return done(addresses.nothingAt(request.method, request.url))
      return void reply.code(204).header('allow', methods.join(', ')).send()
    }
    if (stopping)
      return done(new Refusal('unavailable', { problem: 'The service is shutting down; the request was not processed. Retry it' }))
    if (traces) {
      notedOf(request).trace = traces.begin(`${request.method} ${request.routeOptions.url ?? 'none'}`, request.headers)
    }
    done()
  })
}

/** Reports each request: as a line in the log, in metrics, in a trace, and in the merchant's request log. */
function watchRequests(app: FastifyInstance, service: Service): void {
  const { watch } = service
  app.addHook('onResponse', (request, reply, done) => {
    // Fastify creates these options anew at each access.
    const { url } = request.routeOptions
    logAnswer(service.context.log, request, reply, url)
    watch.request?.(request.method, url ?? 'none', reply.statusCode, reply.elapsedTime)
    notedOf(request).trace?.end(reply.statusCode, {
      'http.route': url ?? 'none',
      'switchyard.req_id': request.id,
      'switchyard.merchant_id': notedOf(request).merchant_id ?? '',
    })
    if (watch.requestLog) keepLine(service, watch.requestLog, request, reply, url)
    done()
  })
}

/** Mounts the table of endpoints, and the pages beside it. */
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

/** The most member names of a body that the request log keeps. Names of members that no operation has are not kept. */
const MOST_MEMBERS = 100

/**
 * Adds a request to the request log that its merchant may read: the object, the members and the answer's status.
 * Requests for the log itself are not logged.
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
 * Whether the answer ends with a line break: for a person who calls with plain curl in a terminal, so that the next
 * prompt begins on a new line. Only the sent answer has the line break, never the stored one.
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
      const exchange = new HttpExchange(service, addresses, endpoint, request, reply)
      const onLateError = (error: unknown) => void caught(service, request, error)
      return inTime(answer(exchange), service.patience, () => answerLate(exchange), onLateError)
    },
  })
}
