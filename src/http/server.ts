import { Readable } from 'node:stream'
import cors from '@fastify/cors'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { canonical } from '../base/canonical.ts'
import { holdsCardNumber } from '../base/card-number.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import { DatabaseAway } from '../database/connection.ts'
import { tableNamed } from '../database/table.ts'
import { lastingPart } from '../means/brought.ts'
import { findMethodBySecret, type Method, needMethod } from '../payment-methods/method.ts'
import { paymentOfLink } from '../payments/link.ts'
import type { Payment } from '../payments/payment.ts'
import { needPayment } from '../payments/plan.ts'
import { needPayout } from '../payouts/plan.ts'
import { tellsAttempts } from '../telemetry/attempts.ts'
import type { Trace } from '../telemetry/traces.ts'
import { VaultAway } from '../vault/split.ts'
import type { Origin, World } from '../world.ts'
import { hush, logAnswer, note, notedOf, objectOf, type Written } from './answered.ts'
import { readBody } from './body.ts'
import { type Course, cutShort, inTime, openCourse, worldOf } from './course.ts'
import { isForCustomer, pageHeaders, refusalPage } from './customer-page.ts'
import { documentPages } from './docs.ts'
import { type Call, type ClientSecretOf, type Endpoint, type Result, type Service, takesKey } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { LARGEST_FORM, readForm } from './form.ts'
import { LONGEST_KEY, once } from './idempotency.ts'
import { servePages } from './pages.ts'
import { applyProfile, narrowedTo } from './profile.ts'
import { readQuery } from './query.ts'
import { requestId } from './request-id.ts'
import { checkShape, prepare } from './shape.ts'
import { type Addresses, openAddresses } from './welcome.ts'
import { admits, type Bearer, bearer, checkClientSecret, nameOf, type Who, who } from './who.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const LARGEST_BODY = 256 * 1024

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
  'x-client-version',
  'x-merchant-domain',
  'x-payment-confirm-source',
  'x-feature',
]

/** The HTTP door. Everything it knows of the interface it reads off the table of endpoints. `only`: of a process that takes no payments nothing is there but how it goes with it. */
export function openServer(service: Service, options: { trustedProxies: readonly string[]; only?: 'health' | null }): FastifyInstance {
  const app = Fastify({
    logger: false,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: LARGEST_BODY,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    genReqId: raw => requestId(raw.headers['x-request-id'], service.world),
    routerOptions: { maxParamLength: 512 },
    forceCloseConnections: 'idle',
    // Whoever comes while it stops hears so from the catalogue, below.
    return503OnClosing: false,
    // An address that cannot be decoded never reaches the error handler.
    frameworkErrors: (error, request, reply) => sendError(service, request, reply as FastifyReply, error),
  })
  app.server.headersTimeout = 15_000
  // Bodies come as bytes: webhooks are verified over them, and JSON is read by `body.ts` with an error of our own catalogue.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const addresses = openAddresses(app)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] !== undefined) return done()
    // No browser before a request of another origin, but somebody who wants to know.
    const welcome = addresses.welcome(request.url)
    if (welcome.length === 0) return done(addresses.nothingAt(request.method, request.url))
    reply
      .code(204)
      .headers({ allow: welcome.join(', '), 'access-control-allow-origin': '*' })
      .send()
  })
  app.register(cors, {
    origin: '*',
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: CLIENT_HEADERS,
    exposedHeaders: ['x-request-id', 'idempotent-replayed', 'retry-after', 'force-sync-unanswered'],
    maxAge: 86_400,
  })
  let stopping = false
  app.addHook('preClose', done => {
    stopping = true
    for (const end of streams) end()
    done()
  })
  app.after(() => {
    app.addHook('onRequest', (_request, _reply, done) => {
      if (stopping) done(new Refusal('unavailable', { words: 'The service is stopping, and nothing was begun; ask again' }))
      else done()
    })
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done(null, endsLine(request, reply) && typeof payload === 'string' ? `${payload}\n` : payload)
  })
  const { watch } = service
  app.addHook('onResponse', (request, reply, done) => {
    logAnswer(service.world.log, request, reply)
    const route = request.routeOptions.url ?? 'none'
    watch.request?.(request.method, route, reply.statusCode, reply.elapsedTime)
    traceOf.get(request)?.end(reply.statusCode, {
      'http.route': route,
      'switchyard.req_id': request.id,
      'switchyard.merchant_id': notedOf(request).merchant_id ?? '',
    })
    if (watch.requestLog) keepLine(service, watch.requestLog, request, reply)
    done()
  })
  if (watch.traces) {
    const { traces } = watch
    app.addHook('onRequest', (request, _reply, done) => {
      const trace = traces.begin(`${request.method} ${request.routeOptions.url ?? 'none'}`, request.headers)
      traceOf.set(request, trace)
      note(request, { trace_id: trace.trace_id })
      done()
    })
  }
  app.setErrorHandler((error, request, reply) => sendError(service, request, reply, error))
  app.setNotFoundHandler((request, reply) => sendError(service, request, reply, addresses.nothingAt(request.method, request.url)))

  app.register(async routes => {
    const isHere = ({ path }: Endpoint) => options.only !== 'health' || path.startsWith('/health')
    for (const endpoint of endpoints.filter(isHere)) mount(routes, service, addresses, endpoint)
    if (options.only !== 'health') {
      documentPages(routes)
      servePages(routes)
    }
  })
  return app
}

