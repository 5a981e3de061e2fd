import Type from 'typebox'
import { refuse } from '../base/refusal.ts'
import { between } from '../base/time.ts'
import type { Claimed } from '../database/due.ts'
import { type Job, jobs } from '../database/jobs.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import type { Statement, Time, World } from '../world.ts'

/** What waits for its time: of each queue how much is due, and since when. */
export type Depth = { name: string; due: number; oldest_due_at: Time | null }

export const MOST_JOBS = 100
export const jobsQuery = Type.Object(
  {
    merchant_id: Type.Optional(
      Type.String({ maxLength: 64, description: 'Only jobs of this merchant; @deployment has those that are no merchant’s' }),
    ),
    kind: Type.Optional(Type.String({ maxLength: 128, description: 'Only jobs of this queue' })),
    isolated: Type.Optional(Type.Boolean({ description: 'Only those that are isolated, or only those that are not' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_JOBS, description: `Default ${MOST_JOBS}` })),
  },
  { additionalProperties: false },
)
export type JobsAsk = Type.Static<typeof jobsQuery>

const troubled = statement(
  'jobs_in_trouble',
  select(
    jobs,
    `where (tries > 1 or reason is not null) and ($1::text is null or merchant_id = $1) and ($2::text is null or kind = $2)
      and ($3::boolean is null or (isolated_at is not null) = $3) order by isolated_at nulls last, since, job_id limit $4`,
  ),
)
const byId = statement('job_by_id', select(jobs, 'where job_id = $1'))
const letGo = statement('job_let_go', 'delete from jobs where merchant_id = $1 and kind = $2 and job = $3')
const howMany = statement('jobs_isolated', 'select count(*)::int as isolated from jobs where isolated_at is not null')

type Reads = Pick<World, 'query' | 'now'>

/** The queues as they stand, each with the age of what has waited longest, in seconds. */
export async function readQueues(world: Reads, depths: Statement) {
  const now = world.now()
  const rows = await world.query<Depth>(depths, [now])
  return rows.map(row => ({
    ...row,
    oldest_age_seconds: row.oldest_due_at === null ? 0 : Math.max(0, Math.round(between(row.oldest_due_at, now) / 1000)),
  }))
}

/** How many jobs are isolated. */
export const countIsolated = async (world: Reads): Promise<number> => (await world.query<{ isolated: number }>(howMany, []))[0]!.isolated

const show = ({ job_id, kind, merchant_id, job, tries, reason, since, begun_at, isolated_at }: Job) => ({
  job_id,
  kind,
  merchant_id,
  object: job,
  tries,
  reason,
  since,
  begun_at,
  isolated_at,
})

/** What waits, and which jobs were tried more than once and have not come to their end. */
export async function listJobs(world: Reads, depths: Statement, { merchant_id, kind, isolated, limit = MOST_JOBS }: JobsAsk) {
  const [queues, found] = await Promise.all([
    readQueues(world, depths),
    world.query<Job>(troubled, [merchant_id ?? null, kind ?? null, isolated ?? null, limit]),
  ])
  return { queues, size: found.length, data: found.map(show) }
}

/** Lets a job go: it is tried at the next tick, and its tries are counted anew. Refuses (HE_02) one that there is not, or that has come to its end. */
export async function retryJob(world: Reads, kinds: readonly Claimed[], job_id: string) {
  const [found] = await world.query<Job>(byId, [job_id])
  if (!found) return refuse('not_found', { what: 'job' })
  const { merchant_id, kind, job } = found
  await world.query(letGo, [merchant_id, kind, job])
  const claimed = kinds.find(one => one.name === kind)
  if (claimed) await world.query(claimed.move, [merchant_id, world.now(), ...job.split(' ')])
  return { ...show(found), tries: 0, isolated_at: null }
}
