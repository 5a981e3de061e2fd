import { ok } from 'node:assert/strict'
import { FairLimiter, type Waiter } from '../base/fair-limiter.ts'
import { namesOf } from '../base/log.ts'
import { doublingPause } from '../base/retry.ts'
import { between, later } from '../base/time.ts'
import type { Context, Row, Statement, Time } from '../context.ts'
import { BATCH, type Claimed, type Due, type DueKind, dueBefore, lookFor } from '../database/due.ts'
import { DEPLOYMENT_JOBS, endJobs, failJob } from '../database/jobs.ts'
import { isAlone, type Patience, type Trial, Tries } from './tries.ts'

/** Work that falls due: rows claimed for a handler, rows only deleted, and all rows of a kind together. */
export type Timetable = {
  look: Statement
  kinds: readonly DueKind[]
  claimed: readonly Claimed[]
  forgotten: readonly Due[]
  together: readonly DueKind[]
}

/** `name`: of the statement that finds the due kinds. */
export function timetable(
  name: string,
  claimed: readonly Claimed[],
  forgotten: readonly Due[],
  together: readonly DueKind[] = [],
): Timetable {
  const kinds = [...claimed, ...forgotten, ...together]
  return { look: lookFor(name, kinds), kinds, claimed, forgotten, together }
}

/** Passed in by `startup/jobs.ts`. It must not throw, for one row, an error that would affect others. */
export type JobHandler = { of: Claimed; run(row: Row): Promise<void> }

export const job = <R extends Row>(of: Claimed<R>, run: (row: R) => Promise<void>): JobHandler => ({
  of,
  run: run as JobHandler['run'],
})

/** Handles all due rows of a kind together; passed in by `startup/jobs.ts`. */
export type Chore = { of: DueKind; run(): Promise<unknown> }

/** Jobs at once, shared out by `base/fair-limiter.ts`: 37 of one line. */
const PLACES = 400
const TICK_MS = 500
const LONGEST_PAUSE_MS = 60_000

type Batch = { claimed: number; answers: Promise<void>[] }

/** Work on all rows of a kind together: a failed attempt is retried, less and less often. */
function openAttempts(context: Context, monotonic: () => number, isStopped: () => boolean) {
  /** Kinds whose last attempt failed: how often in a row, and until when they pause. */
  const paused = new Map<string, { failed: number; until: number }>()

  return {
    isPaused: (name: string): boolean => (paused.get(name)?.until ?? 0) > monotonic(),
    /** The rest follows at the next tick. A failure is logged and does not throw. */
    async attempt(kind: DueKind, work: () => Promise<unknown>): Promise<Batch> {
      const failed = paused.get(kind.name)?.failed ?? 0
      try {
        await work()
        paused.delete(kind.name)
        if (failed > 0) await endJobs(context, kind.name, [DEPLOYMENT_JOBS])
      } catch (error) {
        if (isStopped()) return { claimed: 0, answers: [] }
        context.log.error({ err: error, due: kind.name }, 'a scheduled task failed; it will be retried')
        const again = failed + 1
        paused.set(kind.name, { failed: again, until: monotonic() + doublingPause(TICK_MS, again, LONGEST_PAUSE_MS) })
        await failJob(context, kind.name, DEPLOYMENT_JOBS, error, 1).catch(() => {})
      }
      return { claimed: 0, answers: [] }
    },
  }
}

/** Each claimed row waits for its turn, for which each kind counts as a destination of its own. */
function openJobs(context: Context, patience: Patience, isStopped: () => boolean) {
  const turns = new FairLimiter(PLACES, BATCH)
  const tries = new Tries(context, patience)
  const underWay = new Set<Promise<void>>()
  /** Jobs that run alone wait for one another. */
  let alone: Promise<void> = Promise.resolve()

  async function runInTime(kind: Claimed, run: JobHandler['run'], trial: Trial, claimed: Time): Promise<void> {
    // A job whose turn has not come within half of its lease is due again when the lease is over.
    if (isStopped() || between(claimed, context.now()) > kind.lease_ms / 2) return tries.leave(kind, trial)
    await tries.run(kind, trial, run)
  }

  function answer(kind: Claimed, run: JobHandler['run'], trial: Trial, claimed: Time): Promise<void> {
    const { row } = trial
    return new Promise(resolve => {
      const begin = async () => {
        await runInTime(kind, run, trial, claimed).catch(error =>
          context.log.error(
            { err: error, due: kind.name, ...row, ...namesOf(row) },
            'the result of a scheduled job could not be stored; it will be retried',
          ),
        )
        turns.leave(turn)
        resolve()
      }
      const turn: Waiter = { line: kind.line(row), merchant: row.merchant_id as string, to: kind.to(row), begin, is: 'new' }
      if (!turns.enter(turn)) resolve(tries.leave(kind, trial))
    })
  }

  return {
    underWay: underWay as ReadonlySet<Promise<void>>,
    async claim(kind: Claimed, run: JobHandler['run'], now: Time): Promise<Batch> {
      const due = await context.query(kind.statement, [now, later(now, kind.lease_ms), [...turns.waiting.keys()]])
      const trials = await tries.begin(kind, due)
      const answers = trials.map(trial => {
        const begin = () => answer(kind, run, trial, now)
        const begun = isAlone(trial) ? alone.then(begin) : begin()
        if (isAlone(trial)) alone = begun
        const answering = begun.finally(() => underWay.delete(answering))
        underWay.add(answering)
        return answering
      })
      return { claimed: due.length, answers }
    },
  }
}