/** Of a body so many names are kept; what is no name of a member is not. */
const MOST_MEMBERS = 100

const traceOf = new WeakMap<FastifyRequest, Trace>()

/** A request of a merchant, for that merchant's eyes: what it was about and how it was answered. Looks at this log are not in it. */
function keepLine(
  service: Service,
  requestLog: NonNullable<Service['watch']['requestLog']>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { merchant_id, by = 'nobody', members = [], wrote = [], refused } = notedOf(request)
  const route = request.routeOptions.url
  if (merchant_id === undefined || merchant_id === 'admin' || route === undefined || route.startsWith('/logs')) return
  requestLog.add({
    merchant_id,
    request_id: request.id,
    by,
    method: request.method,
    route: route.replace(/:(\w+)/g, '{$1}'),
    path: hush(request.url.split('?')[0])!,
    object_id: objectOf(request),
    status: reply.statusCode,
    latency_ms: Math.round(reply.elapsedTime),
    members: members.filter(name => /^[a-z]\w{0,63}$/.test(name) && hush(name) === name).slice(0, MOST_MEMBERS),
    error_code: refused?.entry.code ?? null,
    error_field: hush(refused?.field) ?? null,
    error_message: hush(refused?.message) ?? null,
    address: request.ip,
    user_agent: hush(request.headers['user-agent']) ?? null,
    wrote,
    created: service.world.now(),
  })
}

/** A person who asks with curl as it is reads the answer in a terminal, where the next prompt should not follow on the same line. Only what is sent has the line's end, never what is kept. */
const endsLine = (request: FastifyRequest, reply: FastifyReply): boolean =>
  request.headers['user-agent']?.startsWith('curl/') === true &&
  request.headers.accept === '*/*' &&
  String(reply.getHeader('content-type')).startsWith('application/json')

