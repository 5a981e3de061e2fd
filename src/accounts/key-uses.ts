import { between } from '../base/time.ts'
import { statement } from '../database/statement.ts'
import { table, text, time } from '../database/table.ts'
import type { Time, World } from '../world.ts'

/** When each key was last used. Not part of the key's own row: no request writes, so it has no history either. */
export const apiKeyUses = table('api_key_uses', {
  key: ['merchant_id', 'key_id'],
  columns: { merchant_id: text(), key_id: text(), last_used_at: time() },
})

const write = statement(
  'write_key_uses',
  `insert into api_key_uses as u (merchant_id, key_id, last_used_at) select * from unnest($1::text[], $2::text[], $3::timestamptz[])
    order by 1, 2 on conflict (merchant_id, key_id) do update set last_used_at = excluded.last_used_at where u.last_used_at < excluded.last_used_at`,
)

export const WRITTEN_EVERY_MS = 60_000

/** A key as a request brought it: `used_at` is all that a request changes. */
export type Used = { merchant_id: string; key_id: string; used_at: Time }

/** Remembers when keys are used, and writes it down once a minute, all keys in one statement. A process that dies forgets a minute. */
export function openKeyUses(world: Pick<World, 'query' | 'now'>) {
  let used = new Map<string, Used>()
  let written = world.now()
  let writing: Promise<void> | null = null

  async function writeDown(): Promise<void> {
    const uses = [...used.values()]
    used = new Map()
    written = world.now()
    const column = (name: keyof Used) => uses.map(use => use[name])
    try {
      await world.query(write, [column('merchant_id'), column('key_id'), column('used_at')])
    } catch (error) {
      for (const use of uses) if (!used.has(use.key_id)) used.set(use.key_id, use)
      throw error
    }
  }

  return {
    /** A request brought this key. */
    note(merchant_id: string, key_id: string, now: Time): void {
      const known = used.get(key_id)
      if (known) known.used_at = now
      else used.set(key_id, { merchant_id, key_id, used_at: now })
    },
    /** Writes down what was used, if the last time is a minute ago; `now`: whenever that was (while it stops). */
    async writeDown(when: 'in time' | 'now' = 'in time'): Promise<void> {
      await writing
      if (used.size === 0 || (when === 'in time' && between(written, world.now()) < WRITTEN_EVERY_MS)) return
      writing = writeDown().finally(() => {
        writing = null
      })
      await writing
    },
  }
}
