import type { Context } from '../context.ts'
import { statement } from '../database/statement.ts'
import { table, text, time } from '../database/table.ts'
import { openUses } from '../database/uses.ts'

/** Apart from the key's row, because no request writes it and it has no history. */
export const apiKeyUses = table('api_key_uses', {
  key: ['merchant_id', 'key_id'],
  columns: { merchant_id: text(), key_id: text(), last_used_at: time() },
})

const write = statement(
  'write_key_uses',
  `insert into api_key_uses as u (merchant_id, key_id, last_used_at) select * from unnest($1::text[], $2::text[], $3::timestamptz[])
    order by 1, 2 on conflict (merchant_id, key_id) do update set last_used_at = excluded.last_used_at where u.last_used_at < excluded.last_used_at`,
)

const WRITTEN_EVERY_MS = 60_000

export const openKeyUses = (context: Pick<Context, 'query' | 'now'>) =>
  openUses(
    context.now,
    uses => context.query(write, [uses.map(use => use.merchant_id), uses.map(use => use.id), uses.map(use => use.used_at)]),
    WRITTEN_EVERY_MS,
  )
