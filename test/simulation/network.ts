import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { Server } from 'node:net'
import { Duplex } from 'node:stream'
import { as, later, mark, openProgram, type Program, running, worldDice } from './world.ts'

/**
 * The network of a simulation: TCP between its processes. The bytes of one direction arrive in order, with delays
 * drawn from the dice, and sometimes in pieces. If bytes are lost, the connection is cut, and each side gets the error
 * at its own time.
 */

/**
 * The troubles of the network. `cut`: the share of messages that end their connection. `slow`: the share that is late,
 * by at most `most_ms`. `far`: a port to which `far_share` of the messages are late by up to `far_ms`, which may be
 * longer than the sender waits.
 */
export type NetworkWeather = { cut: number; slow: number; most_ms: number; far: number | null; far_share: number; far_ms: number }
export const calmNetwork: NetworkWeather = { cut: 0, slow: 0, most_ms: 0, far: null, far_share: 0, far_ms: 0 }
let weather = calmNetwork
/** The ports that are cut off, each with the time at which its pending messages arrive. */
let cutOff = new Map<number, number>()
/** Cuts a port off for `ms` milliseconds. */
export const cutPortOff = (port: number, ms: number): void => void cutOff.set(port, performance.now() + ms)
/** Returns the milliseconds after which no port is cut off any more. */
export const cutsEndAfter = (): number => Math.max(0, ...[...cutOff.values()].map(end => end - performance.now()))
export const setNetworkWeather = (next: NetworkWeather): void => {
  weather = next
}

/** A program that listens at a port. `accepts` takes a connection, and runs as the program (`owner`). */
type Listener = { owner: Program; accepts(socket: SimulatedSocket): void }
let listeners = new Map<number, Listener[]>()
/** Ports at which several processes may listen. One of those that are not frozen takes each connection. */
let shared = new Set<number>()
export const sharePort = (port: number): void => void shared.add(port)
let sockets = new Set<SimulatedSocket>()
let nextPort = 40_000
/** The program of the judges, whose connections have no troubles. */
const judges = openProgram('the judges')
export const asJudge = <T>(work: () => T): T => as(judges, work)

export function beginNetwork(): void {
  ;[listeners, sockets, nextPort, weather] = [new Map(), new Set(), 40_000, calmNetwork]
  ;[cutOff, shared] = [new Map(), new Set()]
}

/** Makes a listener take connections at a port. Returns the function that ends the listening. */
export function listenAt(port: number, listener: Listener): () => void {
  if (isTaken(port)) throw Object.assign(new Error(`listen EADDRINUSE: address already in use 127.0.0.1:${port}`), { code: 'EADDRINUSE' })
  listeners.set(port, [...living(port), listener])
  return () => {
    listeners.set(
      port,
      living(port).filter(one => one !== listener),
    )
  }
}

const living = (port: number): Listener[] => (listeners.get(port) ?? []).filter(({ owner }) => owner.isAlive)

/** Returns the listener that takes a connection at a port; undefined if no program listens. */
function takerAt(port: number): Listener | undefined {
  const all = living(port)
  const awake = all.filter(({ owner }) => !owner.isFrozen)
  return all.length > 1 ? worldDice().one(awake.length > 0 ? awake : all) : all[0]
}

const isTaken = (port: number): boolean => !shared.has(port) && living(port).length > 0

const reset = (what = 'read ECONNRESET') => Object.assign(new Error(what), { code: 'ECONNRESET', errno: -104, syscall: 'read' })

const usual_ms = () => 0.05 + worldDice().next() * 0.5

function delay(of: SimulatedSocket): number {
  if (of.owner === judges || of.peer?.owner === judges) return 0.05
  const away_ms = Math.max(...[of.remotePort, of.localPort].map(port => (cutOff.get(port) ?? 0) - performance.now()))
  if (away_ms > 0) return away_ms + usual_ms()
  if (weather.far === of.remotePort && worldDice().chance(weather.far_share)) return worldDice().next() * weather.far_ms
  return weather.slow > 0 && worldDice().chance(weather.slow) ? worldDice().next() * weather.most_ms : usual_ms()
}

const willBeCut = (of: SimulatedSocket): boolean =>
  weather.cut > 0 && of.owner !== judges && of.peer?.owner !== judges && worldDice().chance(weather.cut)

