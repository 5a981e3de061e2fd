import { Refusal, refuse } from '../base/refusal.ts'
import type { Context, Origin } from '../context.ts'
import { tableNamed } from '../database/table.ts'
import { reportAttemptsOf } from '../telemetry/attempts.ts'
import { narrowed } from '../users/person.ts'
import { NeedsSecondPerson } from '../users/second-person.ts'
import type { WrittenVersion } from './access-log.ts'
import { hold } from './approval-requests.ts'
import { openBySecret } from './client-secret-auth.ts'
import { callerName } from './credentials.ts'
import { type ApiRequest, type Result, type Service, takesKey } from './endpoint.ts'
import type { HttpExchange } from './http-exchange.ts'
import { answerUnder, keyedAs } from './idempotency-key.ts'
import { elsewhere } from './merchant-relocation.ts'
import { shownTo } from './personal-data-mask.ts'
import { doerOf } from './profile-header.ts'
import { cutShort, lifetimeContext } from './request-lifetime.ts'
import { showApproval } from './routes/approvals-answers.ts'
import { disconnected, JSON_TYPE } from './send.ts'

// The steps that run the operation of a checked request.

export function prepareContext(exchange: HttpExchange): void {
  const { service, endpoint, request, noted, who, key } = exchange
  const outer = noted.trace?.around(service.context) ?? service.context
  const by = callerName(who)
  const wrote: WrittenVersion[] = []
  noted.by = by
  noted.wrote = wrote
  const commit = commitFrom(outer, service.watch, { request_id: request.id, address: request.ip }, wrote)
  const named = { ...outer, by, commit }
  exchange.aside = named
  exchange.context = endpoint.partialResponse && key === undefined ? lifetimeContext(exchange, named) : named
}

/** Adds the origin to changes of audited tables, notes versions written, reports attempts to the telemetry. */
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

export function findMerchant(exchange: HttpExchange): Promise<void> | undefined {
  const { who } = exchange
  if (!('merchant' in who)) return merchantOf(exchange)
  exchange.merchant = who.merchant
  return undefined
}

/** For the admin key, the path's. Without a credential, the operation finds it, or refuses in its own words. */
async function merchantOf(exchange: HttpExchange): Promise<void> {
  const { service, endpoint, who, path } = exchange
  const { merchant_id } = path
  if (endpoint.auth.credential === 'nothing' || merchant_id === undefined) return
  const found = await service.settings.merchant(merchant_id)
  const person = doerOf(who)
  const isOwn = person !== null && person.merchant?.merchant_id === merchant_id
  if (!found || (found.deleted && !endpoint.ofDeleted)) refuse('not_found', { what: 'merchant account' })
  exchange.merchant = narrowed(found, isOwn ? person.profile_ids : null)
}

export function relocate(exchange: HttpExchange): Result | null | Promise<Result | null> {
  const { service, endpoint, merchant, path, request } = exchange
  const isNamed = merchant === null && endpoint.auth.credential === 'nothing' && path.merchant_id !== undefined
  if (!isNamed) return elsewhere(merchant, endpoint, request.url)
  return service.settings.merchant(path.merchant_id!).then(named => elsewhere(named ?? null, endpoint, request.url))
}

export function openObject(exchange: HttpExchange): Promise<void> | undefined {
  const { endpoint, who, path, context } = exchange
  if (!('client_secret' in who)) return undefined
  return openBySecret(endpoint, who, path, context).then(opened => {
    exchange.opened = opened
  })
}

export function prepareCall(exchange: HttpExchange): void {
  const { service, context, aside, who, merchant, opened, path, query, body, raw, request, reply } = exchange
  exchange.call = {
    service,
    context,
    aside,
    services: service.services,
    who,
    merchant,
    platform: who.is === 'secret' ? (who.platform ?? undefined) : undefined,
    person: 'user' in who && who.user ? { user_id: who.user.user_id, role: who.user.role, approved: null } : undefined,
    opened: opened?.payment ?? null,
    path,
    query,
    body,
    raw,
    address: request.ip,
    headers: request.headers,
    gone: () => disconnected(service, reply),
  }
}

export function claimKey(exchange: HttpExchange): void {
  const { endpoint, key, who, call, opened, request } = exchange
  if (key === undefined || !takesKey(endpoint)) return
  exchange.keyed = keyedAs(call!, key, request.url, who.is === 'client' ? (opened?.id ?? null) : null)
}

export async function run(exchange: HttpExchange): Promise<Result> {
  const { endpoint, reply, keyed } = exchange
  const call = exchange.call!
  const shown = shownTo(call.who, endpoint.tag.confidential)
  try {
    const result = keyed === null ? shown.result(await endpoint.run(call)) : await runUnderKey(exchange, call)
    if (endpoint.async) reply.code(202)
    return result
  } catch (error) {
    if (!(error instanceof NeedsSecondPerson)) return begunBefore(exchange, error)
    const approval = await hold(endpoint, call, exchange.request.url, keyed, error)
    reply.code(202)
    return shown.result({ json: await showApproval(call.context, approval) })
  }
}

async function runUnderKey({ endpoint, keyed, reply, noted }: HttpExchange, call: ApiRequest): Promise<Result> {
  const { body, replayed } = await answerUnder(endpoint, call, keyed!)
  if (replayed) {
    reply.header('idempotent-replayed', 'true')
    noted.replayed = replayed
  }
  return { text: body, type: JSON_TYPE }
}

/** The object that a failed request has begun, if any: the work may still charge the customer. */
function begunBefore(exchange: HttpExchange, error: unknown): Result {
  const { service, keyed, written, request } = exchange
  if (keyed !== null || written.length === 0 || error instanceof Refusal) throw error
  service.context.log.error({ err: error, req_id: request.id }, 'a request was not completed')
  return cutShort(exchange)
}
