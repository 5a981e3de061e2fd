import { namesOf } from '../base/log.ts'
import { doublingPause } from '../base/retry.ts'
import { later } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { DatabaseAway } from '../database/connection.ts'
import { endJobs, failJob, ISOLATED_MS, type JobName } from '../database/jobs.ts'

/** The pause before a failed change is retried. It doubles with each failure, up to an hour. */
const FIRST_PAUSE_MS = 60_000

/** The target of events is unavailable. The events are not at fault: all of them wait. */
export class SinkAway extends Error {}

/** A change in a queue: its place `n`, and which change it is. */
export type Waiting = { n: number; merchant_id: string; kind: string; object_id: string; version: number }

const named = ({ merchant_id, kind, object_id, version }: Waiting): JobName => ({ merchant_id, job: `${kind} ${object_id} ${version}` })

/**
 * Works through a queue. What fails is logged, delays no other, and is retried less and less often (`GET /jobs` has
 * the reason).
 */
export function openIsolation(context: Context, queue: string, message: string) {
  const spoiled = new Map<number, Time>()

  /** Processes all changes at once; if that fails, one by one, to isolate those that fail. */
  async function some<R extends Waiting>(rows: readonly R[], work: (rows: readonly R[]) => Promise<void>): Promise<void> {
    try {
      await work(rows)
      const mended = rows.filter(row => spoiled.delete(row.n))
      if (mended.length > 0) await endJobs(context, queue, mended.map(named))
    } catch (error) {
      if (error instanceof DatabaseAway || error instanceof SinkAway) throw error
      if (rows.length > 1) for (const row of rows) await some([row], work)
      else {
        const [row] = rows as [R]
        context.log.error({ err: error, ...row, ...namesOf(row) }, message)
        const { tries } = await failJob(context, queue, named(row), error, 1)
        spoiled.set(row.n, later(context.now(), doublingPause(FIRST_PAUSE_MS, tries, ISOLATED_MS)))
      }
    }
  }

  return {
    some,
    passedOver: (now: Time): number[] => [...spoiled].filter(([, until]) => until > now).map(([n]) => n),
  }
}

export function byMerchant<R extends { merchant_id: string }>(rows: readonly R[]): Map<string, R[]> {
  return Map.groupBy(rows, row => row.merchant_id)
}
