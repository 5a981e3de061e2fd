import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../base/refusal.ts'
import type { Log } from '../context.ts'
import { PAYMENT } from '../payments/payment.ts'
import type { Trace } from '../telemetry/traces.ts'

/** A version of an object that a request has written. */
export type WrittenVersion = { kind: string; id: string; version: number }

/**
 * Facts for the log's line and the merchant's request log. All exist from the start, as undefined: added one by one,
 * they would give requests many shapes, for which the engine compiles again and again.
 */
export type Noted = {
  merchant_id: string | undefined
  by: string | undefined
  members: string[] | undefined
  wrote: WrittenVersion[] | undefined
  replayed: true | undefined
  /** The trace of the request, if tracing is on. */
  trace: Trace | undefined
  refused: Refusal | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The facts noted about the request, null until something is noted (`notedOf`). */
    noted: Noted | null
  }
}

/** Returns the object in which facts about a request are noted; creates it at the first call. */
export function notedOf(request: FastifyRequest): Noted {
  request.noted ??= {
    merchant_id: undefined,
    by: undefined,
    members: undefined,
    wrote: undefined,
    replayed: undefined,
    trace: undefined,
    refused: undefined,
  }
  return request.noted
}

/** API keys and client_secrets of this service, which a caller may have written in the wrong place. */
const SECRETS = /(?:\b(?:snd|prod|prd|pk_snd|pk_prd|swsess|swlink)_|_secret_)[0-9A-Za-z]{8,}/g

export const redactBody = (text: string | undefined): string | undefined => text?.replace(SECRETS, '[secret]')

/** The id in the request's address, else of the object that it wrote first. */
export function objectOf(request: FastifyRequest): string | null {
  const { merchant_id: _merchant, ...path } = (request.params ?? {}) as Record<string, string>
  return redactBody(Object.values(path).at(-1)) ?? notedOf(request).wrote?.[0]?.id ?? null
}

/** The payment in the request's address, or one that it wrote. */
function paymentOf(request: FastifyRequest): string | undefined {
  const { payment_id } = (request.params ?? {}) as Record<string, string>
  return redactBody(payment_id) ?? notedOf(request).wrote?.find(({ kind }) => kind === PAYMENT)?.id
}

/**
 * One line for each answer, with every id to search by; of a refusal, the caller's words: fields, and values only if
 * ids, states or amounts. `route`: as documented; undefined if none matched.
 */
export function logAnswer(log: Log, request: FastifyRequest, reply: FastifyReply, route: string | undefined): void {
  const { merchant_id, by, wrote, replayed, trace, refused } = notedOf(request)
  const ids: Record<string, string | undefined> = {}
  if (merchant_id !== undefined) {
    const path = request.params as Record<string, string>
    for (const name in path) if (name !== 'merchant_id') ids[name] = redactBody(path[name])
  }
  const line = {
    req_id: request.id,
    method: request.method,
    route,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    merchant_id,
    payment_id: merchant_id === undefined ? undefined : paymentOf(request),
    by,
    ids,
    wrote,
    replayed,
    trace_id: trace?.trace_id,
  }
  const why = refused && {
    code: refused.entry.code,
    field: redactBody(refused.field),
    message: redactBody(refused.message),
    why: redactBody(refused.why),
  }
  log.info(why ? { ...line, ...why } : line, 'answered')
}
