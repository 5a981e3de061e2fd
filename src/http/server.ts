import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import cors from '@fastify/cors'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { holdsCardNumber } from '../base/card-number.ts'
import { uuidDigits } from '../base/id.ts'
import { Refusal } from '../base/refusal.ts'
import { later } from '../base/time.ts'
import type { Context } from '../context.ts'
import { logAnswer, notedOf, objectOf, redactBody } from './access-log.ts'
import { type Addresses, openAddresses } from './addresses.ts'
import { answer, answerLate } from './answer.ts'
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
import { inTime } from './request-lifetime.ts'
import { JSON_TYPE } from './send.ts'
import { prepare } from './shape.ts'

/** CORS: every origin, any header (no cookie is accepted across origins); the answer's headers that pages read. */
const ORIGINS = { origin: '*', exposedHeaders: 'x-request-id, idempotent-replayed, retry-after, force-sync-unanswered' } as const

/** `only`: a process that takes no payments serves its health. `securityContact`: for reports of weaknesses. */
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
  // Bodies are read as bytes: webhooks' signatures cover them, and `body.ts` refuses by the catalogue.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  // Every request has the member for noted facts from the start: adding it later would change the object's shape.
  app.decorateRequest('noted', null)
  const addresses = openAddresses(app)
  receive(app, service, addresses)
  // A scope for preflight requests only: the CORS headers of other answers are constants (below), not a hook.
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

/** Returns the caller's own x-request-id if it is well-formed, else a version 7 UUID. */
function requestId(given: string | string[] | undefined, context: Pick<Context, 'now' | 'random'>): string {
  if (typeof given === 'string' && /^[A-Za-z0-9_.:-]{1,128}$/.test(given) && !holdsCardNumber(given)) return given
  const hex = uuidDigits(context)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Answers on the socket, like any other error, what Node's HTTP parser cannot read and Fastify never sees. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const refusal = refusalOf(error.code)
  const { status } = refusal.entry
  const body = JSON.stringify(refusal.body())
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}

function refusalOf(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return new Refusal('headers_too_large', {})
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal('too_slow', {})
  return new Refusal('unreadable', { field: null, sentence: 'The request is not valid HTTP/1.1', problem: 'The request could not be read' })
}

/** Compiles checks of bodies for which customers wait; others at their first request: compiling all takes 25 MB. */
async function prepareBodies(): Promise<void> {
  for (const { partialResponse, body } of endpoints)
    if (partialResponse && body) {
      await nextTurn()
      prepare(body)
    }
}

/** The first steps of every request, in one hook: each hook costs a payment time. OPTIONS even at shutdown. */
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
    // An idle connection does not delay the shutdown: not even one without a request, which Node counts as busy.
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

/** In milliseconds. RFC 9116 recommends less than a year; readers fetch the file again before it expires. */
const SECURITY_CONTACT_VALID_MS = 180 * 86_400_000

/** Serves `/.well-known/security.txt` (RFC 9116), for researchers. `contact`: `mailto:` or `https:`. */
function serveSecurityContact(app: FastifyInstance, { context, services }: Service, contact: string): void {
  app.get('/.well-known/security.txt', async (_request, reply) => {
    const address = `${services.publicUrl}/.well-known/security.txt`
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${later(context.now(), SECURITY_CONTACT_VALID_MS)}`,
      'Preferred-Languages: en',
      `Canonical: ${address}`,
    ]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}

/** The most member names of a body that the request log keeps. Names of members that no operation has are not kept. */
const MOST_MEMBERS = 100

/** For the merchant's request log: object, members and status. Requests for the log itself are not logged. */
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

/** For plain curl in a terminal: the next prompt begins on a new line. Never in the stored answer. */
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
