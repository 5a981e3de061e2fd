import { ConnectionError, errorOf, TimeoutError } from './errors.ts'
import type { CallOptions, ClientOptions, Operation, Waits } from './types.ts'

const TIMEOUT_MS = 30_000
const RETRIES = 4
/** The pauses between tries grow from the first to the longest. */
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 8_000
/**
 * The longest pause that is accepted from the service. After a longer one there is no further try: the caller decides.
 */
const LONGEST_ASKED_MS = 60_000
/** Statuses that a proxy sends when it got no answer from the service. The service itself never sends them. */
const NOT_ITS_ANSWER = [502, 504]
const STILL_RUNNING = 'HE_00'

export const realWaits: Waits = {
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const stop = () => {
        clearTimeout(timer)
        reject(signal!.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      signal?.addEventListener('abort', stop, { once: true })
    }),
  deadline(ms) {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), ms)
    return { signal: controller.signal, clear: () => clearTimeout(timer) }
  },
  random: Math.random,
  now: Date.now,
}

/** Returns the query of a URL. Lists are separated by commas. */
function queryOf(query: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) params.set(name, value instanceof Date ? value.toISOString() : String(value))
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

/** Returns the path of an operation with its parameters. Throws a TypeError for an empty parameter. */
function pathOf(path: string, params: readonly string[]): string {
  let i = 0
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[i++]
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be a text that is not empty`)
    // A segment of one or two dots would change the path of the URL.
    if (/^\.\.?$/.test(value)) throw new TypeError(`${name} must be an id`)
    return encodeURIComponent(value)
  })
}

export type Asked = { params: readonly string[]; body?: unknown; query?: Record<string, unknown>; options: CallOptions }

/** A request as it is sent, the same for all tries. */
export type Prepared = {
  url: string
  init: { method: string; headers: Record<string, string>; body?: string | FormData }
  key: string | null
}

export function prepare(client: ClientOptions, operation: Operation, { params, body, query, options }: Asked): Prepared {
  const key = operation.keyed ? (options.idempotencyKey ?? crypto.randomUUID()) : null
  const isForm = operation.takes === 'form'
  return {
    url: client.baseUrl.replace(/(?<!\/)\/+$/, '') + pathOf(operation.path, params) + queryOf({ ...query, ...options.query }),
    key,
    init: {
      method: operation.verb,
      headers: {
        'api-key': client.apiKey,
        accept: operation.gives === 'json' ? 'application/json' : '*/*',
        ...(client.connectedMerchant !== undefined && { 'x-connected-merchant-id': client.connectedMerchant }),
        ...(client.profile !== undefined && { 'x-profile-id': client.profile }),
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...options.headers,
        ...(key !== null && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: isForm ? (body as FormData) : JSON.stringify(body) }),
    },
  }
}

/** An answer that was received completely. */
type Whole = { status: number; headers: Headers; bytes: Uint8Array<ArrayBuffer>; text(): string }

type Tried = { is: 'answered'; whole: Whole } | { is: 'lost'; error: unknown; late: boolean }

/** Sends a request once. Rejects only with the reason of the caller's own signal. */
async function tryOnce(client: ClientOptions, waits: Waits, { url, init }: Prepared, options: CallOptions): Promise<Tried> {
  const { signal } = options
  signal?.throwIfAborted()
  const { signal: late, clear } = waits.deadline(options.timeout ?? client.timeout ?? TIMEOUT_MS)
  try {
    const answer = await (client.fetch ?? fetch)(url, {
      ...init,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, late]) : late,
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    return { is: 'answered', whole: { status: answer.status, headers: answer.headers, bytes, text: () => new TextDecoder().decode(bytes) } }
  } catch (error) {
    signal?.throwIfAborted()
    return { is: 'lost', error, late: late.aborted }
  } finally {
    clear()
  }
}

const isWhole = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Whether the answer asks for another try. Every other answer of the service is final. */
function mayRetry(operation: Operation, { status, text }: Whole): boolean {
  if (status === 429 || status === 503) return true
  if (status === 409) return errorOf(status, text(), null).code === STILL_RUNNING
  return NOT_ITS_ANSWER.includes(status) || (status < 300 && operation.gives === 'json' && !isWhole(text()))
}

/** Whether a request may be sent again although its result is not known. A PATCH and a POST without a key that
 * does not only read may not. */
const isRepeatable = ({ verb, keyed, reads = false }: Operation): boolean => keyed || reads || ['GET', 'PUT', 'DELETE'].includes(verb)

/** Returns the pause that the service asks for, in milliseconds. */
function asked(headers: Headers, now: number): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

/**
 * Returns the pause before a try, in milliseconds. Pauses double, and half of each is random, so that callers do not
 * retry at the same time.
 */
function pauseBefore(retry: number, waits: Waits, least: number | null): number {
  const most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retry)
  return Math.max(least ?? 0, most / 2) + (waits.random() * most) / 2
}

/**
 * Sends a request until it is answered, with a limited number of tries. Without an answer, or if the service asks for
 * another try (429, 503, or the first request with this key is still running), the request is sent again with the same
 * Idempotency-Key. After a final answer it never is.
 */
export async function send(client: ClientOptions, operation: Operation, request: Prepared, options: CallOptions): Promise<Whole> {
  const waits = client.waits ?? realWaits
  const most = options.retries ?? client.retries ?? RETRIES
  for (let retry = 0; ; retry++) {
    const tried = await tryOnce(client, waits, request, options)
    const again = tried.is === 'lost' || mayRetry(operation, tried.whole)
    const least = tried.is === 'answered' ? asked(tried.whole.headers, waits.now()) : null
    // The service answers 429 before it executes anything.
    const may = isRepeatable(operation) || (tried.is === 'answered' && tried.whole.status === 429)
    if (!again || !may || retry >= most || (least ?? 0) > LONGEST_ASKED_MS) return ended(tried, operation, request)
    await waits.sleep(pauseBefore(retry, waits, least), options.signal)
  }
}

function ended(tried: Tried, operation: Operation, { key, url }: Prepared): Whole {
  if (tried.is === 'lost') {
    const unknown = operation.verb === 'GET' ? '' : '; it is not known whether it was done'
    const at = `${operation.verb} ${new URL(url).origin}${new URL(url).pathname}`
    if (tried.late) throw new TimeoutError(`${at} was not answered in time${unknown}`, key, tried.error)
    throw new ConnectionError(`${at} got no answer${unknown}`, key, tried.error)
  }
  const { whole } = tried
  if (whole.status >= 300) throw errorOf(whole.status, whole.text(), whole.headers.get('x-request-id'))
  if (operation.gives === 'json' && !isWhole(whole.text()))
    throw new ConnectionError('the answer was cut short; it is not known whether the request was done', key, null)
  return whole
}
