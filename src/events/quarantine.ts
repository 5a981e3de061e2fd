import { namesOf } from '../base/log.ts'
import { doublingPause } from '../base/retry.ts'
import { later } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { DatabaseAway } from '../database/connection.ts'
import { endJobs, failJob, ISOLATED_MS, type JobName } from '../database/jobs.ts'

/** What cannot be told is tried again after a minute, then after twice as long, up to an hour. */
const FIRST_PAUSE_MS = 60_000

/** Where events are to go is away, which says nothing of these events: they wait, all of them. */
export class SinkAway extends Error {}

/** A change that waits to be told: in which place of its queue, and which. */
export type Waiting = { n: number; merchant_id: string; kind: string; object_id: string; version: number }

const named = ({ merchant_id, kind, object_id, version }: Waiting): JobName => ({ merchant_id, job: `${kind} ${object_id} ${version}` })

/**
 * Works on what waits in a queue. Failing work is logged and does not delay other work: it is retried less and less
 * often, and `GET /jobs` shows why. `words`: what could not be done.
 */
export function openQuarantine(context: Context, queue: string, words: string) {
  /** What could not be done, and when it is tried again. */
  const spoiled = new Map<number, Time>()

  /** All of them at once; if that fails, one by one, so that what cannot be done stands alone. */
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
        context.log.error({ err: error, ...row, ...namesOf(row) }, words)
        const { tries } = await failJob(context, queue, named(row), error, 1)
        spoiled.set(row.n, later(context.now(), doublingPause(FIRST_PAUSE_MS, tries, ISOLATED_MS)))
      }
    }
  }

  return {
    some,
    /** What is left alone for now. */
    passedOver: (now: Time): number[] => [...spoiled].filter(([, until]) => until > now).map(([n]) => n),
  }
}

/** By merchant, in their order. */
export function byMerchant<R extends { merchant_id: string }>(rows: readonly R[]): Map<string, R[]> {
  return Map.groupBy(rows, row => row.merchant_id)
}