function mount(app: FastifyInstance, service: Service, addresses: Addresses, endpoint: Endpoint): void {
  // Where a customer waits; the others' first request does (some milliseconds): all of them compiled are 25 MB.
  if (endpoint.begun && endpoint.body) prepare(endpoint.body)
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

/** When to ask what became of something that was begun. */
const POLL_AFTER_S = 2

/** What goes back: text, a file that is made while it is sent, or nothing, if it is sent already. */
type Answer = string | Readable | undefined

function asFarAsItCame(endpoint: Endpoint, reply: FastifyReply, course: Course): Answer {
  const json = cutShort(endpoint, course)
  reply.header('retry-after', String(POLL_AFTER_S))
  return send(reply, { json })
}

/** The answer. Returning the reply itself would make Fastify wait until the last byte has gone, with all that the request holds. */
async function answer(
  service: Service,
  addresses: Addresses,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  course: Course,
): Promise<Answer> {
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const path = request.params as Record<string, string>
  // Nothing is called so, and it must not get into a row or a query.
  if (Object.values(path).some(part => part.includes('\u0000') || holdsCardNumber(part)))
    throw addresses.nothingAt(request.method, request.url)
  // Whose key it is is decided before anything else is read: a stranger learns nothing of the shapes, and costs nothing.
  const knocking = await identify(service, endpoint, request, path)
  if (knocking.is !== 'nobody') note(request, { merchant_id: 'merchant' in knocking ? knocking.merchant.merchant_id : 'admin' })
  const query = readQuery(endpoint.query, request.query as Record<string, unknown>)
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && raw.length > 0 && !/^(?:identity)?$/i.test(encoding)) refuse('compressed')
  // What comes with a question is no part of it.
  const reads = endpoint.method !== 'GET' && !endpoint.rawBody
  const type = request.headers['content-type']
  const wanted = (endpoint.body as { type?: string } | undefined)?.type === 'array' ? 'array' : 'object'
  const content = !reads
    ? {}
    : endpoint.form
      ? await readForm(raw, type, endpoint.form === true ? [] : endpoint.form.files)
      : readBody(raw, type, wanted)
  note(request, { members: Object.keys(content) })
  const client_secret = content.client_secret ?? query.client_secret
  const caller = who(knocking, admits(endpoint.takes, 'client') && typeof client_secret === 'string' ? client_secret : undefined)
  const profile_id = narrowedTo(request.headers)
  if (profile_id !== null) applyProfile(endpoint, caller, profile_id, path, content)
  if (endpoint.body) checkShape(endpoint.body, content)
  if (endpoint.query) checkShape(endpoint.query, query)

  const key = request.headers['idempotency-key']
  const address = request.ip
  const by = nameOf(caller)
  const wrote: Written[] = []
  note(request, { by, wrote })
  const outer = traceOf.get(request)?.around(service.world) ?? service.world
  const named = { ...outer, by, commit: commitFrom(outer, service.watch, { request_id: request.id, address }, wrote) }
  const world = endpoint.begun && !course.keyed ? worldOf(course, named) : named
  const merchant = await merchantOf(service, endpoint, caller, path)
  const opened = await open(endpoint, caller, path, world)
  const { headers } = request
  const call: Call = {
    service,
    world,
    here: service.here,
    who: caller,
    merchant,
    opened: opened?.payment ?? null,
    path,
    query,
    body: content,
    raw,
    address,
    headers,
    gone: () => goneOf(reply),
  }
  course.call = call
  if (typeof key === 'string' && takesKey(endpoint)) {
    const { body: text, replayed } = await underKey(endpoint, call, key, request, opened?.id ?? null)
    if (replayed) {
      reply.header('idempotent-replayed', 'true')
      note(request, { replayed })
    }
    if (endpoint.accepts) reply.code(202)
    reply.type(JSON_TYPE)
    return text
  }
  try {
    const result = await endpoint.run(call)
    if (endpoint.accepts) reply.code(202)
    return send(reply, result)
  } catch (error) {
    if (course.written.length === 0 || error instanceof Refusal) throw error
    // The database is gone, or we made a mistake. What was begun may still charge, so the caller must learn its id.
    service.world.log.error({ err: error, req_id: request.id }, 'a request did not come to its end')
    return asFarAsItCame(endpoint, reply, course)
  }
}

/** Changes that the audit log has say from where they came; of all it is noted what they wrote, and told what became of attempts. */
function commitFrom({ commit }: World, { attempt }: Service['watch'], origin: Origin, wrote: Written[]): World['commit'] {
  const telling = tellsAttempts(commit, attempt, origin.request_id)
  return async change => {
    const { audited, kind, key } = tableNamed(change.head)
    const result = await telling(audited ? { ...change, origin } : change)
    if (result.is === 'written' && kind !== null)
      wrote.push({ kind, id: change.after[key.at(-1)!] as string, version: result.row.version as number })
    return result
  }
}