type Parts = {
  context: Context
  handlers: readonly JobHandler[]
  chores: readonly Chore[]
  claim: ReturnType<typeof openJobs>['claim']
  attempt: ReturnType<typeof openAttempts>['attempt']
}

/** Returns what handles the due rows of each kind. Throws for a kind that nothing handles. */
function handlersByKind({ claimed, forgotten, together }: Timetable, { context, handlers, chores, claim, attempt }: Parts) {
  const handles = new Map<string, (now: Time) => Promise<Batch>>()
  for (const kind of claimed) {
    const handle = handlers.find(one => one.of === kind)?.run
    ok(handle, `no handler is registered for ${kind.name}`)
    handles.set(kind.name, now => claim(kind, handle, now))
  }
  for (const kind of forgotten) handles.set(kind.name, now => attempt(kind, () => context.query(kind.statement, [dueBefore(kind, now)])))
  for (const kind of together) {
    const chore = chores.find(one => one.of === kind)
    ok(chore, `no task is registered for ${kind.name}`)
    handles.set(kind.name, () => attempt(kind, chore.run))
  }
  return handles
}

/** One query a tick finds the due kinds, and a batch of each is claimed: a flood of one kind delays no other. */
export function openScheduler(
  context: Context,
  timetable: Timetable,
  handlers: readonly JobHandler[],
  monotonic: () => number,
  chores: readonly Chore[] = [],
  patience: Patience = () => () => () => {},
) {
  let stopped = false
  let looked = monotonic()
  let running: Promise<void> | null = null
  const isStopped = () => stopped
  const { look, kinds } = timetable
  const jobs = openJobs(context, patience, isStopped)
  const attempts = openAttempts(context, monotonic, isStopped)
  const handles = handlersByKind(timetable, { handlers, chores, context, claim: jobs.claim, attempt: attempts.attempt })

  /** Throws if one could not be claimed, after the others were. */
  async function claimDue(): Promise<Batch[]> {
    const now = context.now()
    const due = await context.query<{ name: string }>(
      look,
      kinds.map(kind => dueBefore(kind, now)),
    )
    const open = due.filter(({ name }) => !attempts.isPaused(name))
    const batches = await Promise.allSettled(open.map(({ name }) => handles.get(name)!(now)))
    for (const batch of batches) if (batch.status === 'rejected') throw batch.reason
    looked = monotonic()
    return batches.flatMap(batch => (batch.status === 'fulfilled' ? batch.value : []))
  }

  async function run(): Promise<void> {
    while (!stopped) {
      let more = false
      try {
        more = (await claimDue()).some(batch => batch.claimed === BATCH)
      } catch (error) {
        if (!stopped) context.log.error({ err: error }, 'the scheduler could not read what is due')
      }
      if (!stopped && !more) await context.wait(TICK_MS)
    }
  }

  return {
    /** Returns how many rows were handled. */
    async tick(): Promise<number> {
      const answers = (await claimDue()).flatMap(batch => batch.answers)
      await Promise.all(answers)
      return answers.length
    },
    /** Twice a second, and at once while more are due, until closed. */
    run(): void {
      running = run()
    },
    lookedAgo: (): number => monotonic() - looked,
    /** Waits for running jobs. A row that still waits for its turn is due again when its lease is over. */
    async close(): Promise<void> {
      stopped = true
      await running
      await Promise.all(jobs.underWay)
    },
  }
}
