import { equal, fail } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { realContext } from '../../sandbox/context.ts'
import { openSandbox } from '../../sandbox/server.ts'
import { Secret as Hidden } from '../../src/base/secret.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { endpoints } from '../../src/http/endpoints.ts'
import { openAskedAgain } from '../../test/asked-again.ts'
import { examples } from '../../test/examples.ts'
import { openIdentityProvider } from '../../test/identity-provider.ts'
import { ADMIN_KEY, type Body, http, openPlace } from '../../test/shop.ts'
import { type ExampleAnswer, shortened } from './answers.ts'

/**
 * Time and chance, for service and sandbox: a second passes between two calls, and for each call the dice fall as
 * they did the last time, for each file that throws them: so what the service does beside a call, at whichever moment,
 * leaves the call's own as they are.
 */
export const fate = { now: Date.parse('2026-03-02T09:30:00Z'), call: '' }
function dice(owner: string): (bytes: number) => Buffer {
  let call = ''
  const throws = new Map<string, number>()
  return bytes => {
    if (call !== fate.call) throws.clear()
    call = fate.call
    const thrower = throwerOf(new Error().stack!)
    const n = throws.get(thrower) ?? 0
    throws.set(thrower, n + 1)
    const seed = `${owner} ${call} ${thrower} ${n}`
    return Buffer.from(Array.from({ length: bytes }, (_, i) => createHash('sha256').update(`${seed} ${i}`).digest()[0]!))
  }
}

/** The file, by its name alone, in which an id or a secret is made. */
const throwerOf = (stack: string): string =>
  [...stack.matchAll(/\/(?:src|sandbox)\/(?!base\/|vault\/)(?:[\w-]+\/)*([\w-]+)\.ts:/g)][0]?.[1] ?? 'nobody'

const key = Buffer.alloc(32, 7).toString('base64')
const keys = { mode: 'test', keys: JSON.stringify({ active: 'k1', sealing: { k1: key }, lookup: key }), command: null, file: null } as const
/** A body that is no example, with what is said of it in the headers. */
type Raw = { body?: string; headers: Record<string, string> }

/** When a request came that was answered on the second, after 87 ms: however long it took on this machine. */
const millisBefore = (at: string, took_ms: string): string =>
  new Date(Math.round((Date.parse(at) + Number(took_ms)) / 1000) * 1000 - 87).toISOString()

/** The parts that a path names. */
const partsOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part!)

/** Each way to choose an id for each of these parts, the earlier ids first. */
const choices = (parts: readonly string[], ids: ReadonlyMap<string, Iterable<string>>): Record<string, string>[] =>
  parts.reduce<Record<string, string>[]>((all, part) => all.flatMap(one => [...ids.get(part)!].map(id => ({ ...one, [part]: id }))), [{}])

/** Without what is of this run alone: where it listens, and how its clocks differ. */
const tidier =
  (service: string, sandbox: string, provider: string) =>
  (text: string): string =>
    text
      .replaceAll(service, 'http://127.0.0.1:8080')
      .replaceAll(sandbox, 'http://127.0.0.1:8081')
      .replaceAll(encodeURIComponent(service), encodeURIComponent('http://127.0.0.1:8080'))
      .replaceAll(provider, 'https://login.shop.example')
      .replaceAll(/"state":"\w{43}"/g, '"state":"7UfPUv3b4SyBTPGPB1n18XoaLNMjd2N6qXuUcmMJL1C"')
      .replaceAll(/"code":"[0-9a-f]{32}"/g, '"code":"c53be6f2a2b54b2f9f0e6a1d1a3c4e5f"')
      .replace(/"clock_skew_ms":-?\d+/, '"clock_skew_ms":0')
      // Webhooks of the sandbox come beside requests, so the clock of requests may have gone on by one.
      .replaceAll(/"last_webhook_at":"[^"]+"/g, '"last_webhook_at":"2026-03-02T09:38:29.000Z"')
      // The databases of tests are quick, and not safe.
      .replaceAll(/"name":"(fsync|full_page_writes|autovacuum)","value":"off","well":false/g, '"name":"$1","value":"on","well":true')
      .replace('"well":false,"checks":', '"well":true,"checks":')
      .replace(/"name":"version","value":"[^"]*"/, '"name":"version","value":"18.1"')
      .replace(/"name":"connections","value":"[^"]*"/, '"name":"connections","value":"24 of 200"')
      .replace(/"name":"longest_transaction","value":"[^"]*"/, '"name":"longest_transaction","value":"0 s"')
      .replace(/"name":"transaction_ids","value":"[^"]*"/, '"name":"transaction_ids","value":"1204 used"')
      .replaceAll(/log_[0-9a-f]{32}/g, 'log_019cade286f07632a1f3c428f29f0b14')
      .replaceAll(/"payload":"[\w.-]+"/g, '"payload":"eyJhbGciOiJSU0EtT0FFUC0yNTYiLCJlbmMiOiJBMjU2R0NNIn0.…"')
      .replaceAll(/"passkey_id":"[\w-]+"/g, '"passkey_id":"Xh2m0pQ3vT8kd1WcRfLzYg"')
      .replaceAll(/"csrf_token":"[0-9a-f]{64}"/g, `"csrf_token":"${'0123456789abcdef'.repeat(4)}"`)
      .replaceAll(
        /"at":"([^"]+)"(?=,"kind":"request"[^{}]*?"latency_ms":(\d+))/g,
        (_, at: string, took_ms: string) => `"at":"${millisBefore(at, took_ms)}"`,
      )
      .replaceAll(/"latency_ms":\d+/g, '"latency_ms":87')
      .replaceAll(/"total_ms":\d+/g, '"total_ms":81')
      .replaceAll(/"(p50_ms|p95_ms)":\d+/g, '"$1":87')
      .replaceAll(/exc_[0-9A-Za-z]{20}/g, 'exc_7mQx2LhV9sTd4KcPz0Ra')
      .replaceAll(/"user_agent":"[^"]*"/g, '"user_agent":"curl/8.14.1"')

