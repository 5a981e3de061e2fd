import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { holdsCardNumber } from '../base/card-number.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import type { Context, Origin } from '../context.ts'
import { tableNamed } from '../database/table.ts'
import { reportAttemptsOf } from '../telemetry/attempts.ts'
import type { Trace } from '../telemetry/traces.ts'
import { narrowed } from '../users/person.ts'
import { NeedsSecondPerson } from '../users/second-person.ts'
import { tokenIn } from '../users/sessions.ts'
import { notedOf, type WrittenVersion } from './access-log.ts'
import type { Addresses } from './addresses.ts'
import { hold } from './approval-requests.ts'
import { admits } from './auth.ts'
import { readBody } from './body.ts'
import { openBySecret } from './client-secret-auth.ts'
import { type Bearer, bearer, callerName, type Who, who } from './credentials.ts'
import { type Endpoint, type EndpointCall, type Result, type Service, takesKey } from './endpoint.ts'
import { readForm } from './form.ts'
import { single } from './header.ts'
import type { Keyed } from './idempotency.ts'
import { answerUnder, keyedAs } from './idempotency-key.ts'
import { elsewhere } from './merchant-relocation.ts'
import { checkWebhookAddress, shownTo } from './personal-data-mask.ts'
import { checkProfileObjects } from './profile-access.ts'
import { applyProfile, doerOf, narrowedTo } from './profile-header.ts'
import { checkQuery, readQuery } from './query.ts'
import { type Course, courseContext, cutShort } from './request-lifetime.ts'
import { showApproval } from './routes/approvals-answers.ts'
import { pageOf, sessionBearer } from './session.ts'
import { checkShape } from './shape.ts'

// The path from a request to its answer: authenticates the caller, reads the request, runs the use case, and sends the
// result.

export const JSON_TYPE = 'application/json; charset=utf-8'

/** The trace of each request, if tracing is on. */
export const traceOf = new WeakMap<FastifyRequest, Trace>()

/** The seconds after which a caller should query the state of the work that its request began. */
const POLL_AFTER_S = 2

/**
 * The body of an answer: text, a file that is generated while it is sent, or nothing if the answer is sent already.
 */
type Answer = string | Readable | undefined

/**
 * Answers a request whose caller has waited long enough: with the object that the request has begun. Refuses if the
 * request has begun nothing.
 */
export function asFarAsItCame(endpoint: Endpoint, reply: FastifyReply, course: Course): Answer {
  const json = cutShort(endpoint, course)
  reply.header('retry-after', String(POLL_AFTER_S))
  return send(reply, { json })
}

/**
 * Answers a request. Does not return the reply itself: Fastify would then wait until the last byte is sent and keep
 * all memory of the request until then.
 */
