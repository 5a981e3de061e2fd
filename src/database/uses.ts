import { between } from '../base/time.ts'
import type { Context, Time } from '../context.ts'

/**
 * A use of an object of a merchant (an API key, a saved card) by a request: its time is all that the request changes.
 * The object's id is unique.
 */
export type Use = { merchant_id: string; id: string; used_at: Time }

/**
 * Remembers the times of uses, and writes them together from time to time, so that no request writes for them. Uses
 * that are not written when the process dies are lost. `every_ms`: how long uses are gathered.
 */
export function openUses(now: Context['now'], write: (uses: readonly Use[]) => Promise<unknown>, every_ms: number) {
  let used = new Map<string, Use>()
  let written = now()
  let writing: Promise<void> | null = null

  async function writeAll(): Promise<void> {
    const uses = [...used.values()]
    used = new Map()
    written = now()
    try {
      await write(uses)
    } catch (error) {
      for (const use of uses) if (!used.has(use.id)) used.set(use.id, use)
      throw error
    }
  }

  return {
    note(merchant_id: string, id: string, used_at: Time): void {
      const known = used.get(id)
      if (known) known.used_at = used_at
      else used.set(id, { merchant_id, id, used_at })
    },
    /**
     * Writes the gathered uses. `in time`: only if the last write is long enough ago; `now`: in any case (while the
     * service stops, or on request).
     */
    async writeDown(when: 'in time' | 'now' = 'in time'): Promise<void> {
      await writing
      if (used.size === 0 || (when === 'in time' && between(written, now()) < every_ms)) return
      writing = writeAll().finally(() => {
        writing = null
      })
      await writing
    },
  }
}
