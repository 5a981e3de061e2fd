import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { ClientOptions } from '../src/types.ts'

/** The faults that a request or its answer may meet in the network. */
export const faults = [
  'reset before',
  'reset after',
  'hang before',
  'hang after',
  'half a body',
  'no JSON',
  '409',
  '429',
  '503',
  '502 after',
] as const
export type Fault = (typeof faults)[number]

const refusal = { type: 'api', error_type: 'api', code: 'HE_00', message: 'not now', help: 'not now' }

/** Returns a random generator that gives the same numbers for the same seed. */
export function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/**
 * Opens a network between clients and the service that applies the faults of `faultOf`. The `x-client` header names
 * the client of a request. No time passes: when a request hangs, the client's deadline passes at once.
 */
export async function openFaultyNetwork(target: string, faultOf: () => Fault | null) {
  const deadlines = new Map<string, Set<AbortController>>()
  const happened = new Map<Fault, number>()
  const keys: (string | undefined)[] = []

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = faultOf()
    if (fault !== null) happened.set(fault, (happened.get(fault) ?? 0) + 1)
    const body = await bodyOf(request)
    keys.push(request.headers['idempotency-key'] as string | undefined)
    const hang = () => {
      for (const one of deadlines.get(String(request.headers['x-client'])) ?? []) one.abort()
    }
    if (fault === 'reset before') return void request.socket.destroy()
    if (fault === 'hang before') return hang()
    if (fault === '409' || fault === '429' || fault === '503') {
      response.writeHead(Number(fault), { 'content-type': 'application/json', 'retry-after': '1' })
      return void response.end(JSON.stringify({ error: refusal }))
    }
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
    const answer = await fetch(target + request.url, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    })
    const text = Buffer.from(await answer.arrayBuffer())
    if (fault === 'reset after') return void request.socket.destroy()
    if (fault === 'hang after') return hang()
    if (fault === '502 after') return void response.writeHead(502).end('<html>Bad gateway</html>')
    if (fault === 'no JSON')
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(text.subarray(0, text.length / 2))
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'content-length': text.length,
      'x-request-id': answer.headers.get('x-request-id') ?? '',
    })
    if (fault !== 'half a body') return void response.end(text)
    response.write(text.subarray(0, text.length / 2), () => request.socket.destroy())
  }
  const server = createServer((request, response) => void serve(request, response).catch(() => request.socket.destroy()))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    happened,
    /** The Idempotency-Key of each request received. */
    keys,
    /** Returns the options of a client of this network, and the list of its pauses, which take no time. */
    clientOf(name: string, apiKey: string): { options: ClientOptions; pauses: number[] } {
      const own = new Set<AbortController>()
      deadlines.set(name, own)
      const pauses: number[] = []
      const random = dice(7)
      return {
        pauses,
        options: {
          apiKey,
          baseUrl: url,
          fetch: (input, init) => fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), 'x-client': name } }),
          waits: {
            sleep: async ms => void pauses.push(ms),
            deadline() {
              const controller = new AbortController()
              own.add(controller)
              return { signal: controller.signal, clear: () => own.delete(controller) }
            },
            random,
            now: Date.now,
          },
        },
      }
    },
  }
}
