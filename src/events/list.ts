import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { changes } from '../database/changes.ts'
import { setBy } from '../database/past-row.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { eventRenderers } from './event-renderers.ts'
import type { HistoryRow } from './headline.ts'

const ofHead = statement(
  'changes_of_head',
  select(changes, 'where merchant_id = $1 and kind = $5 and object_id = $2 and version > $3 and version <= $4 order by version'),
)

export const MOST_EVENTS = 100

/**
 * Lists the changes of a payment (also found by its refund or dispute) or of a payout, oldest first: each with the
 * columns before and after, and its author. `sequence` counts the changes that are announced to merchants, `version`
 * all changes. Refuses (HE_02) an object that is not the merchant's.
 */
export async function listEvents(context: Context, merchant_id: string, object_id: string, after_version: number, limit: number) {
  const { kind, id, head } =
    (await headOf(context, merchant_id, object_id)) ?? refuse('not_found', { what: 'payment, refund, dispute or payout' })
  // The values that a change set follow from the later changes. Therefore all of them are read; there are few.
  const rows = await context.query<HistoryRow>(ofHead, [merchant_id, id, after_version, head.version, kind])
  const sets = setBy(head, rows)
  const data = rows.slice(0, limit).map((row, i) => {
    const { event_id, type, version, sequence, by, created } = row
    const { rows: _others, ...was } = row.was
    return {
      ...{ event_id, merchant_id, object_id: row.object_id, event_type: row.announces, type, version, sequence, by },
      ...{ was, set: sets[i], created },
    }
  })
  return { size: data.length, data }
}

async function headOf(context: Context, merchant_id: string, object_id: string) {
  for (const { table, listedBy } of eventRenderers) {
    const head = await listedBy?.(context, merchant_id, object_id)
    if (head) return { kind: table.kind, id: head[table.key.at(-1)!], head }
  }
  return undefined
}
