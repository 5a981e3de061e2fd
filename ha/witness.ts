import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'

/**
 * The time after which a silent primary loses its lease, in milliseconds. Patroni does not treat a primary as lost
 * before its lease of 20 s (the minimum) is over. A witness in the place of the clients ends the lease of a primary
 * that has not answered it for this time; the remaining nodes then choose a new primary at once. This is safe because
 * of the witness's limits: it names no primary, and a commit of a primary that still lives unreachable is never
 * acknowledged, because the synchronous standby no longer follows that primary.
 *
 * During a switchover, the witness also ends the lease of the primary as soon as its PostgreSQL has ended, which
 * Patroni notices up to a second later. PostgreSQL ends only after the standbys have received all that it wrote.
 */
const SILENT_MS = 3000
/** The pause between two queries of the primary, in milliseconds. */
const EVERY_MS = 100
/** The pause between two checks whether a PostgreSQL that shuts down has ended, in milliseconds. */
const GONE_MS = 30

type Address = { host: string; port: number }
/** A lease. `url`: the URL of its holder's status. `revision`: the revision in etcd at which the lease was written. */
export type Held = { name: string; url: string; database: Address; lease: string; revision: string }

export type Witnessed = {
  /** Returns the lease; null if no node holds it. */
  leader(): Promise<Held | null>
  /** Ends a lease. Its holder may take a new one. */
  end(held: Held): Promise<unknown>
  /** Deletes the leader key, which its holder would delete a moment later; no change if the key was rewritten. */
  release(held: Held): Promise<unknown>
  say(message: string): void
}

/** Watches the primary until `close` is called. */
export function openWitness({ leader, end, release, say }: Witnessed) {
  const over = new AbortController()
  const rest = (ms: number) => pause(ms, undefined, { signal: over.signal }).catch(() => {})

  /** Waits until a primary that shuts down has ended, then deletes its leader key. Gives up after `SILENT_MS`. */
  const seeOff = async (held: Held) => {
    const since = performance.now()
    while (!over.signal.aborted && performance.now() - since < SILENT_MS) {
      if (!(await isRefusedBy(held.database))) {
        await rest(GONE_MS)
        continue
      }
      await release(held)
      say(`${held.name} is shut down: its lease is ended`)
      return
    }
  }
  const watch = async () => {
    let since = { name: '', at: 0 }
    while (!over.signal.aborted) {
      await rest(EVERY_MS)
      const held = await leader().catch(() => undefined)
      // etcd is busy, which says nothing about the primary.
      if (held === undefined) continue
      const state = held && (await stateAt(held.url))
      if (held === null || state !== null) {
        since = { name: '', at: 0 }
        if (held && state === 'stopping') await seeOff(held).catch(() => {})
        continue
      }
      const now = performance.now()
      if (since.name !== held.name) since = { name: held.name, at: now }
      if (now - since.at < SILENT_MS) continue
      say(`${held.name} has been silent for ${((now - since.at) / 1000).toFixed(1)} s: its lease is ended`)
      await end(held).catch(() => {})
      since = { name: '', at: 0 }
    }
  }
  const watching = watch()
  return {
    async close(): Promise<void> {
      over.abort()
      await watching
    },
  }
}

/**
 * Returns the state of a node's PostgreSQL by its Patroni; null if Patroni is silent, or the node is no primary. Each
 * query has its own connection: a connection held by a frozen node would be waited for.
 */
async function stateAt(url: string): Promise<string | null> {
  const dispatcher = new Agent({ connect: { timeout: 800 }, headersTimeout: 800, bodyTimeout: 800 })
  try {
    const { statusCode, body } = await request(url, { dispatcher, signal: AbortSignal.timeout(1000) })
    const { state } = (await body.json()) as { state: string }
    return statusCode === 200 ? state : null
  } catch {
    return null
  } finally {
    void dispatcher.destroy()
  }
}

/** Whether the machine answers that no program listens at the address. */
const isRefusedBy = (address: Address): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ ...address, timeout: 250 })
    const end = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', () => end(false))
    socket.once('timeout', () => end(false))
    socket.once('error', error => end((error as NodeJS.ErrnoException).code === 'ECONNREFUSED'))
  })