export async function answer(
  service: Service,
  addresses: Addresses,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  course: Course,
): Promise<Answer> {
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const path = request.params as Record<string, string>
  // No object has such an id, and the value must not get into a row or a query.
  for (const name in path)
    if (path[name]!.includes('\u0000') || holdsCardNumber(path[name]!)) throw addresses.nothingAt(request.method, request.url)
  const noted = notedOf(request)
  // The key is authenticated before anything else is read: a caller without a key learns nothing of the shapes and
  // costs no work.
  const identified = await identify(service, endpoint, request, path)
  if (identified.is !== 'nobody' && identified.is !== 'user')
    noted.merchant_id = 'merchant' in identified ? identified.merchant.merchant_id : 'admin'
  const query = readQuery(endpoint.query, request.query as Record<string, unknown>)
  const read = contentOf(endpoint, request, raw)
  const content = read instanceof Promise ? await read : read
  noted.members = Object.keys(content)
  const client_secret = content.client_secret ?? query.client_secret
  const caller = who(identified, admits(endpoint.auth, 'client') && typeof client_secret === 'string' ? client_secret : undefined)
  const profile_id = narrowedTo(request.headers)
  if (profile_id !== null) applyProfile(endpoint, caller, profile_id, path, content)
  if (endpoint.body) checkShape(endpoint.body, content, raw)
  if (endpoint.query) checkQuery(endpoint.query, query)
  checkWebhookAddress(endpoint, content, caller)
  const doer = doerOf(caller)
  if (doer !== null) await checkProfileObjects(service.context, endpoint.auth, doer, { path, query, body: content })

  const key = request.headers['idempotency-key']
  const address = request.ip
  const by = callerName(caller)
  const wrote: WrittenVersion[] = []
  noted.by = by
  noted.wrote = wrote
  const outer = traceOf.get(request)?.around(service.context) ?? service.context
  const named = { ...outer, by, commit: commitFrom(outer, service.watch, { request_id: request.id, address }, wrote) }
  const context = endpoint.partialResponse && !course.keyed ? courseContext(course, named) : named
  const merchant = 'merchant' in caller ? caller.merchant : await merchantOf(service, endpoint, caller, path)
  const gone = elsewhere(merchant ?? (await merchantNamed(service, endpoint, path)), endpoint, request.url)
  if (gone) return send(reply, gone)
  const opened = 'client_secret' in caller ? await openBySecret(endpoint, caller, path, context) : null
  const { headers } = request
  const call: EndpointCall = {
    service,
    context,
    aside: named,
    services: service.services,
    who: caller,
    merchant,
    platform: caller.is === 'secret' ? (caller.platform ?? undefined) : undefined,
    person: 'user' in caller && caller.user ? { user_id: caller.user.user_id, role: caller.user.role, approved: null } : undefined,
    opened: opened?.payment ?? null,
    path,
    query,
    body: content,
    raw,
    address,
    headers,
    gone: () => goneOf(service, reply),
  }
  course.call = call
  const ofClient = caller.is === 'client' ? (opened?.id ?? null) : null
  const keyed = typeof key === 'string' && takesKey(endpoint) ? keyedAs(call, key, request.url, ofClient) : null
  return perform(endpoint, call, keyed, request, reply, course)
}

/** Runs the operation, under its Idempotency-Key if the request has one, and answers with the result. */
async function perform(
  endpoint: Endpoint,
  call: EndpointCall,
  keyed: Keyed | null,
  request: FastifyRequest,
  reply: FastifyReply,
  course: Course,
): Promise<Answer> {
  const shown = shownTo(call.who, endpoint.tag.confidential)
  try {
    if (keyed !== null) {
      const { body: text, replayed } = await answerUnder(endpoint, call, keyed)
      if (replayed) {
        reply.header('idempotent-replayed', 'true')
        notedOf(request).replayed = replayed
      }
      if (endpoint.async) reply.code(202)
      reply.type(JSON_TYPE)
      return text
    }
    const result = shown.result(await endpoint.run(call))
    if (endpoint.async) reply.code(202)
    return send(reply, result)
  } catch (error) {
    if (error instanceof NeedsSecondPerson) {
      const approval = await hold(endpoint, call, request.url, keyed, error)
      reply.code(202)
      return send(reply, shown.result({ json: await showApproval(call.context, approval) }))
    }
    if (keyed !== null || course.written.length === 0 || error instanceof Refusal) throw error
    // The database is unreachable, or the service has a bug. The work that was begun may still charge the customer, so
    // the caller must receive the object's id.
    call.service.context.log.error({ err: error, req_id: request.id }, 'a request was not completed')
    return asFarAsItCame(endpoint, reply, course)
  }
}

/** Reads the body. A GET request has no body members. */
function contentOf(endpoint: Endpoint, request: FastifyRequest, raw: Buffer): Record<string, unknown> | Promise<Record<string, unknown>> {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && raw.length > 0 && !/^(?:identity)?$/i.test(encoding)) refuse('compressed')
  const reads = endpoint.method !== 'GET' && !endpoint.rawBody
  const type = request.headers['content-type']
  const wanted = (endpoint.body as { type?: string } | undefined)?.type === 'array' ? 'array' : 'object'
  return !reads ? {} : endpoint.form ? readForm(raw, type, endpoint.form === true ? [] : endpoint.form.files) : readBody(raw, type, wanted)
}

