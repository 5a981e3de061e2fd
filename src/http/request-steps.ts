import { holdsCardNumber } from '../base/card-number.ts'
import { refuse } from '../base/refusal.ts'
import { tokenIn } from '../users/sessions.ts'
import { admits } from './auth.ts'
import { readBody } from './body.ts'
import { type Bearer, bearer, who } from './credentials.ts'
import type { Endpoint } from './endpoint.ts'
import { readForm } from './form.ts'
import { single } from './header.ts'
import type { HttpExchange } from './http-exchange.ts'
import { checkWebhookAddress } from './personal-data-mask.ts'
import { checkProfileObjects } from './profile-access.ts'
import { applyProfile, doerOf, narrowedTo } from './profile-header.ts'
import { checkQuery, readQuery } from './query.ts'
import { pageOf, sessionBearer } from './session.ts'
import { checkShape } from './shape.ts'

// The steps that read a request and check it, until it is certain that this caller may ask this.

export function checkIds({ addresses, request, path }: HttpExchange): void {
  for (const name in path)
    if (path[name]!.includes('\u0000') || holdsCardNumber(path[name]!)) throw addresses.nothingAt(request.method, request.url)
}

export const authenticateCaller = (exchange: HttpExchange): Promise<void> => identify(exchange).then(found => keepBearer(exchange, found))

function keepBearer(exchange: HttpExchange, found: Bearer): void {
  exchange.bearer = found
  if (found.is !== 'nobody' && found.is !== 'user') exchange.noted.merchant_id = 'merchant' in found ? found.merchant.merchant_id : 'admin'
}

/** Authenticates the session of a person who sends no key, or the key. */
function identify({ service, endpoint, request, path }: HttpExchange): Promise<Bearer> {
  const { headers, method } = request
  const given = {
    apiKey: single(headers['api-key']),
    authorization: headers.authorization,
    merchant_in_path: path.merchant_id,
    customer_in_path: path.customer_id,
    // An empty header counts as absent.
    connected: single(headers['x-connected-merchant-id']) || undefined,
  }
  const { cookie } = headers
  const bySession = cookie !== undefined && given.apiKey === undefined && given.authorization === undefined
  const token = bySession && endpoint.auth.credential !== 'nothing' ? tokenIn(cookie) : undefined
  if (token === undefined) return bearer(service.settings, service.adminKey, endpoint, given, service.context.now())
  const { connected, merchant_in_path } = given
  const csrf = single(headers['x-csrf-token'])
  const byItself = headers['x-by-itself'] === 'true'
  return sessionBearer(service, endpoint, { method, csrf, page: pageOf(headers), byItself, connected, merchant_in_path }, token)
}

export function readRequest(exchange: HttpExchange): Promise<void> | undefined {
  const { endpoint, request } = exchange
  exchange.query = readQuery(endpoint.query, request.query as Record<string, unknown>)
  const read = bodyOf(exchange)
  if (read instanceof Promise) return read.then(body => keepBody(exchange, body))
  keepBody(exchange, read)
  return undefined
}

function keepBody(exchange: HttpExchange, body: Record<string, unknown>): void {
  exchange.body = body
  exchange.noted.members = Object.keys(body)
}

/** Reads the body. A GET request has no body members. */
function bodyOf({ endpoint, request, raw }: HttpExchange): Record<string, unknown> | Promise<Record<string, unknown>> {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && raw.length > 0 && !/^(?:identity)?$/i.test(encoding)) refuse('compressed')
  if (endpoint.method === 'GET' || endpoint.rawBody) return {}
  const type = request.headers['content-type']
  if (endpoint.form) return readForm(raw, type, endpoint.form === true ? [] : endpoint.form.files)
  return readBody(raw, type, outermost(endpoint))
}

const outermost = ({ body }: Endpoint) => ((body as { type?: string } | undefined)?.type === 'array' ? 'array' : 'object')

export function identifyCaller(exchange: HttpExchange): void {
  const { bearer, endpoint, body, query } = exchange
  const client_secret = body.client_secret ?? query.client_secret
  const isNamed = typeof client_secret === 'string' && admits(endpoint.auth, 'client')
  exchange.who = who(bearer, isNamed ? client_secret : undefined)
}

export function applyProfileHeader({ endpoint, request, who, path, body }: HttpExchange): void {
  const profile_id = narrowedTo(request.headers)
  if (profile_id !== null) applyProfile(endpoint, who, profile_id, path, body)
}

export function checkShapes({ endpoint, body, query, raw }: HttpExchange): void {
  if (endpoint.body) checkShape(endpoint.body, body, raw)
  if (endpoint.query) checkQuery(endpoint.query, query)
}

export function authorizeCaller({ service, endpoint, who, path, query, body }: HttpExchange): Promise<void> | undefined {
  checkWebhookAddress(endpoint, body, who)
  const doer = doerOf(who)
  return doer === null ? undefined : checkProfileObjects(service.context, endpoint.auth, doer, { path, query, body })
}
