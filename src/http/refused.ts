import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../base/refusal.ts'
import { DatabaseAway, hasNoRoom } from '../database/connection.ts'
import { isFenced } from '../database/merchant-moves.ts'
import { refusalPage } from '../pages/outcome.ts'
import { VaultAway } from '../vault/split.ts'
import { notedOf } from './access-log.ts'
import { isForCustomer } from './customer-page.ts'
import type { Service } from './endpoint.ts'
import { whileMoving } from './merchant-relocation.ts'
import { JSON_TYPE } from './send.ts'

export const LARGEST_BODY = 256 * 1024

/** Returns the catalogue's entry for an error. This is the only place where errors become refusals. */
function refusalOf(error: unknown, bodyLimit: number): Refusal {
  if (error instanceof Refusal) return error
  const code = (error as { code?: string })?.code
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Refusal('unreadable', { field: null, problem: `The body is larger than ${bodyLimit} bytes` })
  // A caller that disconnects in the middle of a body gets no answer; the service has not failed.
  if (code === 'ECONNRESET' || (typeof code === 'string' && code.startsWith('FST_ERR')))
    return new Refusal('unreadable', { field: null, problem: 'The request could not be read' })
  if (error instanceof VaultAway)
    return new Refusal('unavailable', { problem: 'The card vault cannot be reached; nothing was sent to a processor' })
  if (isFenced(error)) return whileMoving({ state: 'leaving', address: null })
  if (hasNoRoom(error))
    return new Refusal('unavailable', { problem: 'The database cannot write now; retrieve the resource to see whether it was changed' })
  if (error instanceof DatabaseAway)
    return new Refusal('unavailable', { problem: 'The database cannot be reached; retrieve the resource to see whether it was changed' })
  return new Refusal('internal', {})
}

/** The kind of object that an id belongs to, by the id's prefix, and the path parameter for such ids. */
const kinds: Readonly<Record<string, readonly [kind: string, part: string]>> = {
  pay_: ['payment', 'payment_id'],
  ref_: ['refund', 'refund_id'],
  pyt_: ['payout', 'payout_id'],
  man_: ['mandate', 'mandate_id'],
  mca_: ['connector account', 'merchant_connector_id'],
  pro_: ['business profile', 'profile_id'],
}

/** If the path has another kind of object's id (not looked up); otherwise the body names what was not found. */
function sayWhatItIs(facts: { what: string; help?: string }, { params }: FastifyRequest): void {
  if (facts.help !== undefined) return
  const ids = Object.entries((params ?? {}) as Record<string, string>)
  const kindOf = (id: string) => kinds[id.slice(0, 4)]
  if (ids.some(([, id]) => kindOf(id)?.[0] === facts.what)) return
  const [, other] = ids.find(([part, id]) => (kindOf(id)?.[1] ?? part) !== part) ?? []
  if (other === undefined) return
  const [kind] = kindOf(other)!
  facts.help = `${other} is the id of a ${kind}: send the id of a ${facts.what}, or use the operations for a ${kind}`
}

/** Returns the refusal for an error; logs internal errors. */
export function caught(service: Service, request: FastifyRequest, error: unknown): Refusal {
  const refusal = refusalOf(error, request.routeOptions?.bodyLimit ?? LARGEST_BODY)
  if (refusal.refusal === 'not_found') sayWhatItIs(refusal.facts as { what: string; help?: string }, request)
  if (hasNoRoom(error)) service.context.log.error({ err: (error as Error).cause, req_id: request.id }, 'the database has no room')
  if (refusal.refusal === 'internal') service.context.log.error({ err: error, req_id: request.id }, 'a request failed')
  return refusal
}

/** Answers with the refusal for an error: with a page for a customer's browser, else with the catalogue's JSON. */
export function sendError(service: Service, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = caught(service, request, error)
  notedOf(request).refused = refusal
  const { status, retryAfter, headers } = refusal.entry
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  if (headers) reply.headers(headers(refusal.facts))
  if (isForCustomer(request)) {
    const { page, headers: policy } = refusalPage(refusal)
    return reply.code(status).headers(policy).send(page)
  }
  return reply.code(status).type(JSON_TYPE).send(JSON.stringify(refusal.body()))
}