/** Whose matter it is: the merchant's that asks, or for the admin key the one's that the path names. What takes nothing finds its merchant itself, and says in its own words that there is none. */
async function merchantOf({ settings }: Service, { takes }: Endpoint, caller: Who, { merchant_id }: Record<string, string>) {
  if ('merchant' in caller) return caller.merchant
  if (takes === 'nothing' || merchant_id === undefined) return null
  const found = await settings.merchant(merchant_id)
  return found && !found.deleted ? found : refuse('not_found', { what: 'merchant account' })
}

/** What a browser's client_secret opens, and until when. `payment`: if it is one. */
type Opened = { id: string; client_secret: string; expires_on: string; payment: Payment | null }

const openedPayment = (payment: Payment): Opened => ({ ...payment, id: payment.payment_id, payment })
const openedMethod = ({ payment_method_id, client_secret, secret_expires_at }: Method): Opened => ({
  id: payment_method_id,
  client_secret,
  expires_on: secret_expires_at,
  payment: null,
})

/** What it opens where: refused if it is another's, or its session is over. */
const opens: Record<
  ClientSecretOf,
  (world: World, merchant_id: string, path: Record<string, string>, client_secret: string) => Promise<Opened>
> = {
  payment: async (world, merchant_id, path) => openedPayment(await needPayment(world, merchant_id, path.payment_id!)),
  payout: async (world, merchant_id, path) => ({
    ...(await needPayout(world, merchant_id, path.payout_id!)),
    id: path.payout_id!,
    payment: null,
  }),
  'payment link': async (world, merchant_id, path) =>
    openedPayment(await needPayment(world, merchant_id, paymentOfLink(path.payment_link_id!))),
  'payment of customer': async (world, merchant_id, { customer_id }, client_secret) => {
    const payment = await needPayment(world, merchant_id, paymentOfSecret(client_secret))
    return payment.customer_id === customer_id ? openedPayment(payment) : refuse('not_found', { what: 'customer' })
  },
  'payment method': async (world, merchant_id, path) => openedMethod(await needMethod(world, merchant_id, path.payment_method_id!)),
  'any payment': async (world, merchant_id, _path, client_secret) =>
    openedPayment(await needPayment(world, merchant_id, paymentOfSecret(client_secret))),
  // That of a payment method names none, so it is looked for by the secret itself.
  'any payment or payment method': async (world, merchant_id, path, client_secret) => {
    const method = client_secret.includes('_secret_') ? undefined : await findMethodBySecret(world, merchant_id, client_secret)
    return method ? openedMethod(method) : opens['any payment'](world, merchant_id, path, client_secret)
  },
}

/** A client_secret begins with the id of its payment (contract 2.3). */
const paymentOfSecret = (client_secret: string): string => client_secret.slice(0, Math.max(0, client_secret.lastIndexOf('_secret_')))

async function open(endpoint: Endpoint, caller: Who, path: Record<string, string>, world: World): Promise<Opened | null> {
  if (caller.is !== 'client') return null
  const opened = await opens[endpoint.clientSecretOf!](world, caller.merchant.merchant_id, path, caller.client_secret)
  checkClientSecret(opened, caller.client_secret, world.now())
  return opened
}

/** Streams that are open, each with what ends it when the service stops. */
const streams = new Set<() => void>()

function goneOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const end = () => gone.abort()
  streams.add(end)
  reply.raw.once('close', () => {
    streams.delete(end)
    end()
  })
  return gone.signal
}

function send(reply: FastifyReply, result: Result): Answer {
  if ('json' in result) {
    reply.type(JSON_TYPE)
    if (result.headers) reply.headers(result.headers)
    return JSON.stringify(result.json)
  }
  if ('text' in result) {
    reply.type(result.type)
    return result.text
  }
  if ('parts' in result) {
    reply.type(result.type)
    reply.header('content-disposition', `attachment; filename="${result.name}"`)
    return Readable.from(result.parts)
  }
  if ('page' in result) {
    reply.headers('headers' in result ? result.headers : pageHeaders[result.as])
    return result.page
  }
  if ('stream' in result) {
    reply.type(result.type).header('x-accel-buffering', 'no')
    return Readable.from(result.stream)
  }
  if ('redirect' in result) reply.redirect(result.redirect, 302)
  else reply.send()
  return undefined
}

