import { type Dispatcher, Pool } from 'undici'
import type { Reply, Request, World } from '../world.ts'
import type { Conversation, Outcome } from './connector.ts'

/** Deadlines in milliseconds, sizes in bytes. All are hard: none is prolonged by a byte that trickles in. */
export type SendLimits = {
  /** From asking to the moment the request is written: name lookup, TCP, TLS, waiting for a free connection. */
  connect_ms: number
  /** From the request written to the whole head of the answer. */
  first_byte_ms: number
  /** From asking to the last byte of the answer. */
  total_ms: number
  body_bytes: number
  head_bytes: number
  /** Connections for each origin (scheme, host and port), and how many origins are remembered. */
  connections: number
  origins: number
}

const usual: SendLimits = {
  connect_ms: 5_000,
  first_byte_ms: 15_000,
  total_ms: 20_000,
  body_bytes: 1_000_000,
  head_bytes: 16_384,
  connections: 64,
  origins: 256,
}

/** What an origin may look like: no user name, nothing but scheme, host and port. */
const ORIGIN = /^https?:\/\/[^/?#@\\\s]+/

/**
 * Opens the only way to processors: HTTP/1.1 on kept-alive connections, one request at a time on each, no redirects, no compression, no repeats.
 *
 * `send` gives the answer to one request and never throws: see `Reply` in `world.ts`. `close` waits for the exchanges under way (at most `total_ms`) and lets
 * go of the connections; later requests are `not_sent`.
 *
 * `not_sent` is not guessed from an error's name: undici announces each request just before its first byte is written (`onRequestStart`), so what ends
 * earlier cannot have reached anybody, and what ends later may have.
 */
export function openSend(options: Partial<SendLimits> = {}): { send(request: Request): Promise<Reply>; close(): Promise<void> } {
  const limits = { ...usual, ...options }
  /** The origin used longest ago comes first. */
  const pools = new Map<string, Pool>()
  const retired = new Set<Pool>()
  let latest = ''
  let underWay = 0
  let closed = false
  let quiet = () => {}

  function poolOf(origin: string): Pool {
    const known = pools.get(origin)
    if (known && origin === latest) return known
    const pool = known ?? openPool(origin, limits)
    pools.delete(origin)
    pools.set(origin, pool)
    latest = origin
    if (pools.size > limits.origins) retireOldest()
    return pool
  }

  function retireOldest(): void {
    const [origin, pool] = pools.entries().next().value!
    pools.delete(origin)
    retired.add(pool)
    const forget = () => retired.delete(pool)
    pool.close().then(forget, forget)
  }

  function send(request: Request): Promise<Reply> {
    const origin = ORIGIN.exec(request.url)?.[0]
    if (closed) return Promise.resolve({ is: 'not_sent', why: 'the service is closing' })
    if (origin === undefined) return Promise.resolve({ is: 'not_sent', why: 'not an http address' })
    let pool: Pool
    try {
      pool = poolOf(origin)
    } catch {
      return Promise.resolve({ is: 'not_sent', why: 'not an http address' })
    }
    underWay++
    return new Promise(resolve => {
      const tell = (reply: Reply) => {
        if (--underWay === 0) quiet()
        resolve(reply)
      }
      pool.dispatch(
        {
          origin,
          path: pathOf(request.url, origin),
          method: request.method,
          headers: { ...request.headers, 'accept-encoding': 'identity' },
          body: request.body ?? null,
        },
        new Exchange(limits, tell),
      )
    })
  }

  async function close(): Promise<void> {
    closed = true
    if (underWay > 0) {
      await new Promise<void>(resolve => {
        quiet = resolve
      })
    }
    await Promise.all([...pools.values(), ...retired].map(pool => pool.destroy()))
    pools.clear()
  }

  return { send, close }
}

/** undici's own timeouts are off: `Exchange` has one clock over everything. Idle connections go after 4 s, before the 5 s after which many servers hang up. */
function openPool(origin: string, limits: SendLimits): Pool {
  return new Pool(origin, {
    connections: limits.connections,
    pipelining: 1,
    allowH2: false,
    connectTimeout: limits.connect_ms,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: limits.head_bytes,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
  })
}

/** What follows the origin, from the first slash; a fragment is never sent. */
function pathOf(url: string, origin: string): string {
  const hash = url.indexOf('#', origin.length)
  const path = hash === -1 ? url.slice(origin.length) : url.slice(origin.length, hash)
  return path.startsWith('/') ? path : `/${path}`
}

/** One request and its answer, as undici reports them. Tells exactly one reply, whatever happens and in whatever order. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: SendLimits
  readonly #tell: (reply: Reply) => void
  readonly #begun = performance.now()
  #timer: NodeJS.Timeout
  #stage: 'waiting' | 'written' | 'answering' | 'over' = 'waiting'
  #written = 0
  #controller: Dispatcher.DispatchController | null = null
  #status = 0
  #headers: Record<string, string> = {}
  #first: Buffer | null = null
  #rest: Buffer[] | null = null
  #bytes = 0

  constructor(limits: SendLimits, tell: (reply: Reply) => void) {
    this.#limits = limits
    this.#tell = tell
    this.#timer = setTimeout(Exchange.#look, Math.min(limits.connect_ms, limits.first_byte_ms, limits.total_ms), this)
  }

  /** Called at the earliest moment a deadline could have passed; most exchanges are over before, so they cost one timer. */
  static #look(exchange: Exchange): void {
    const { connect_ms, first_byte_ms, total_ms } = exchange.#limits
    const [until, why] =
      exchange.#stage === 'waiting'
        ? [exchange.#begun + connect_ms, 'no connection in time']
        : exchange.#stage === 'written'
          ? [exchange.#written + first_byte_ms, 'no answer in time']
          : [Number.POSITIVE_INFINITY, '']
    const total = exchange.#begun + total_ms
    const left = Math.min(until, total) - performance.now()
    if (left > 0) exchange.#timer = setTimeout(Exchange.#look, Math.ceil(left), exchange)
    else exchange.#fail(until <= total ? why : 'no whole answer in time')
  }

  /** Just before the first byte is written. Throwing here drops the request and keeps the connection. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    const now = performance.now()
    // A process that was stopped hears of its connection before its timers go off.
    if (this.#stage === 'waiting' && now - this.#begun > this.#limits.connect_ms) this.#fail('no connection in time')
    if (this.#stage !== 'waiting') {
      if (this.#stage !== 'over') this.#fail('the connection was lost')
      throw new Error('not sent: too late, or a second time')
    }
    this.#stage = 'written'
    this.#written = now
    this.#controller = controller
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200 || this.#stage === 'over') return
    this.#stage = 'answering'
    this.#status = status
    for (const name in headers) {
      const value = headers[name]
      if (typeof value !== 'string') headers[name] = value?.join(', ') ?? ''
    }
    this.#headers = headers as Record<string, string>
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#stage === 'over') return
    this.#bytes += chunk.length
    if (this.#bytes > this.#limits.body_bytes) this.#fail('the answer is too large')
    else if (this.#first === null) this.#first = chunk
    else if (this.#rest === null) this.#rest = [this.#first, chunk]
    else this.#rest.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#stage !== 'answering') return
    const body = this.#rest ? Buffer.concat(this.#rest, this.#bytes).toString() : (this.#first?.toString() ?? '')
    this.#end({ is: 'reply', status: this.#status, headers: this.#headers, body })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(this.#stage === 'waiting' ? `no connection (${codeOf(error)})` : `no whole answer (${codeOf(error)})`)
  }

  #fail(why: string): void {
    if (this.#stage === 'over') return
    this.#end({ is: this.#stage === 'waiting' ? 'not_sent' : 'silence', why })
    this.#controller?.abort(new Error(why))
  }

  #end(reply: Reply): void {
    this.#stage = 'over'
    clearTimeout(this.#timer)
    this.#first = null
    this.#rest = null
    this.#tell(reply)
  }
}

/** An error's code and nothing else of it: messages may hold addresses and header values. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : 'error'
}

/** A conversation has no business being longer; one that is runs in circles. */
const LONGEST = 6

/**
 * Carries a conversation over `send` and gives its outcome. Never throws: when the connector itself fails, or will not come to an end, the outcome is
 * `unknown` if anything may have reached the processor and `not_sent` otherwise. (A `sync` must therefore not fail before it has asked: the manners suite
 * holds every connector to that.)
 */
export async function converse(send: World['send'], conversation: Conversation): Promise<Outcome> {
  let spoke = false
  try {
    let step = conversation.next()
    for (let n = 0; !step.done; n++) {
      if (n === LONGEST) {
        conversation.return({ is: 'unknown', why: 'cut off' })
        return amiss('the conversation would not end', spoke)
      }
      const spokeBefore: boolean = spoke
      spoke = true
      const reply: Reply = await send(step.value)
      if (reply.is === 'not_sent') spoke = spokeBefore
      step = conversation.next(reply)
    }
    return step.value
  } catch {
    return amiss('the connector failed', spoke)
  }
}

const amiss = (why: string, spoke: boolean): Outcome => ({ is: spoke ? 'unknown' : 'not_sent', why })