/**
 * Returns a `commit` that adds the origin of the request to changes of audited tables, notes every version that the
 * request writes, and reports the results of attempts to the telemetry.
 */
function commitFrom({ commit }: Context, { attempt }: Service['watch'], origin: Origin, wrote: WrittenVersion[]): Context['commit'] {
  return async change => {
    const { audited, kind, key } = tableNamed(change.head)
    const result = await commit(audited ? { ...change, origin } : change)
    if (result.is !== 'written') return result
    if (change.rows.length > 0) reportAttemptsOf(change, origin.request_id, attempt)
    if (kind !== null) wrote.push({ kind, id: change.after[key.at(-1)!] as string, version: result.row.version as number })
    return result
  }
}

/**
 * Returns the merchant of a request whose key belongs to no merchant: for the admin key, the merchant in the path. An
 * operation that takes no credential looks up its merchant itself, and refuses an unknown one in its own words.
 */
async function merchantOf({ settings }: Service, { auth, ofDeleted }: Endpoint, caller: Who, { merchant_id }: Record<string, string>) {
  if (auth.credential === 'nothing' || merchant_id === undefined) return null
  const found = await settings.merchant(merchant_id)
  const person = doerOf(caller)
  const isOwn = person !== null && person.merchant?.merchant_id === merchant_id
  return found && (!found.deleted || ofDeleted)
    ? narrowed(found, isOwn ? person.profile_ids : null)
    : refuse('not_found', { what: 'merchant account' })
}

/** Returns the merchant in the path of an operation that takes no key: a processor's webhook, or a customer page. */
const merchantNamed = async ({ settings }: Service, { auth }: Endpoint, { merchant_id }: Record<string, string>) =>
  auth.credential === 'nothing' && merchant_id !== undefined ? ((await settings.merchant(merchant_id)) ?? null) : null

/** The open event streams of each service, each as the function that ends the stream when its service stops. */
const streamsOf = new WeakMap<Service, Set<() => void>>()

/** Ends all open streams of a service; those of other services in the same process go on. */
export const endStreams = (service: Service): void => {
  for (const end of streamsOf.get(service) ?? []) end()
}

function goneOf(service: Service, reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const end = () => gone.abort()
  const streams = streamsOf.get(service) ?? new Set()
  streamsOf.set(service, streams.add(end))
  reply.raw.once('close', () => {
    streams.delete(end)
    end()
  })
  return gone.signal
}

/** Returns an address as a header can contain it: only with characters of ASCII. */
const forHeader = (address: string): string => address.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent)

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
    reply.headers(result.headers)
    return result.page
  }
  if ('stream' in result) {
    reply.type(result.type).header('x-accel-buffering', 'no')
    return Readable.from(result.stream)
  }
  if ('redirect' in result) reply.headers(result.headers ?? {}).redirect(forHeader(result.redirect), 302)
  else reply.send()
  return undefined
}

function identify(service: Service, endpoint: Endpoint, request: FastifyRequest, path: Record<string, string>): Promise<Bearer> {
  const { headers } = request
  const given = {
    apiKey: single(headers['api-key']),
    authorization: headers.authorization,
    merchant_in_path: path.merchant_id,
    customer_in_path: path.customer_id,
    // An empty header counts as absent.
    connected: single(headers['x-connected-merchant-id']) || undefined,
  }
  const { cookie } = headers
  if (cookie !== undefined && endpoint.auth.credential !== 'nothing' && given.apiKey === undefined && given.authorization === undefined) {
    const token = tokenIn(cookie)
    if (token !== undefined) {
      const { connected, merchant_in_path } = given
      const from = {
        method: request.method,
        csrf: single(headers['x-csrf-token']),
        page: pageOf(headers),
        byItself: headers['x-by-itself'] === 'true',
        connected,
        merchant_in_path,
      }
      return sessionBearer(service, endpoint, from, token)
    }
  }
  return bearer(service.settings, service.adminKey, endpoint, given, service.context.now())
}