/** One end of a connection, with the interface of `net.Socket`. */
export class SimulatedSocket extends Duplex {
  owner: Program = running()
  peer: SimulatedSocket | null = null
  connecting = false
  localAddress = '127.0.0.1'
  remoteAddress = '127.0.0.1'
  remoteFamily = 'IPv4'
  remotePort = 0
  localPort = nextPort++
  timeout = 0
  bytesRead = 0
  bytesWritten = 0
  /** The time at which the other side's last bytes arrive here. Later bytes do not overtake them. */
  #lastArrival = 0
  #waiting: (() => void)[] = []
  #alarm: { isOff: boolean } | null = null
  #isCut = false

  constructor({ allowHalfOpen = false }: { allowHalfOpen?: boolean } = {}) {
    super({ allowHalfOpen, emitClose: true, autoDestroy: true })
    sockets.add(this)
  }

  connect(...given: unknown[]): this {
    const callback = given.find(one => typeof one === 'function') as (() => void) | undefined
    const asked = (typeof given[0] === 'object' ? given[0] : { port: given[0] }) as { port: number | string }
    if (callback) this.once('connect', callback)
    this.connecting = true
    this.remotePort = Number(asked.port)
    later(delay(this), this.owner, () => this.#arrive())
    return this
  }

  /** Connects to the listener. The other side's system takes the connection even if its process is frozen. */
  #arrive(): void {
    if (this.destroyed) return
    const listener = takerAt(this.remotePort)
    if (!listener || willBeCut(this)) {
      const address = `127.0.0.1:${this.remotePort}`
      const error = Object.assign(new Error(`connect ECONNREFUSED ${address}`), {
        code: 'ECONNREFUSED',
        syscall: 'connect',
        port: this.remotePort,
      })
      return void this.destroy(error)
    }
    const remote = as(listener.owner, () => new SimulatedSocket({ allowHalfOpen: true }))
    remote.remotePort = this.localPort
    remote.localPort = this.remotePort
    this.peer = remote
    remote.peer = this
    this.connecting = false
    later(0, listener.owner, () => listener.accepts(remote))
    this.emit('connect')
    this.emit('ready')
    for (const send of this.#waiting.splice(0)) send()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    const send = () => {
      this.bytesWritten += chunk.length
      this.#alert()
      // A copy, because the writer may reuse the chunk's memory.
      this.#transmit(Buffer.from(chunk))
      done()
    }
    if (this.connecting) this.#waiting.push(send)
    else send()
  }

  override _final(done: (error?: Error) => void): void {
    const send = () => {
      this.#deliver(peer => peer.push(null))
      done()
    }
    if (this.connecting) this.#waiting.push(send)
    else send()
  }

  override _read(): void {}

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    sockets.delete(this)
    if (this.#alarm) this.#alarm.isOff = true
    const whole = this.writableFinished && error === null
    if (!whole) this.#deliver(peer => peer.destroy(reset()))
    this.connecting = false
    done(error)
  }

