import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'

/**
 * The time after which a silent primary loses its lease, in milliseconds. Patroni does not treat a primary as lost
 * before its lease of 20 s (the minimum) is over. A witness in the place of the clients ends the lease of a primary
 * that has not answered it for this time; the remaining nodes then choose a new primary at once. This is safe because
 * of the witness's limits: it names no primary, and a commit of a primary that still lives unreachable is never
 * acknowledged, because the synchronous standby no longer follows that primary.
 */
const SILENT_MS = 3000
const EVERY_MS = 300

export type Witnessed = {
  /** Returns the holder of the lease and the URL of its status; null if there is none. */
  leader(): Promise<{ name: string; url: string; lease: string } | null>
  /** Ends a lease. */
  end(lease: string): Promise<void>
  say(words: string): void
}

/** Watches the primary until `close` is called. */
export function openWitness({ leader, end, say }: Witnessed) {
  const over = new AbortController()
  /**
   * Whether the primary answers. Each query has its own connection: a connection held by a frozen node would be waited
   * for.
   */
  const answers = async (url: string): Promise<boolean> => {
    const dispatcher = new Agent({ connect: { timeout: 800 }, headersTimeout: 800, bodyTimeout: 800 })
    try {
      const { statusCode, body } = await request(url, { dispatcher, signal: AbortSignal.timeout(1000) })
      await body.dump()
      return statusCode === 200
    } catch {
      return false
    } finally {
      void dispatcher.destroy()
    }
  }
  const watch = async () => {
    let since = { name: '', at: 0 }
    while (!over.signal.aborted) {
      await pause(EVERY_MS, undefined, { signal: over.signal }).catch(() => {})
      const held = await leader().catch(() => undefined)
      // etcd is busy, which says nothing about the primary.
      if (held === undefined) continue
      if (held === null || (await answers(held.url))) {
        since = { name: '', at: 0 }
        continue
      }
      const now = performance.now()
      if (since.name !== held.name) since = { name: held.name, at: now }
      if (now - since.at < SILENT_MS) continue
      say(`${held.name} has been silent for ${((now - since.at) / 1000).toFixed(1)} s: its lease is ended`)
      await end(held.lease).catch(() => {})
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
