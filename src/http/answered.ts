import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../base/refusal.ts'
import type { Log } from '../context.ts'
import { PAYMENT } from '../payments/payment.ts'

/** A version of an object that a request has written. */
export type WrittenVersion = { kind: string; id: string; version: number }

/**
 * What was found out about a request: for its line in the log, and for its merchant's. `members`: of its body, their
 * names.
 */
export type Noted = {
  merchant_id?: string
  by?: string
  members?: string[]
  wrote?: WrittenVersion[]
  replayed?: true
  trace_id?: string
  refused?: Refusal
}

export const note = (request: FastifyRequest, facts: Noted): void => void Object.assign(request, facts)
export const notedOf = (request: FastifyRequest): Noted => request as Noted

/** Our own keys and client_secrets, which a caller may have written where they do not belong. */
const SECRETS = /(?:\b(?:snd|prod|prd|pk_snd|pk_prd)_|_secret_)[0-9A-Za-z]{8,}/g

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
 * words that the caller got: they name fields, and values only where those are ids, states or amounts.
 */
export function logAnswer(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const { merchant_id, by, wrote, replayed, trace_id, refused } = notedOf(request)
  const { merchant_id: _merchant, ...path } = merchant_id === undefined ? {} : ((request.params ?? {}) as Record<string, string>)
  const ids = Object.fromEntries(Object.entries(path).map(([name, id]) => [name, redactBody(id)]))
  const line = {
    req_id: request.id,
    method: request.method,
    route: request.routeOptions.url,
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
