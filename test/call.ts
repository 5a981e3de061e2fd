import { Agent, request } from 'undici'
import { isDocumented } from './documented.ts'
import { noteCall } from './operation-calls.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer of the interface, as a client meets it
export type Body = any
export type Answer = { status: number; body: Body; text: string; headers: Record<string, string | string[] | undefined> }

/**
 * A connection that was idle for 20 seconds is not used again. A server closes one after 72 seconds, and a busy machine
 * tells the client of that late: the next call would end with ECONNRESET.
 */
const dispatcher = new Agent({ keepAliveMaxTimeout: 20_000 })

/** Makes one HTTP call, as any client would. A `body` that is not text or bytes is sent as JSON. */
export async function http(method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const raw = typeof body === 'string' || Buffer.isBuffer(body)
  const answer = await request(url, {
    dispatcher,
    method: method as 'GET',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
  })
  noteCall(method, url, answer.statusCode)
  const text = await answer.body.text()
  let parsed: Body = null
  try {
    parsed = JSON.parse(text)
  } catch {}
  isDocumented(method, url, answer.statusCode, answer.headers, parsed)
  return { status: answer.statusCode, body: parsed, text, headers: answer.headers }
}
