import type { Dispatcher } from 'undici'
import type { Reply, Request } from '../context.ts'

/** Milliseconds and bytes. All are hard: bytes that trickle in do not prolong a deadline. */
export type ExchangeLimits = {
  /** From the call until the request is written: waiting for its turn, name lookup, TCP, TLS. */
  connect_ms: number
  /** From the written request until the complete head of the response. */
  first_byte_ms: number
  /** From the call until the last byte of the response. */
  total_ms: number
  body_bytes: number
  /** Only the first `body_bytes` of a longer response are the response; otherwise it is an error. */
  cutsLong?: boolean
}

/** Limits of a download: its whole time, and its bytes. */
const DOWNLOAD_MS = 600_000
const LARGEST_DOWNLOAD = 1_073_741_824

/** Too many requests of the account in progress, or the request's turn did not come in time. */
export const TOO_MANY = 'too many requests of this account in progress'

/** Gives exactly one reply, even if undici's events come twice, late or in another order. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: ExchangeLimits
  readonly #tell: (reply: Reply) => void
  readonly #into: Request['into']
  /** Settles when all chunks of a download that have arrived are stored. */
  #stored: Promise<void> = Promise.resolve()
  readonly #begun = performance.now()
  #timer: NodeJS.Timeout
  #stage: 'in line' | 'dispatched' | 'written' | 'answering' | 'over' = 'in line'
  #written = 0
  #controller: Dispatcher.DispatchController | null = null
  #status = 0
  #headers: Record<string, string> = {}
  #first: Buffer | null = null
  #rest: Buffer[] | null = null
  #bytes = 0

  constructor(limits: ExchangeLimits, onReply: (reply: Reply) => void, into?: Request['into']) {
    this.#limits = into ? { ...limits, total_ms: DOWNLOAD_MS } : limits
    this.#tell = onReply
    this.#into = into
    this.#timer = setTimeout(Exchange.#look, Math.min(limits.connect_ms, limits.first_byte_ms, this.#limits.total_ms), this)
  }

  /** At the earliest moment at which a deadline can have passed: each exchange costs only one timer. */
  static #look(exchange: Exchange): void {
    const [until, why] = exchange.#deadline()
    const total = exchange.#begun + exchange.#limits.total_ms
    const left = Math.min(until, total) - performance.now()
    if (left > 0) exchange.#timer = setTimeout(Exchange.#look, Math.ceil(left), exchange)
    else exchange.#fail(until <= total ? why : 'incomplete response before the deadline')
  }

  #deadline(): [until: number, why: string] {
    const { connect_ms, first_byte_ms } = this.#limits
    if (this.#stage === 'in line') return [this.#begun + connect_ms, TOO_MANY]
    if (this.#stage === 'dispatched') return [this.#begun + connect_ms, 'connection timeout']
    if (this.#stage === 'written') return [this.#written + first_byte_ms, 'response timeout']
    return [Number.POSITIVE_INFINITY, '']
  }

  #isSent(): boolean {
    return this.#stage !== 'in line' && this.#stage !== 'dispatched'
  }

  /** The request's turn has come. False: the exchange is over, and the request must not be sent. */
  begin(): boolean {
    if (this.#stage !== 'in line') return false
    this.#stage = 'dispatched'
    return true
  }

  refuse(why: string): void {
    if (!this.#isSent()) this.#fail(why)
  }

  isOver(): boolean {
    return this.#stage === 'over'
  }

  /** Called just before the first byte is written. Throwing here drops the request and keeps the connection. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    const now = performance.now()
    // After a suspension, a process learns of its connection before its timers fire.
    if (this.#stage === 'dispatched' && now - this.#begun > this.#limits.connect_ms) this.#fail('connection timeout')
    if (this.#stage !== 'dispatched') {
      if (this.#stage !== 'over') this.#fail('the connection was lost')
      throw new Error('not sent: too late, or already sent')
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

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#stage === 'over') return
    this.#bytes += chunk.length
    if (!this.#into || !this.#isGood()) this.#keep(chunk)
    else if (this.#bytes > LARGEST_DOWNLOAD) this.#fail('the download is too large')
    else this.#store(controller, this.#into, chunk)
  }

  #isGood(): boolean {
    return this.#status >= 200 && this.#status < 300
  }

  /** The connection waits until the chunk is stored: memory holds no more of a download. */
  #store(controller: Dispatcher.DispatchController, into: NonNullable<Request['into']>, chunk: Buffer): void {
    controller.pause()
    this.#stored = this.#stored.then(() => into(chunk))
    this.#stored.then(
      () => controller.resume(),
      () => this.#fail('the download could not be stored'),
    )
  }

  #keep(chunk: Buffer): void {
    if (this.#bytes > this.#limits.body_bytes && this.#limits.cutsLong) {
      const read = Buffer.concat([this.#first ?? Buffer.alloc(0), ...(this.#rest?.slice(1) ?? []), chunk]).subarray(
        0,
        this.#limits.body_bytes,
      )
      const controller = this.#controller
      this.#end({ is: 'reply', status: this.#status, headers: this.#headers, body: read.toString() })
      controller?.abort(new Error('the rest is not read'))
    } else if (this.#bytes > this.#limits.body_bytes) this.#fail('the response is too large')
    else if (this.#first === null) this.#first = chunk
    else if (this.#rest === null) this.#rest = [this.#first, chunk]
    else this.#rest.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#stage !== 'answering') return
    if (this.#into && this.#isGood()) {
      const reply: Reply = { is: 'reply', status: this.#status, headers: this.#headers, body: '' }
      this.#stored.then(
        () => this.#end(reply),
        () => {},
      )
      return
    }
    const body = this.#rest ? Buffer.concat(this.#rest, this.#bytes).toString() : (this.#first?.toString() ?? '')
    this.#end({ is: 'reply', status: this.#status, headers: this.#headers, body })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(this.#isSent() ? `incomplete response (${codeOf(error)})` : `no connection (${codeOf(error)})`)
  }

  #fail(why: string): void {
    if (this.#stage === 'over') return
    this.#end({ is: this.#isSent() ? 'silence' : 'not_sent', why })
    this.#controller?.abort(new Error(why))
  }

  #end(reply: Reply): void {
    if (this.#stage === 'over') return
    this.#stage = 'over'
    clearTimeout(this.#timer)
    this.#first = null
    this.#rest = null
    this.#tell(reply)
  }
}

/** Error messages may contain addresses and header values. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : 'error'
}
