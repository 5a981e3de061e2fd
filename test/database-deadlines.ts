import { Socket } from 'node:net'
import pg from 'pg'
import type { Deadlines } from '../src/database/connection-settings.ts'
import { socketOf } from '../src/database/pipeline.ts'

/** Lengths that no other timer has: the driver and sockets are given a length, and nothing else. */
const deadlines: Deadlines = { connect_ms: 86_400_001, statement_ms: 86_400_002, silence_ms: 86_400_003 }
const lengths = new Set<unknown>(Object.values(deadlines))

/**
 * Opens deadlines for connections to the database that never pass by the clock, but for one connection when `pass` is
 * called with its own port (null: for requests that have no connection yet). So a test does not wait for them, and a
 * busy machine does not miss them.
 */
export function openDeadlines() {
  const { setTimeout, clearTimeout } = globalThis
  const timers = new Map<unknown, { of: pg.Client | null; run(): void }>()
  const sockets = new Set<Socket>()
  const ofSocket = Socket.prototype.setTimeout
  const { connect, query } = pg.Client.prototype
  let current: pg.Client | null = null

  const set = (run: (...all: unknown[]) => void, ms?: number, ...all: unknown[]) => {
    const timer = setTimeout(run, ms, ...all)
    if (lengths.has(ms)) timers.set(timer.unref(), { of: current, run: () => run(...all) })
    return timer
  }
  const clear = (timer: Parameters<typeof clearTimeout>[0]) => {
    timers.delete(timer)
    clearTimeout(timer)
  }
  globalThis.setTimeout = Object.defineProperties(set, Object.getOwnPropertyDescriptors(setTimeout)) as typeof setTimeout
  globalThis.clearTimeout = clear
  Socket.prototype.setTimeout = function (ms, onTimeout) {
    if (!lengths.has(ms)) return ofSocket.call(this, ms, onTimeout)
    sockets.add(this.once('close', () => sockets.delete(this)))
    return this
  }
  /** The driver sets a timer before such a call returns. */
  const noted = (call: (...all: never[]) => unknown) =>
    function (this: pg.Client, ...all: never[]) {
      const before = current
      current = this
      try {
        return call.apply(this, all)
      } finally {
        current = before
      }
    }
  Object.assign(pg.Client.prototype, { connect: noted(connect), query: noted(query) })

  return {
    deadlines,
    pass(port: number | null): void {
      for (const [timer, { of, run }] of [...timers]) {
        if ((of ? socketOf(of).localPort : null) !== port) continue
        clear(timer as NodeJS.Timeout)
        run()
      }
      for (const socket of [...sockets]) if (socket.localPort === port) socket.emit('timeout')
    },
    close(): void {
      Object.assign(globalThis, { setTimeout, clearTimeout })
      Socket.prototype.setTimeout = ofSocket
      Object.assign(pg.Client.prototype, { connect, query })
    },
  }
}
