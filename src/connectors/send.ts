import { createHash } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { Client, type Dispatcher, Pool } from 'undici'
import { FairLimiter, type Waiter } from '../base/fair-limiter.ts'
import type { Context, Reply, Request } from '../context.ts'
import { Exchange, type ExchangeLimits, TOO_MANY } from './exchange.ts'
import type { Reach } from './reach.ts'

export type SendLimits = ExchangeLimits & {
  head_bytes: number
  /** To all hosts together (`base/fair-limiter.ts`). As many connections again may be idle for 4 s. */
  connections: number
  /** Of one account, separately for payments and queries. */
  waiting: number
  /** Scheme, host and port, and our own certificate. */
  origins: number
  /** PEM; instead of the system's authorities. */
  ca?: string
}

const usual: SendLimits = {
  connect_ms: 5_000,
  first_byte_ms: 15_000,
  total_ms: 20_000,
  body_bytes: 1_000_000,
  head_bytes: 16_384,
  connections: 1_024,
  waiting: 1_000,
  origins: 256,
}

/** Without a user name. */
const ORIGIN = /^https?:\/\/[^/?#@\\\s]+/

const NOT_PUBLIC = 'not a public address'

/**
 * Opens the only way to the network. Requests go only where `reach` allows; it checks each connection by the address
 * to which the name resolves at that moment. HTTP/1.1 on kept-alive connections, one request at a time on each, no
 * redirects, no compression, no retries.
 *
 * `send` returns the reply to one request and never throws: see `Reply` in `context.ts`. `close` waits for the
 * requests in progress (at most `total_ms`) and closes the connections; later requests are `not_sent`.
 *
 * `not_sent` is not guessed from an error's name: undici announces each request just before it writes the first byte
 * (`onRequestStart`), so a request that ends earlier cannot have reached the processor, and a request that ends later
 * may have.
 */
export function openSend(reach: Reach, options: Partial<SendLimits> = {}): { send: Context['send']; close(): Promise<void> } {
  const limits = { ...usual, ...options }
  const turns = new FairLimiter(limits.connections, limits.waiting)
  const pools = openPools(reach, limits)
  let underWay = 0
  let closed = false
  let quiet = () => {}

  const send: Context['send'] = (request, { merchant_id, merchant_connector_id, purpose }) => {
    const origin = ORIGIN.exec(request.url)?.[0]
    if (closed) return Promise.resolve({ is: 'not_sent', why: 'the service is shutting down' })
    if (origin === undefined) return Promise.resolve({ is: 'not_sent', why: 'not an http address' })
    underWay++
    return new Promise(resolve => {
      const { within_ms, into } = request
      const onReply = (reply: Reply) => {
        turns.leave(turn)
        if (--underWay === 0) quiet()
        resolve(reply)
      }
      const exchange = new Exchange(within_ms === undefined ? limits : hurried(limits, within_ms), onReply, into)
      const turn: Waiter = {
        line: `${merchant_id} ${merchant_connector_id} ${purpose}`,
        merchant: merchant_id,
        to: origin,
        begin: () => dispatch(request, origin, exchange),
        is: 'new',
      }
      if (!turns.enter(turn)) exchange.refuse(TOO_MANY)
    })
  }

  /** The pool never has to queue: the request has its turn, so there is a free connection. */
  function dispatch(request: Request, origin: string, exchange: Exchange): void {
    if (!exchange.begin()) return
    try {
      const pool = pools.of(request, origin)
      if (pool === null) exchange.refuse(NOT_PUBLIC)
      pool?.dispatch(
        {
          origin,
          path: pathOf(request.url, origin),
          method: request.method,
          headers: { ...request.headers, 'accept-encoding': 'identity' },
          body: request.bytes ?? request.body ?? null,
        },
        exchange,
      )
    } catch {
      exchange.refuse('not an http address')
    }
  }

  async function close(): Promise<void> {
    closed = true
    if (underWay > 0) {
      await new Promise<void>(resolve => {
        quiet = resolve
      })
    }
    await pools.destroy()
  }

  return { send, close }
}

function openPools(reach: Reach, limits: SendLimits): { of(request: Request, origin: string): Pool | null; destroy(): Promise<void> } {
  /** The one that was used longest ago comes first. */
  const pools = new Map<string, Pool>()
  const retired = new Set<Pool>()
  let latest = ''

  /** Connections with an account's certificate are its alone; those to own URLs serve no others. Null: unreachable. */
  function of({ url, identity }: Request, origin: string): Pool | null {
    const own = reach.isOwn(url)
    const scope = own ? origin : `outside ${origin}`
    const name = identity === undefined ? scope : `${scope} ${digestOf(identity)}`
    const known = pools.get(name)
    if (known && name === latest) return known
    if (!known && !own && reach.refuses(`${origin}/`) !== null) return null
    const pool = known ?? openPool(origin, limits, identity, own ? undefined : reach.lookup)
    pools.delete(name)
    pools.set(name, pool)
    latest = name
    if (pools.size > limits.origins) retireOldest()
    return pool
  }

  function retireOldest(): void {
    const [name, pool] = pools.entries().next().value!
    pools.delete(name)
    retired.add(pool)
    const forget = () => retired.delete(pool)
    pool.close().then(forget, forget)
  }

  async function destroy(): Promise<void> {
    await Promise.all([...pools.values(), ...retired].map(pool => pool.destroy()))
    pools.clear()
  }

  return { of, destroy }
}

/**
 * Opens the pool of an origin. undici's own timeouts are off, because `Exchange` has one clock for everything. Idle
 * connections are closed after 4 s, before the 5 s after which many servers close them.
 */
function openPool(origin: string, limits: SendLimits, identity: Request['identity'], lookup: LookupFunction | undefined): Pool {
  return new Pool(origin, {
    connections: limits.connections,
    factory: (url, options) => new Connection(url, options),
    pipelining: 1,
    allowH2: false,
    connectTimeout: limits.connect_ms,
    connect: {
      ...(lookup && { lookup }),
      ...(limits.ca && { ca: limits.ca }),
      ...(identity && { cert: identity.certificate, key: identity.key.reveal() }),
    },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: limits.head_bytes,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
  })
}

const hurried = (limits: SendLimits, within_ms: number): SendLimits => ({ ...limits, total_ms: Math.min(limits.total_ms, within_ms) })

const digestOf = ({ certificate, key }: NonNullable<Request['identity']>): string =>
  createHash('sha256').update(certificate).update(key.reveal()).digest('base64')

/**
 * A pool does not take it for busy after a request that undici would not write (a line break in a header): a busy
 * connection is never used again, so many such requests would lose the origin for all accounts.
 */
class Connection extends Client {
  override dispatch(options: Dispatcher.DispatchOptions, handler: Exchange): boolean {
    return super.dispatch(options, handler) || handler.isOver()
  }
}

/** From the first slash; a fragment is never sent. */
function pathOf(url: string, origin: string): string {
  const hash = url.indexOf('#', origin.length)
  const path = hash === -1 ? url.slice(origin.length) : url.slice(origin.length, hash)
  return path.startsWith('/') ? path : `/${path}`
}
