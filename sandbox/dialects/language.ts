// Code shared by small dialects: their calls over the one ledger, with faults. A dialect defines how its key is sent,
// the format of its errors, and its calls.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../books.ts'
import { spoilt, takeFault } from '../calls.ts'
import { behaviourOf, type CardName } from '../cards.ts'
import type { Desk } from '../desk.ts'
import type { Answer, CallName, FaultName } from '../faults.ts'
import type { Turn } from '../processor.ts'
import type { Change } from '../records.ts'
import { Refusal } from '../refusals.ts'
import type { Body } from '../requests.ts'
import { accountOf } from '../who.ts'

type Params = Record<string, string>

/** One call. `url`: the sandbox's address. `fault`: the fault ordered for the call. */
export type ApiCall = {
  account: Account
  turn: Turn
  body: Body
  params: Params
  query: Params
  headers: Headers
  url: string
  fault: FaultName | undefined
}
export type CallResult = { change?: Omit<Change, 'account'>; status?: number; body: object; replayed?: boolean }
export type Headers = FastifyRequest['headers']

type LanguageCall = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** The name by which tests order faults of this call; null for calls that have nothing to do with money. */
  call: CallName | null | ((body: Body) => CallName | null)
  /** Returns the reference of the request, and the fault of its card. Absent for calls that only read. */
  sends?(asked: {
    body: Body
    params: Params
    headers: Headers
    account: Account
  }): { reference: string; fault?: FaultName | undefined } | undefined
  act(asked: ApiCall): CallResult
}

export type Language = {
  prefix: string
  /** Returns the key that opens the account; undefined if none was sent. */
  key(headers: Headers, desk: Desk): string | undefined
  /** Reads a body. Without this method, bodies are JSON objects. */
  read?(raw: string, headers: Headers): Body
  errorResponse(refusal: Refusal): { status: number; body: object }
  calls: readonly LanguageCall[]
}

export function openLanguage(app: FastifyInstance, desk: Desk, language: Language): void {
  void app.register(
    async scope => {
      scope.setErrorHandler((error, _request, reply) => refuse(error as Error, reply, language))
      scope.setNotFoundHandler((_request, reply) => refuse(new Refusal('not_found', 'Unrecognized request URL'), reply, language))
      for (const call of language.calls)
        scope.route({
          method: call.method,
          url: call.path,
          handler: (request, reply) => perform(desk, language, call, request as FastifyRequest, reply),
        })
    },
    { prefix: language.prefix },
  )
}

async function perform(
  desk: Desk,
  language: Language,
  of: LanguageCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers } = request
  const name = accountOf({ headers: { authorization: `Bearer ${language.key(headers, desk) ?? ''}` } })
  const params = request.params as Params
  const query = request.query as Params
  const body = of.method === 'GET' ? {} : (language.read ?? readJson)(request.body as string, headers)
  const call = typeof of.call === 'function' ? of.call(body) : of.call
  const sent = of.sends?.({ body, params, headers, account: desk.account(name) })
  const { fault, ms } = (call && takeFault(desk, name, call)) ?? { fault: sent?.fault, ms: 1000 }
  const count = sent && { sent: sent.reference }
  return spoilt(
    desk,
    { request, reply },
    { name, call: call ?? 'lookup' },
    { fault, ms },
    {
      withoutEffect: () => {
        if (count) desk.write({ account: name, ...count })
      },
      effect(): Answer {
        const account = desk.account(name)
        const turn = desk.turn(account, fault === 'decline' ? 'decline' : null)
        try {
          const {
            change,
            status = 200,
            body: result,
            replayed = false,
          } = of.act({ account, turn, body, params, query, headers, url: desk.url, fault })
          if (change || count) desk.write({ account: name, ...count, ...change })
          return { status, body: result, replayed }
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          if (count) desk.write({ account: name, ...count })
          return { ...language.errorResponse(error), replayed: false }
        }
      },
    },
  )
}

function readJson(raw: string | undefined): Body {
  try {
    const body: unknown = JSON.parse(raw ?? '')
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body
  } catch {}
  throw new Refusal('invalid_request', 'The request body must be a JSON object')
}

function refuse(error: Error, reply: FastifyReply, { errorResponse }: Language): FastifyReply {
  if (error instanceof Refusal) {
    const { status, body } = errorResponse(error)
    return reply.code(status).send(body)
  }
  process.stderr.write(`${error.stack}\n`)
  return reply.code(500).send({ error: 'The sandbox had an internal error' })
}

/** Returns the fault of the card in a request; undefined if there is none or the request is not valid. */
export function cardFault(read: () => { name: CardName }): FaultName | undefined {
  try {
    return behaviourOf(read().name).fault
  } catch {
    return undefined
  }
}

/** Returns the key in `authorization: Bearer …`. */
export const bearer = (headers: Headers): string | undefined => /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]

export function basic(headers: Headers): [user: string, password: string] | undefined {
  const given = /^Basic +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const [, user, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(given ?? '', 'base64').toString()) ?? []
  return user === undefined ? undefined : [user, password!]
}
