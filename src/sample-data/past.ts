import { between, later } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { operations } from '../operations/operation.ts'

/** Long after any request of a payment of the past has ended. */
const FIRST_POLL_AFTER_MS = 60_000

/**
 * Its clock stands at `at` now and goes on from there: all rows are dated accordingly. Only sample data uses it, in
 * test mode. Polls stay in the present: an operation in progress is not polled before it can have ended.
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
          ? { ...row, after: { ...row.after, poll_at: later(context.now(), FIRST_POLL_AFTER_MS) } }
          : row,
      )
      return context.commit({ ...change, rows, dated: now() })
    },
  }
}
