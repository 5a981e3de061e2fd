import { between } from '../base/time.ts'
import type { Context, Time } from '../context.ts'

/** A request's use of an object (an API key, a saved card): its time is all that changes. The id is unique. */
export type Use = { merchant_id: string; id: string; used_at: Time }

/** Gathers uses for `every_ms` and writes them together, so no request writes them. A crash loses the unwritten. */
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
    /** `in time`: only if the last write is long enough ago; `now`: always (when the service stops, or on request). */
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
