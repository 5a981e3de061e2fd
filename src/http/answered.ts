import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../base/refusal.ts'
import type { Log } from '../context.ts'
import { PAYMENT } from '../payments/payment.ts'

/** A version of an object that a request has written. */
export type WrittenVersion = { kind: string; id: string; version: number }

/**
 * What was found out about a request: for its line in the log, and for its merchant's. `members`: of its body, their
 * names. All of it is there from the start, undefined, and none of it stands on the request itself: members that come
 * one after another would give the requests many shapes, and all that handles them would be compiled again and again.
 */
export type Noted = {
  merchant_id: string | undefined
  by: string | undefined
  members: string[] | undefined
  wrote: WrittenVersion[] | undefined
  replayed: true | undefined
  trace_id: string | undefined
  refused: Refusal | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until something is noted (`notedOf`). */
    noted: Noted | null
  }
}

/** What is noted of a request: what is found out is written here. */
export function notedOf(request: FastifyRequest): Noted {
  request.noted ??= {
    merchant_id: undefined,
    by: undefined,
    members: undefined,
    wrote: undefined,
    replayed: undefined,
    trace_id: undefined,
    refused: undefined,
  }
  return request.noted
}

/** Our own keys and client_secrets, which a caller may have written where they do not belong. */
const SECRETS = /(?:\b(?:snd|prod|prd|pk_snd|pk_prd|swsess|swlink)_|_secret_)[0-9A-Za-z]{8,}/g

export const redactBody = (words: string | undefined): string | undefined => words?.replace(SECRETS, '[secret]')

/** What a request was about: what its address names, else what it wrote first. */
export function objectOf(request: FastifyRequest): string | null {
  const { merchant_id: _merchant, ...path } = (request.params ?? {}) as Record<string, string>
  return redactBody(Object.values(path).at(-1)) ?? notedOf(request).wrote?.[0]?.id ?? null
}

/** The payment that a request was about: named by its address, or written by it. */
export function paymentOf(request: FastifyRequest): string | undefined {
  const { payment_id } = (request.params ?? {}) as Record<string, string>
  return redactBody(payment_id) ?? notedOf(request).wrote?.find(({ kind }) => kind === PAYMENT)?.id
}

/**
 * One wide line for each answer, with every id that it can be searched by. Of a refused request it says why, in the
 * words that the caller got: they name fields, and values only where those are ids, states or amounts. `route`: the
 * path as it is documented; undefined if none was found.
 */
export function logAnswer(log: Log, request: FastifyRequest, reply: FastifyReply, route: string | undefined): void {
  const { merchant_id, by, wrote, replayed, trace_id, refused } = notedOf(request)
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
    trace_id,
  }
  const why = refused && {
    code: refused.entry.code,
    field: redactBody(refused.field),
    message: redactBody(refused.message),
    why: redactBody(refused.why),
  }
  log.info(why ? { ...line, ...why } : line, 'answered')
}