  /** Sends bytes in one or two pieces, or cuts the connection before, within or after them. */
  #transmit(bytes: Buffer): void {
    mark(`${this.owner.name} ${bytes.length}`)
    if (willBeCut(this)) {
      const part = worldDice().one([0, worldDice().between(0, bytes.length), bytes.length])
      if (part > 0) this.#carry(bytes.subarray(0, part))
      this.cut()
      return
    }
    if (bytes.length > 1 && weather.slow > 0 && worldDice().chance(0.05)) {
      const part = worldDice().between(1, bytes.length - 1)
      this.#carry(bytes.subarray(0, part))
      this.#carry(bytes.subarray(part))
    } else this.#carry(bytes)
  }

  #carry(bytes: Buffer): void {
    this.#deliver(peer => {
      peer.bytesRead += bytes.length
      peer.#alert()
      peer.push(bytes)
    })
  }

  /** Calls `arrives` at the other side, after everything that was sent before. */
  #deliver(arrives: (peer: SimulatedSocket) => void): void {
    const { peer } = this
    if (!peer || this.#isCut) return
    const ms = delay(this)
    const at = Math.max(ms, peer.#lastArrival - performance.now() + 1e-4)
    peer.#lastArrival = performance.now() + at
    later(at, peer.owner, () => peer.destroyed || arrives(peer))
  }

  /** Cuts the connection. Both sides get an error. */
  cut(): void {
    this.#deliver(peer => peer.destroy(reset()))
    this.#isCut = true
    later(delay(this), this.owner, () => this.destroy(reset()))
  }

  /** Ends the connection of a dead process. The other side gets a reset from the system. */
  die(): void {
    sockets.delete(this)
    if (this.#isCut) return
    this.#deliver(peer => peer.destroy(reset()))
    this.#isCut = true
  }

  #alert(): void {
    if (this.#alarm) this.#alarm.isOff = true
    this.#alarm = null
    if (this.timeout > 0 && !this.destroyed) this.#alarm = later(this.timeout, this.owner, () => this.emit('timeout'))
  }

  setTimeout(ms: number, callback?: () => void): this {
    this.timeout = ms
    if (callback) this.once('timeout', callback)
    this.#alert()
    return this
  }
  setNoDelay = (): this => this
  setKeepAlive = (): this => this
  ref = (): this => this
  unref = (): this => this
  address = () => ({ address: this.localAddress, port: this.localPort, family: 'IPv4' })
  destroySoon(): void {
    if (this.writable) this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }
  get pending(): boolean {
    return this.connecting
  }
  get readyState(): string {
    return this.connecting ? 'opening' : this.destroyed ? 'closed' : 'open'
  }
}

/** Ends all connections of a process, as its system would. */
export function killSockets(owner: Program): void {
  for (const socket of [...sockets]) if (socket.owner === owner) socket.die()
}

type Listening = { port: number; close(): void }
const listening = new WeakMap<Server, Listening>()

/** Replaces Node's network by this one. */
export function replaceTheNetwork(): void {
  // Node creates these streams at first use from its own sockets, so they are created before the replacement.
  void [process.stdout, process.stderr, process.stdin]
  const net = createRequire(import.meta.url)('node:net') as typeof import('node:net')
  const connect = (...given: unknown[]) => new SimulatedSocket().connect(...given)
  Object.assign(net, { connect, createConnection: connect, Socket: SimulatedSocket })
  const prototype = net.Server.prototype as unknown as Record<string, unknown>
  const { address, close } = prototype as { address(): unknown; close(done?: () => void): Server }
  Object.assign(prototype, {
    listen(this: Server, ...given: unknown[]) {
      const asked = (typeof given[0] === 'object' ? given[0] : { port: given[0] }) as { port?: number; reusePort?: boolean }
      const callback = given.find(one => typeof one === 'function') as (() => void) | undefined
      const port = asked.port || nextPort++
      const accepts = (socket: SimulatedSocket) => void this.emit('connection', socket)
      try {
        if (asked.reusePort) throw Object.assign(new Error('listen ENOTSUP: one listener a port'), { code: 'ENOTSUP' })
        listening.set(this, { port, close: listenAt(port, { owner: running(), accepts }) })
      } catch (error) {
        later(0, running(), () => this.emit('error', error))
        return this
      }
      Object.defineProperty(this, 'listening', { configurable: true, value: true })
      if (callback) this.once('listening', callback)
      later(0, running(), () => this.emit('listening'))
      return this
    },
    address(this: Server) {
      const its = listening.get(this)
      return its ? { address: '127.0.0.1', family: 'IPv4', port: its.port } : address.call(this)
    },
    close(this: Server, done?: (error?: Error) => void) {
      const its = listening.get(this)
      if (!its) return close.call(this, done)
      its.close()
      listening.delete(this)
      Object.defineProperty(this, 'listening', { configurable: true, value: false })
      if (done) this.once('close', done)
      const owner = running()
      const look = (): unknown =>
        [...sockets].some(socket => socket.owner === owner && socket.localPort === its.port) ? later(50, owner, look) : this.emit('close')
      later(0, owner, look)
      return this
    },
  })
  replaceTheClosing()
  syncBuiltinESMExports()
}

type Parser = { socket: SimulatedSocket & { _httpMessage?: { finished: boolean } | null } }

/**
 * Makes HTTP servers close their connections in the order of the remote ports. Node's order is that of addresses in
 * memory, which differs between two runs of a seed.
 */
function replaceTheClosing(): void {
  const { Server: HttpServer } = createRequire(import.meta.url)('node:http') as typeof import('node:http')
  const parsersOf = (server: object, of: 'idle' | 'all'): Parser[] => {
    const key = Object.getOwnPropertySymbols(server).find(({ description }) => description === 'http.server.connections')
    const list = key && (server as Record<symbol, Record<'idle' | 'all', () => Parser[]> | undefined>)[key]
    return (list?.[of]() ?? []).sort((a, b) => a.socket.remotePort - b.socket.remotePort)
  }
  HttpServer.prototype.closeIdleConnections = function () {
    for (const { socket } of parsersOf(this, 'idle')) if (!socket._httpMessage || socket._httpMessage.finished) socket.destroy()
  }
  HttpServer.prototype.closeAllConnections = function () {
    for (const { socket } of parsersOf(this, 'all')) socket.destroy()
  }
}
