import { between, later } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { operations } from '../operations/operation.ts'

/** After a story of the past began, an alarm asks what became of its requests: long after any of them has ended. */
const ALARM_AFTER_MS = 60_000

/**
 * The context as it is, but for its clock, which stands at `at` now and goes on from there: what is written through it
 * is dated so. Only sample data does that, in test mode. Alarms stay in the present: an operation that is under way is
 * not asked about before it can have ended.
 */
export function inThePast(context: Context, at: Time, by: string): Context {
  const began = context.now()
  const now = (): Time => later(at, between(began, context.now()))
  return {
    ...context,
    by,
    now,
    commit(change) {
      const rows = change.rows.map(row =>
        row.table === operations.name && row.after !== null && row.after.poll_at !== null
          ? { ...row, after: { ...row.after, poll_at: later(context.now(), ALARM_AFTER_MS) } }
          : row,
      )
      return context.commit({ ...change, rows, dated: now() })
    },
  }
}