async function underKey(endpoint: Endpoint, call: Call, key: string, request: FastifyRequest, opened: string | null) {
  if (key.length === 0 || key.length > LONGEST_KEY || !/^[\x21-\x7e]+$/.test(key))
    refuse('malformed', { field: 'Idempotency-Key', expected: `1 to ${LONGEST_KEY} visible ASCII characters` })
  const { world, who } = call
  // Any number may be a key, but none that looks like a card's may stand in a row.
  const kept = holdsCardNumber(key) ? world.vault.digest('idempotency key', key) : key
  // No merchant is called @admin: the id could not be one.
  const merchant_id = 'merchant' in who ? who.merchant.merchant_id : '@admin'
  const shopper = opened ?? (who.is === 'ephemeral' ? who.key_id : null)
  const keyed = {
    merchant_id,
    // A shopper's key is another than the merchant's of the same name, and than any other shopper's: no key has a blank in it.
    key: shopper === null ? kept : `${shopper} ${kept}`,
    scope: `${who.is} POST ${request.url.split('?')[0]}`,
    digest: world.vault.digest('request body', canonical(lastingPart(call.body)) + asked(call.query)),
  }
  const story = async (claimed: Call['world']) => {
    const result = await endpoint.run({ ...call, world: claimed })
    return JSON.stringify('json' in result ? result.json : null)
  }
  const { current } = endpoint
  return once(world, keyed, story, current ? async object_id => JSON.stringify(await current(call, object_id)) : null)
}

/** What is asked for in the address is part of a request as well. */
const asked = (query: object): string => (Object.keys(query).length === 0 ? '' : `?${canonical(query)}`)

function identify(service: Service, endpoint: Endpoint, request: FastifyRequest, path: Record<string, string>): Promise<Bearer> {
  const header = (name: string) => {
    const value = request.headers[name]
    return typeof value === 'string' ? value : undefined
  }
  const given = {
    apiKey: header('api-key'),
    authorization: header('authorization'),
    merchant_in_path: path.merchant_id,
    customer_in_path: path.customer_id,
  }
  return bearer(service.settings, service.adminKey, endpoint.takes, given, service.world.now())
}

/** Every error becomes an entry of the catalogue here, and nowhere else. */
function refusalOf(error: unknown, bodyLimit: number): Refusal {
  if (error instanceof Refusal) return error
  const code = (error as { code?: string })?.code
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Refusal('unreadable', { field: null, words: `The body is larger than ${bodyLimit} bytes` })
  // Whoever hangs up in the middle of a body hears nothing, and it is no fault of ours.
  if (code === 'ECONNRESET' || (typeof code === 'string' && code.startsWith('FST_ERR')))
    return new Refusal('unreadable', { field: null, words: 'The request could not be read' })
  if (error instanceof VaultAway)
    return new Refusal('unavailable', { words: 'The vault, which keeps card numbers, cannot be reached; nothing was sent to a processor' })
  if (error instanceof DatabaseAway)
    return new Refusal('unavailable', { words: 'The database cannot be reached; nothing was changed unless the resource says so' })
  return new Refusal('internal', {})
}

/** The refusal that an error becomes; a mistake of ours is logged. */
function caught(service: Service, request: FastifyRequest, error: unknown): Refusal {
  const refusal = refusalOf(error, request.routeOptions?.bodyLimit ?? LARGEST_BODY)
  if (refusal.refusal === 'internal') service.world.log.error({ err: error, req_id: request.id }, 'a request failed')
  return refusal
}

function sendError(service: Service, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = caught(service, request, error)
  note(request, { refused: refusal })
  const { status, retryAfter, headers } = refusal.entry
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  if (headers) reply.headers(headers(refusal.facts as never))
  if (isForCustomer(request)) return reply.code(status).headers(pageHeaders.still).send(refusalPage(refusal))
  return reply.code(status).type(JSON_TYPE).send(JSON.stringify(refusal.body()))
}
