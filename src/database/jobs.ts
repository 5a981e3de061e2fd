import { withoutCardNumbers } from '../base/card-number.ts'
import { newId } from '../base/id.ts'
import type { Context, Time } from '../context.ts'
import type { Claimed, Due } from './due.ts'
import { statement } from './statement.ts'
import { int, type RowOf, table, text, time } from './table.ts'

/**
 * Scheduled work in progress: a row exists from the beginning of a job to its end, so a row that still exists when the
 * job is due again proves that a try did not end. `job`: the job's id within its kind. `begun_at`: null while no
 * worker runs the job. `deaths`: how many tries have no reported end. `since`: when the first try began.
 */
export const jobs = table('jobs', {
  key: ['merchant_id', 'kind', 'job'],
  columns: {
    merchant_id: text(),
    kind: text(),
    job: text(),
    job_id: text(),
    tries: int(),
    deaths: int(),
    reason: text().orNull(),
    since: time(),
    begun_at: time().orNull(),
    isolated_at: time().orNull(),
  },
})
export type Job = RowOf<typeof jobs>

/** A job with so many tries is isolated: tried once an hour only, until it ends or an operator releases it. */
export const TRIES = 10
export const ISOLATED_MS = 3_600_000
/** After so many deaths a job runs alone, so that the jobs that died with it are not taken for the cause. */
export const ALONE_AFTER = 3

export type JobName = Pick<Job, 'merchant_id' | 'job'>

/** The merchant and job of work that belongs to no merchant, one job for all of a kind. */
export const DEPLOYMENT_JOBS: JobName = { merchant_id: '@deployment', job: '' }

const UNHEARD = 'the worker that ran the job stopped responding'
const given = 'merchant_id, job, tries, deaths, isolated_at'

/** `$4`: jobs whose last try failed without a fault of theirs (the database was away), which does not count. */
const begin = statement(
  'jobs_begin',
  `insert into jobs as j (merchant_id, kind, job, job_id, tries, deaths, since, begun_at)
    select merchant_id, $1, job, job_id, 1, 0, $5::timestamptz, $5::timestamptz from unnest($2::text[], $3::text[], $6::text[]) asked (merchant_id, job, job_id) order by 1, 3
    on conflict (merchant_id, kind, job) do update set begun_at = excluded.begun_at,
      tries = j.tries + case when j.deaths >= ${ALONE_AFTER} or j.merchant_id || ' ' || j.job = any($4::text[]) then 0 else 1 end,
      deaths = j.deaths + case when j.begun_at is null or j.merchant_id || ' ' || j.job = any($4::text[]) then 0 else 1 end,
      reason = case when j.begun_at is null then j.reason else '${UNHEARD}' end
    returning ${given}`,
)
const tryAlone = statement(
  'jobs_try_alone',
  `update jobs set tries = tries + 1, begun_at = $4 where merchant_id = $1 and kind = $2 and job = $3 returning ${given}`,
)
const end = statement(
  'jobs_end',
  `delete from jobs j using unnest($2::text[], $3::text[]) asked (merchant_id, job) where j.merchant_id = asked.merchant_id and j.kind = $1 and j.job = asked.job`,
)
const fail = statement(
  'jobs_fail',
  `insert into jobs as j (merchant_id, kind, job, job_id, tries, deaths, since, reason) values ($1, $2, $3, $6, 1, 0, $5, $4)
    on conflict (merchant_id, kind, job) do update set reason = excluded.reason, begun_at = null, tries = j.tries + $7::int returning ${given}`,
)
const isolate = statement(
  'jobs_isolate',
  'update jobs set isolated_at = $4 where merchant_id = $1 and kind = $2 and job = $3 and isolated_at is null',
)

export type Tried = Pick<Job, 'merchant_id' | 'job' | 'tries' | 'deaths' | 'isolated_at'>
type Edges = Pick<Context, 'query' | 'now' | 'random'>

/** Writes that these jobs are begun; returns how often each was tried, this time included. */
export function beginJobs(context: Edges, kind: string, names: readonly JobName[], excused: ReadonlySet<string>): Promise<Tried[]> {
  const merchants = names.map(one => one.merchant_id)
  const which = names.map(one => one.job)
  return context.query(begin, [kind, merchants, which, [...excused], context.now(), names.map(() => newId(context, 'job_'))])
}

/** Begins a job that killed a worker, once its turn has come. Undefined if the job has ended meanwhile. */
export const beginAlone = async (context: Edges, kind: string, { merchant_id, job }: JobName): Promise<Tried | undefined> =>
  (await context.query<Tried>(tryAlone, [merchant_id, kind, job, context.now()]))[0]

export const endJobs = (context: Edges, kind: string, names: readonly JobName[]) =>
  context.query(end, [kind, names.map(one => one.merchant_id), names.map(one => one.job)])

const LEFT_AFTER_MS = 3_600_000

/**
 * Describes the jobs of these kinds that no worker runs any more and that are not due again: the worker died, and the
 * work was done in other ways (a webhook, a request of the merchant). Their rows are deleted after an hour.
 */
export function leftJobs(name: string, kinds: readonly Pick<Claimed, 'name' | 'waits'>[]): Due {
  const over = kinds.map(kind => `(j.kind = '${kind.name}' and not ${kind.waits})`).join('\n      or ')
  return {
    name,
    first: '(select since from jobs order by since limit 1)',
    after_ms: LEFT_AFTER_MS,
    statement: statement(
      `forget ${name}`,
      `delete from jobs j where j.since <= $1 and (j.begun_at is null or j.begun_at <= $1) and (${over})`,
    ),
  }
}

const LONGEST_REASON = 500

/** Writes why a job failed. `counts: 1`: the try is counted here, because it was not written when it began. */
export async function failJob(
  context: Edges,
  kind: string,
  { merchant_id, job }: JobName,
  why: unknown,
  counts: 0 | 1 = 0,
): Promise<Tried> {
  const message = why instanceof Error ? `${why.name}: ${why.message}` : String(why)
  const reason = withoutCardNumbers(message).slice(0, LONGEST_REASON).replaceAll('\0', '�').toWellFormed()
  const [row] = await context.query<Tried>(fail, [merchant_id, kind, job, reason, context.now(), newId(context, 'job_'), counts])
  return row!
}

export const isolateJob = (context: Edges, kind: string, { merchant_id, job }: JobName, now: Time) =>
  context.query(isolate, [merchant_id, kind, job, now])
