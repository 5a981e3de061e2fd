import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Answers up to this length fit into one packet, or nearly: they are sent as they are, and cost nothing. */
const LEAST_BYTES = 4_096
/**
 * Lists of payments, ms of a thread of Node's pool: brotli takes 0.1 for 4 kB, 0.3 for 50 kB and 1.1 for 200 kB,
 * leaving 1.7, 4.5 and 12 kB; gzip 0.06, 0.2 and 1.5. Brotli of quality 9 takes 20 to 40 times as long, for 5 % less.
 */
const BROTLI_QUALITY = 4
const GZIP_LEVEL = 5

const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)]
const encodings = ['br', 'gzip', 'identity']

/**
 * A long text, if the client accepts an encoding. No streams, no files, and nothing in a browser's session: the length
 * must not tell another page the content (BREACH).
 */
export const isCompressed = (request: FastifyRequest, reply: FastifyReply, payload: unknown): payload is string =>
  typeof payload === 'string' &&
  payload.length >= LEAST_BYTES &&
  request.headers['accept-encoding'] !== undefined &&
  request.headers.cookie === undefined &&
  !reply.hasHeader('content-encoding')

/** Returns which of the encodings the client prefers. Their names have no case (RFC 9110 8.4.1). */
const preferred = ({ headers }: FastifyRequest, offered: string[]): string | null =>
  negotiate(String(headers['accept-encoding']).toLowerCase(), offered)

/** Whether the client accepts a file that is kept compressed. */
export const takesGzip = (request: FastifyRequest): boolean => preferred(request, ['gzip', 'identity']) === 'gzip'

/** Returns a long answer in the encoding that the client prefers, with the headers that say so. */
export async function compressed(request: FastifyRequest, reply: FastifyReply, payload: string): Promise<string | Buffer> {
  reply.header('vary', 'accept-encoding')
  const encoding = preferred(request, encodings)
  if (encoding !== 'br' && encoding !== 'gzip') return payload
  const bytes = Buffer.from(payload)
  const size = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length, [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
  const short = encoding === 'br' ? await brotli(bytes, { params: size }) : await gzipped(bytes, { level: GZIP_LEVEL })
  reply.header('content-encoding', encoding).removeHeader('content-length')
  return short
}
