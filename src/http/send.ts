import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Result, Service } from './endpoint.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** A text, a file generated while it is sent, or nothing if the answer is sent already. */
export type Answer = string | Readable | undefined

/** Returns an address as a header can contain it: only with characters of ASCII. */
const forHeader = (address: string): string => address.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent)

/** Sets the headers of a result and returns its body. */
export function send(reply: FastifyReply, result: Result): Answer {
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

/** Returns a signal that is aborted when the caller has disconnected or the service stops. */
export function disconnected({ streams }: Service, reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const end = () => gone.abort()
  streams.add(end)
  reply.raw.once('close', () => {
    streams.delete(end)
    end()
  })
  return gone.signal
}
