import { namesOf } from '../base/log.ts'
import { later } from '../base/time.ts'
import type { Context, Row } from '../context.ts'
import { DatabaseAway } from '../database/connection.ts'
import type { Claimed } from '../database/due.ts'
import {
  ALONE_AFTER,
  beginAlone,
  beginJobs,
  endJobs,
  failJob,
  ISOLATED_MS,
  isolateJob,
  type JobName,
  TRIES,
  type Tried,
} from '../database/jobs.ts'

/** The returned function cancels the timeout. */
export type Patience = (milliseconds: number) => (onTimeout: () => void) => () => void

export type Trial = { row: Row; tried: Tried }

const nameOf = (kind: Claimed, row: Row): JobName => ({ merchant_id: row.merchant_id as string, job: kind.job(row) })

/** The job has killed workers so often that it must run alone. */
export const isAlone = ({ tried }: Trial): boolean => tried.deaths >= ALONE_AFTER

/** Work that takes too long is no longer waited for. */
function inTime(patience: Patience, milliseconds: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const callOff = patience(milliseconds)(() => reject(new Error(`it did not complete within ${milliseconds / 1000} s`)))
    work.then(resolve, reject).finally(callOff)
  })
}

async function isolate(context: Context, kind: Claimed, row: Row): Promise<void> {
  const name = nameOf(kind, row)
  await isolateJob(context, kind.name, name, context.now())
  context.log.error(
    { due: kind.name, ...name },
    'a job was isolated after repeated failures: it is retried once an hour (see GET /jobs for the reason)',
  )
}

/** A row is written before a try and deleted after it; a job that never completes is isolated and delays no other. */
export class Tries {
  #context: Context
  #patience: Patience
  /** By kind: jobs whose last try failed because the database was unavailable. */
  #excused = new Map<string, Set<string>>()
  #ended = new Map<string, JobName[]>()
  #ending: Promise<void> | null = null

  constructor(context: Context, patience: Patience) {
    this.#context = context
    this.#patience = patience
  }

  async begin(kind: Claimed, rows: readonly Row[]): Promise<Trial[]> {
    if (rows.length === 0) return []
    const names = rows.map(row => nameOf(kind, row))
    const tried = await beginJobs(this.#context, kind.name, names, this.#excused.get(kind.name) ?? new Set())
    this.#excused.delete(kind.name)
    const byName = new Map(tried.map(one => [`${one.merchant_id} ${one.job}`, one]))
    return rows.map(row => ({ row, tried: byName.get(`${row.merchant_id} ${kind.job(row)}`)! }))
  }

  /** For a job that is not tried now after all. */
  leave(kind: Claimed, { row }: Trial): Promise<void> {
    return this.#end(kind, row)
  }

  /** Never throws an error of the job itself, which is written. */
  async run(kind: Claimed, trial: Trial, run: (row: Row) => Promise<void>): Promise<void> {
    const context = this.#context
    const { row } = trial
    const name = nameOf(kind, row)
    const tried = isAlone(trial) ? await beginAlone(context, kind.name, name) : trial.tried
    if (!tried) return
    if (tried.tries > TRIES) {
      if (tried.isolated_at === null) await isolate(context, kind, row)
      const [merchant_id, ...rest] = [name.merchant_id, ...name.job.split(' ')]
      await context.query(kind.move, [merchant_id, later(context.now(), ISOLATED_MS), ...rest])
    }
    try {
      await inTime(this.#patience, kind.lease_ms, run(row))
    } catch (error) {
      return this.#failed(kind, row, error)
    }
    await this.#end(kind, row)
  }

  async #failed(kind: Claimed, row: Row, error: unknown): Promise<void> {
    const context = this.#context
    const name = nameOf(kind, row)
    context.log.error({ err: error, due: kind.name, ...row, ...namesOf(row) }, 'a scheduled job failed; it will be retried')
    if (error instanceof DatabaseAway) {
      const excused = this.#excused.get(kind.name) ?? new Set()
      this.#excused.set(kind.name, excused.add(`${name.merchant_id} ${name.job}`))
      return
    }
    const failed = await failJob(context, kind.name, name, error)
    if (failed.tries >= TRIES && failed.isolated_at === null) await isolate(context, kind, row)
  }

  /** Ends of jobs gather while earlier ones are written. */
  #end(kind: Claimed, row: Row): Promise<void> {
    const all = this.#ended.get(kind.name)
    if (all) all.push(nameOf(kind, row))
    else this.#ended.set(kind.name, [nameOf(kind, row)])
    this.#ending ??= this.#writeEnds().finally(() => {
      this.#ending = null
    })
    return this.#ending
  }

  async #writeEnds(): Promise<void> {
    while (this.#ended.size > 0) {
      const batches = [...this.#ended]
      this.#ended.clear()
      for (const [kind, names] of batches) {
        // A completion that could not be written looks like a try without an end.
        await endJobs(this.#context, kind, names).catch(error =>
          this.#context.log.warn({ err: error, due: kind }, 'the completion of jobs could not be stored'),
        )
      }
    }
  }
}
