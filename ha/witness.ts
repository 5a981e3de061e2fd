import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'

/**
 * Patroni takes no primary for lost before its lease of 20 s (its least) is over. A witness that stands where the
 * clients stand ends the lease of a primary that has not answered it for so long: the nodes that are left then choose
 * at once. That is safe because of what it does not do: it names no primary, and what a primary that still lives
 * unheard commits is acknowledged by nobody, since the node in step has turned away from it.
 *
 * A primary that is shut down to hand over has its lease ended as well, as soon as its server is gone: Patroni looks
 * for that once a second, or pauses for one. The server ends only when all that it wrote has reached the standbys.
 */
const SILENT_MS = 3000
const EVERY_MS = 100
/** How often it is seen whether a server that shuts down is gone. */
const GONE_MS = 30

type Address = { host: string; port: number }
/** A lease. `url`: where Patroni says how its holder is. `revision`: when the lease was written. */
export type Held = { name: string; url: string; database: Address; lease: string; revision: string }

export type Witnessed = {
  /** The lease; null if nobody holds it. */
  leader(): Promise<Held | null>
  /** Ends a lease: its holder may take another one. */
  end(held: Held): Promise<unknown>
  /** Takes a lease from its holder, which gives it up itself a moment later; nothing if it was written anew. */
  release(held: Held): Promise<unknown>
  say(words: string): void
}

/** Watches until it is stopped. */
export function openWitness({ leader, end, release, say }: Witnessed) {
  const over = new AbortController()
  const rest = (ms: number) => pause(ms, undefined, { signal: over.signal }).catch(() => {})

  /** A primary that shuts down. If its machine falls silent meanwhile, that is seen as with any other. */
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
      // The keeper of the leases is busy: that says nothing of the primary.
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
 * What Patroni says of its server; null if it is silent, or says that it is no primary. A connection of its own each
 * time: one that is held by a node that stands still would be waited for.
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

/** True if a machine that lives says that nothing listens there any more. */
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
