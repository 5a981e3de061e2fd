import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, request as openRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import {
  type asks,
  type BridgeOperation,
  type BridgeRequest,
  type ErrorCode,
  readBridgeError,
  readOperation,
} from '../../src/connectors/bridge/protocol.ts'

/**
 * An adapter of the bridge as the conformance suite uses it: its operations, look-ups and notifications. Every answer
 * is checked against the protocol's shapes.
 */

/** A violation of the protocol by the adapter, worded to follow a requirement. */
export class Fault extends Error {}

export type AdapterResult = { is: 'operation'; operation: BridgeOperation } | { is: 'error'; code: ErrorCode }
export type Asks = { [T in keyof typeof asks]: Extract<BridgeRequest, { type: T }> }
export type Notification = { raw: Buffer; headers: IncomingHttpHeaders }

/** The longest time for a call, and for a notification by default, in milliseconds. */
export const PATIENCE_MS = 20_000

export type Adapter = ReturnType<typeof openAdapter>

export function openAdapter(url: string, key: string) {
  const base = `${url.replace(/\/+$/, '')}/v1`

  async function call(method: 'GET' | 'PUT', path: string, body?: unknown, bearer = key): Promise<{ status: number; body: unknown }> {
    const id = path.split('/').at(-1)!
    const answer = await request(base + path, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': id }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headersTimeout: PATIENCE_MS,
      bodyTimeout: PATIENCE_MS,
    }).catch(error => {
      throw new Fault(`${method} ${path} received no response (${error.message})`)
    })
    const text = await answer.body.text()
    try {
      return { status: answer.statusCode, body: JSON.parse(text) }
    } catch {
      throw new Fault(`${method} ${path} returned ${answer.statusCode} with a body that is not JSON: ${text.slice(0, 80)}`)
    }
  }

  async function operations(method: 'GET' | 'PUT', id: string, body?: unknown, bearer?: string): Promise<AdapterResult> {
    const answer = await call(method, `/operations/${id}`, body, bearer)
    const operation = answer.status === 200 ? readOperation(answer.body) : null
    if (operation) {
      if (operation.request_id !== id) throw new Fault(`${method} of ${id} returned another request_id: ${operation.request_id}`)
      return { is: 'operation', operation }
    }
    const error = readBridgeError(answer.status, answer.body)
    if (error) return { is: 'error', code: error.code }
    throw new Fault(
      `${method} returned ${answer.status} with a body that is neither an operation nor an error: ${JSON.stringify(answer.body).slice(0, 200)}`,
    )
  }

  return {
    call,
    put: (id: string, body: unknown, bearer?: string) => operations('PUT', id, body, bearer),
    get: (id: string) => operations('GET', id),
    /** Sends an operation, and disconnects as soon as the request is complete. */
    putAndLeave: (id: string, body: unknown) =>
      new Promise<void>(resolve => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': id }
        const leaving = openRequest(`${base}/operations/${id}`, { method: 'PUT', headers })
        leaving.on('error', () => {}).on('close', resolve)
        leaving.on('response', answer => answer.resume())
        leaving.end(JSON.stringify(body), () => leaving.destroy())
      }),
  }
}

/**
 * Opens the receiver of notifications. The first notification of each operation is refused, so that the adapter must
 * send it again.
 */
export async function openLetterbox(port: number, patience_ms: number) {
  const received: (Notification & { request_id: unknown; nth: number })[] = []
  let arrived = () => {}
  const server = createServer(async (incoming, answer) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    const request_id = idIn(raw)
    const nth = 1 + received.filter(one => one.request_id === request_id).length
    received.push({ raw, headers: incoming.headers, request_id, nth })
    answer.writeHead(nth === 1 ? 500 : 200).end()
    arrived()
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/news`,
    /** Returns the nth notification of an operation; null if none arrives in time. */
    async notification(request_id: string, nth: number): Promise<Notification | null> {
      const until = AbortSignal.timeout(patience_ms)
      for (;;) {
        const found = received.find(one => one.request_id === request_id && one.nth === nth)
        if (found || until.aborted) return found ?? null
        await new Promise<void>(resolve => {
          arrived = resolve
          until.addEventListener('abort', () => resolve(), { once: true })
        })
      }
    },
    close: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function idIn(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString()).operation.request_id
  } catch {
    return null
  }
}

/** Returns why a notification's signature is wrong; null if it is right. */
export function whyNotSigned({ raw, headers }: Notification, secret: string): string | null {
  const header = String(headers['bridge-signature'] ?? '')
  const [, t, v1] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? []
  if (t === undefined) return `The header bridge-signature must be t=<unix seconds>,v1=<64 hex digits>; it is "${header.slice(0, 100)}"`
  const expected = createHmac('sha256', secret).update(`${t}.`).update(raw).digest('hex')
  if (v1 !== expected)
    return 'The signature is wrong. It must be HMAC-SHA256 with the secret as key over t, a dot, and the bytes of the body'
  return Math.abs(Date.now() / 1000 - Number(t)) > 300
    ? 'The time in the signature differs from the current time by more than five minutes'
    : null
}
