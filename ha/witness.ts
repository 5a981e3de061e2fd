import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'

/**
 * Patroni takes no primary for lost before its lease of 20 s (its least) is over. A witness that stands where the
 * clients stand ends the lease of a primary that has not answered it for so long: the nodes that are left then choose
 * at once. That is safe because of what it does not do: it names no primary, and what a primary that still lives
 * unheard commits is acknowledged by nobody, since the node in step has turned away from it.
 */
const SILENT_MS = 3000
const EVERY_MS = 300

export type Witnessed = {
  /** Where the holder of the lease says how it is; null if there is none. */
  leader(): Promise<{ name: string; url: string; lease: string } | null>
  /** Ends a lease. */
  end(lease: string): Promise<void>
  say(words: string): void
}

/** Watches until it is stopped. */
export function openWitness({ leader, end, say }: Witnessed) {
  const over = new AbortController()
  /** A connection of its own each time: one that is held by a node that stands still would be waited for. */
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
      // The keeper of the leases is busy: that says nothing of the primary.
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
