import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../base/refusal.ts'
import type { Log } from '../world.ts'

/** What was found out about a request, for its line in the log. */
type Noted = { merchant_id?: string; refused?: Refusal }

export const note = (request: FastifyRequest, facts: Noted): void => void Object.assign(request, facts)

/** Our own keys and client_secrets, which a caller may have written where they do not belong. */
const SECRETS = /(?:\b(?:snd|prod|pk_snd|pk_prd)_|_secret_)[0-9A-Za-z]{8,}/g

const hush = (words: string | undefined): string | undefined => words?.replace(SECRETS, '[secret]')

/** One line for each answer. Of a refused request it says why, in the words that the caller got: they name fields, and values only where those are ids, states or amounts. */
export function logAnswer(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const { merchant_id, refused } = request as Noted
  const line = {
    req_id: request.id,
    method: request.method,
    route: request.routeOptions.url,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    merchant_id,
  }
  const why = refused && { code: refused.entry.code, field: hush(refused.field), message: hush(refused.message) }
  log.info(why ? { ...line, ...why } : line, 'answered')
}
