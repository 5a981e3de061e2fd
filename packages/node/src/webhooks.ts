import { SignatureError } from './errors.ts'
import type { SwitchyardEvent } from './events.ts'

/**
 * The tolerance for a webhook's signing time, in seconds. Deliveries that were signed earlier or later are refused.
 */
const TOLERANCE_S = 300

type HeadersLike = { get(name: string): string | null } | Record<string, string | string[] | undefined>

/** The secret, or the old and the new one during a rotation. */
export type Secrets = string | readonly string[]

export type VerifyOptions = {
  /** The tolerance in seconds; default 300. */
  tolerance?: number
  /** Returns the time in milliseconds since 1970. */
  now?: () => number
}

const encoder = new TextEncoder()

function header(headers: HeadersLike, name: string): string | null {
  if (typeof (headers as Headers).get === 'function') return (headers as Headers).get(name)
  const found = Object.entries(headers as Record<string, string | string[] | undefined>).find(([own]) => own.toLowerCase() === name)?.[1]
  return (Array.isArray(found) ? found[0] : found) ?? null
}

function base64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), one => one.charCodeAt(0))
  } catch {
    return null
  }
}

const hex = (text: string): Uint8Array<ArrayBuffer> | null =>
  /^([0-9a-f]{2})+$/i.test(text) ? Uint8Array.from(text.match(/../g)!, pair => Number.parseInt(pair, 16)) : null

type Bytes = Uint8Array<ArrayBuffer>

/** Verifies an HMAC in constant time, with the platform's own comparison. */
async function isSigned(hash: 'SHA-256' | 'SHA-512', secret: Bytes, signature: Bytes, signed: Bytes): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash }, false, ['verify'])
  return crypto.subtle.verify('HMAC', key, signature, signed)
}

const bytesOf = (raw: string | Uint8Array): Bytes => (typeof raw === 'string' ? encoder.encode(raw) : new Uint8Array(raw))