type Caller = {
  credential: string
  /** The headers of the person who is signed in, while one is. */
  person: Record<string, string> | null
  api_key: string
  publishable_key: string
}

/** Opens a service and a sandbox with the time and chance of the examples, and what calls operations there. */
export async function openDay() {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-answers-'))
  const context = { ...realContext, now: () => fate.now, random: dice('sandbox') }
  const sandbox = await openSandbox({ port: 0, host: '127.0.0.1', ledgerFile: join(folder, 'ledger'), context })
  after(() => sandbox.close().then(() => rmSync(folder, { recursive: true })))
  const provider = await openIdentityProvider()
  after(provider.close)
  const sso = { issuer: provider.url, clientId: provider.client.id, secret: new Hidden(provider.client.secret) }
  const { service, query } = await openPlace({ baseUrls: { phonypay: sandbox.url }, keys, sso }, context => ({
    ...context,
    now: () => new Date(fate.now).toISOString(),
    steadySince: () => '2026-03-02T09:30:00.000Z',
    random: dice('service'),
    // The shop of the examples is nowhere.
    unreachable: async () => null,
    deliver: async () => ({ is: 'reply', status: 204, headers: {}, body: '' }),
  }))
  const tidy = tidier(service.url, sandbox.url, provider.url)
  const kept: Record<string, ExampleAnswer> = {}
  const again = openAskedAgain()
  const caller: Caller = { credential: ADMIN_KEY, person: null, api_key: '', publishable_key: '' }
  /** The ids that were answered, by the part of a path that they stand for. */
  const ids = new Map(endpoints.flatMap(({ path }) => partsOf(path)).map(part => [part, new Set<string>()]))

  /** Calls an operation with its example, and keeps what it answered first; a refusal is nothing that is shown. */
  async function tried(
    name: string,
    asked: Record<string, string>,
    more: Body = {},
    raw?: Raw,
  ): Promise<{ status: number; text: string; answered: Body }> {
    const { method, path, body: takesBody, answers } = endpoints.find(one => one.name === name)!
    const query = new URLSearchParams(Object.entries(asked).filter(([part]) => !path.includes(`{${part}}`))).toString()
    const address = path.replace(/\{(\w+)\}/g, (_, part: string) => asked[part]!) + (query && `?${query}`)
    Object.assign(fate, { now: fate.now + 1000, call: `${method} ${address} ${JSON.stringify(more)}` })
    const shown = examples[name]?.value
    const body = takesBody && (Array.isArray(shown) ? shown : { ...shown, ...more })
    const sent = { ...(caller.person ?? { 'api-key': caller.credential }), ...raw?.headers, ...again.keyFor(name) }
    const { status, headers, body: json, text } = await http(method, service.url + address, raw?.body ?? body, sent)
    const { location } = headers
    if (headers['set-cookie'] !== undefined)
      caller.person = { cookie: String(headers['set-cookie']).split(';')[0]!, 'x-csrf-token': json?.user?.csrf_token ?? '' }
    const answered = typeof location === 'string' ? location : json
    if (status >= 400) return { status, text, answered }
    again.note(name, service.url + address, raw?.body ?? body, sent)
    for (const [part, one] of Object.entries(json ?? {})) if (typeof one === 'string') ids.get(part)?.add(one)
    // A page is no example: it changes with every line of its style.
    const answer =
      typeof location === 'string' ? { location } : json !== null ? { json } : answers === 'page' || answers === 'file' ? {} : { text }
    kept[name] ??= shortened(JSON.parse(tidy(JSON.stringify({ asked, ...answer })))) as ExampleAnswer
    return { status, text, answered }
  }

  async function call(name: string, asked: Record<string, string> = {}, more?: Body, raw?: Raw): Promise<Body> {
    const { status, text, answered } = await tried(name, asked, more, raw)
    equal(status < 400, true, `${name}: ${text}`)
    return answered
  }

  /** Calls an operation of which the story tells nothing: for the first objects of the day that it does not refuse. */
  async function play({ name, path, auth }: Endpoint): Promise<void> {
    const { api_key, publishable_key } = caller
    caller.credential = auth.credential.startsWith('secret') ? api_key : auth.credential === 'admin' ? ADMIN_KEY : publishable_key
    let reason = 'there is nothing that its path names'
    for (const asked of choices(partsOf(path), ids)) {
      const { status, text } = await tried(name, asked)
      if (status < 400) return
      reason = text
    }
    fail(`${name} is refused for every object of the day, so the story must lead there: ${reason}`)
  }
  return { sandbox, provider, service, query, kept, again, ids, caller, tried, call, play }
}
export type Day = Awaited<ReturnType<typeof openDay>>
