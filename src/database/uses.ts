import { between } from '../base/time.ts'
import type { Context, Time } from '../context.ts'

/** Something of a merchant's that a request used: when is all that a request changes. Its id is unique. */
export type Use = { merchant_id: string; id: string; used_at: Time }

/**
 * Remembers when things are used, and writes that down now and then, all of them together: no request writes for it.
 * A process that dies forgets what it had not written. `every_ms`: how long it gathers.
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
     * Writes down what was used, if the last time is long enough ago; `now`: whenever that was (while it stops, or on
     * request).
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