function joined(...parts: readonly Bytes[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/**
 * Verifies a signature of Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, time and body. One valid
 * signature by one of the secrets is enough. Throws a SignatureError if the time is out of tolerance.
 */
async function isStandard(body: Bytes, headers: HeadersLike, secrets: readonly string[], options: VerifyOptions): Promise<boolean> {
  const [id, time, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(name => header(headers, name))
  if (!id || !time || !signature || !/^\d{1,12}$/.test(time)) return false
  const age = Math.abs((options.now ?? Date.now)() / 1000 - Number(time))
  if (age > (options.tolerance ?? TOLERANCE_S)) throw new SignatureError('the webhook was signed too long ago, or this clock is wrong')
  const signed = joined(encoder.encode(`${id}.${time}.`), body)
  for (const one of signature.split(' ').slice(0, 10)) {
    const signature = one.startsWith('v1,') ? base64(one.slice(3)) : null
    if (signature === null) continue
    for (const secret of secrets) {
      const key = secret.startsWith('whsec_') ? base64(secret.slice(6)) : null
      if (key !== null && key.length > 0 && (await isSigned('SHA-256', key, signature, signed))) return true
    }
  }
  return false
}

/**
 * Verifies the signature header of the ecosystem: hex HMAC-SHA512 of the body with the profile's
 * `payment_response_hash_key` as text.
 */
async function isHashed(body: Bytes, headers: HeadersLike, secrets: readonly string[]): Promise<boolean> {
  const signature = hex(header(headers, 'x-webhook-signature-512') ?? '')
  if (signature === null) return false
  for (const secret of secrets)
    if (secret !== '' && !secret.startsWith('whsec_') && (await isSigned('SHA-512', encoder.encode(secret), signature, body))) return true
  return false
}

/**
 * Returns the event of a webhook if it was signed with this secret: `whsec_…` of the endpoint (Standard Webhooks, with
 * its time), or the profile's `payment_response_hash_key`. While a secret rotates, give both. `rawBody` must be the
 * body as it was received, before it is parsed. Throws a SignatureError otherwise.
 */
export async function verify(
  rawBody: string | Uint8Array,
  headers: HeadersLike,
  secret: Secrets,
  options: VerifyOptions = {},
): Promise<SwitchyardEvent> {
  const secrets = (typeof secret === 'string' ? [secret] : secret).filter(one => typeof one === 'string' && one !== '')
  if (secrets.length === 0) throw new TypeError('secret must be the secret of the webhook endpoint')
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array))
    throw new TypeError('rawBody must be the body as it came, a text or bytes: take it before a parser does')
  const body = bytesOf(rawBody)
  if (!((await isStandard(body, headers, secrets, options)) || (await isHashed(body, headers, secrets))))
    throw new SignatureError('the webhook was not signed with this secret')
  try {
    return JSON.parse(new TextDecoder().decode(body)) as SwitchyardEvent
  } catch {
    throw new SignatureError('the webhook is no JSON')
  }
}

/**
 * Returns the headers of a delivery that is signed with this secret, as the service signs. For tests of webhook
 * receivers.
 */
export async function sign(
  rawBody: string,
  secret: string,
  { id, now = Date.now }: { id: string; now?: () => number },
): Promise<Record<string, string>> {
  const secretBytes = secret.startsWith('whsec_') ? base64(secret.slice(6)) : null
  if (secretBytes === null || secretBytes.length === 0) throw new TypeError('secret must begin with whsec_')
  const time = String(Math.floor(now() / 1000))
  const key = await crypto.subtle.importKey('raw', secretBytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const made = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(`${id}.${time}.${rawBody}`)))
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${btoa(String.fromCharCode(...made))}` }
}

type Handle = (event: SwitchyardEvent) => unknown

/**
 * Returns a receiver's answer: 400 for a webhook with a wrong signature. If the handler throws, the answer is 500, and
 * the service sends the event again.
 */
async function answerTo(raw: string | Uint8Array, headers: HeadersLike, secret: Secrets, handle: Handle): Promise<[number, string]> {
  let event: SwitchyardEvent
  try {
    event = await verify(raw, headers, secret)
  } catch (error) {
    if (error instanceof SignatureError) return [400, error.message]
    throw error
  }
  await handle(event)
  return [200, 'ok']
}

/**
 * Returns a route handler of Next.js, or of any platform with web requests:
 * `export const POST = webhooks.route(secret, handle)`.
 */
export const route =
  (secret: Secrets, handle: Handle) =>
  async (request: Request): Promise<Response> => {
    const [status, text] = await answerTo(new Uint8Array(await request.arrayBuffer()), request.headers, secret, handle)
    return new Response(text, { status })
  }

type NodeRequest = AsyncIterable<Uint8Array> & { headers: Record<string, string | string[] | undefined>; body?: unknown }
type NodeResponse = { statusCode: number; end(text: string): unknown }

/**
 * Returns a handler of Express, for use before any `express.json()` (or behind `express.raw({ type: 'json' })`):
 * `app.post('/webhooks', webhooks.express(secret, handle))`.
 */
export const express =
  (secret: Secrets, handle: Handle) =>
  async (request: NodeRequest, response: NodeResponse, next: (error: unknown) => void): Promise<void> => {
    try {
      const raw = request.body instanceof Uint8Array || typeof request.body === 'string' ? request.body : await read(request)
      const [status, text] = await answerTo(raw, request.headers, secret, handle)
      response.statusCode = status
      response.end(text)
    } catch (error) {
      next(error)
    }
  }

async function read(request: NodeRequest): Promise<Bytes> {
  if (request.body !== undefined && request.body !== null)
    throw new TypeError('the body was parsed already: put webhooks.express before express.json()')
  const chunks: Bytes[] = []
  for await (const chunk of request) chunks.push(new Uint8Array(chunk))
  return joined(...chunks)
}

type FastifyLike = {
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown
  // biome-ignore lint/suspicious/noExplicitAny: a handler of any request fits the overloads of Fastify's own type
  post(path: string, handler: (request: any, reply: any) => Promise<unknown>): unknown
  removeAllContentTypeParsers?(): unknown
}

/**
 * Returns a plugin of Fastify, which leaves bodies unparsed:
 * `app.register(webhooks.fastify('/webhooks', secret, handle))`.
 */
export const fastify =
  (path: string, secret: Secrets, handle: Handle) =>
  async (app: FastifyLike): Promise<void> => {
    app.removeAllContentTypeParsers?.()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.post(path, async (request: { body: Uint8Array; headers: Record<string, string> }, reply: { code(status: number): unknown }) => {
      const [status, text] = await answerTo(request.body ?? new Uint8Array(), request.headers, secret, handle)
      reply.code(status)
      return text
    })
  }
