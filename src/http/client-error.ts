import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Refusal } from '../base/refusal.ts'
import { JSON_TYPE } from './send.ts'

/**
 * Answers a request that Node's HTTP parser cannot read. Such a request never reaches Fastify: the error is written to
 * the socket directly, in the shape of every other error.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const refusal = refusalOf(error.code)
  const { status } = refusal.entry
  const body = JSON.stringify(refusal.body())
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}

function refusalOf(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return new Refusal('headers_too_large', {})
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal('too_slow', {})
  return new Refusal('unreadable', { field: null, sentence: 'The request is not valid HTTP/1.1', problem: 'The request could not be read' })
}
