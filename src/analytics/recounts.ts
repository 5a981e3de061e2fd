import { between, DAY_MS, later } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { claimed, scheduledJob } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { int, type RowOf, select, table, text, time } from '../database/table.ts'
import type { JobContext } from '../operations/verb.ts'
import { recountFrom } from './prove.ts'

/** Counters that an upgrade counts anew, for each merchant of whom its migration writes a row. */

const analyticsRecounts = table('analytics_recounts', {
  key: ['merchant_id', 'upgrade'],
  columns: { merchant_id: text(), upgrade: text(), from_at: time(), rounds: int(), work_at: time().orNull() },
})
type Recount = RowOf<typeof analyticsRecounts>

/** Less than the lease of a claim. */
const WORKS_MS = 10_000
const BEGINNING: Time = '1970-01-01T00:00:00.000Z'

const byKey = statement('analytics_recount', select(analyticsRecounts, 'where merchant_id = $1 and upgrade = $2'))
const goOn = statement(
  'analytics_recount_goes_on',
  'update analytics_recounts set from_at = $3, rounds = $4, work_at = $5 where merchant_id = $1 and upgrade = $2',
)

const dueRecounts = claimed(analyticsRecounts, { when: 'work_at', gives: ['merchant_id', 'upgrade'] })

export const recountJob = scheduledJob(dueRecounts, ({ context }: JobContext, { merchant_id, upgrade }) =>
  workOn(context, merchant_id, upgrade),
)

/** A second round follows after a day: processes of the previous release may have counted during the upgrade. */
async function workOn(context: Pick<Context, 'query' | 'now'>, merchant_id: string, upgrade: string): Promise<void> {
  const began = context.now()
  const [row] = await context.query<Recount>(byKey, [merchant_id, upgrade])
  if (!row) return
  const next = await recountFrom(context, merchant_id, row.from_at, () => between(began, context.now()) < WORKS_MS)
  const now = context.now()
  if (next !== null) await context.query(goOn, [merchant_id, upgrade, next, row.rounds, now])
  else await context.query(goOn, [merchant_id, upgrade, BEGINNING, row.rounds - 1, row.rounds > 1 ? later(now, DAY_MS) : null])
}
