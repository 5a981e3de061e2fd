import Type from 'typebox'
import { failingEndpoints, forgiven, noteState, type WebhookEndpoint } from '../accounts/webhook-endpoint.ts'
import { refuse } from '../base/refusal.ts'
import { strictObject } from '../base/shapes.ts'
import { between } from '../base/time.ts'
import type { Context, Statement, Time } from '../context.ts'
import type { Claimed } from '../database/due.ts'
import { type Job, jobs } from '../database/jobs.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'

/** How many rows of a queue are due, and since when. */
export type Depth = { name: string; due: number; oldest_due_at: Time | null }

const MOST_JOBS = 100
export const jobsQuery = strictObject({
  merchant_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only jobs of this merchant; @deployment for jobs without a merchant' }),
  ),
  kind: Type.Optional(Type.String({ maxLength: 128, description: 'Only jobs of this queue' })),
  isolated: Type.Optional(Type.Boolean({ description: 'Only isolated jobs, or only others' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_JOBS, description: `Default ${MOST_JOBS}` })),
})
export type JobsAsk = Type.Static<typeof jobsQuery>

/** A webhook endpoint at which nothing arrives has no row in `jobs`, but an operator looks for it there. */
const ENDPOINT = 'webhook_endpoint'
const SILENT = 'all deliveries to this webhook endpoint failed'
const MOST_COUNTED = 1000

const troubled = statement(
  'jobs_in_trouble',
  `select ${jobs.names.join(', ')} from (
      ${select(jobs, 'where tries > 1 or reason is not null')}
      union all
      select ${jobs.names.map(name => `${ofEndpoint(name)} as ${name}`).join(', ')} from ${failingEndpoints}) trouble
    where ($1::text is null or merchant_id = $1) and ($2::text is null or kind = $2)
      and ($3::boolean is null or (isolated_at is not null) = $3) order by isolated_at nulls last, since, job_id limit $4`,
)

/** SQL: an endpoint's value in a column of `jobs`. */
function ofEndpoint(column: string): string {
  const its: Record<string, string> = {
    kind: `'${ENDPOINT}'`,
    job: 's.endpoint_id',
    job_id: 's.endpoint_id',
    tries: `(select coalesce(sum(tries), 0)::int from (select tries from deliveries d
        where d.merchant_id = s.merchant_id and d.endpoint_id = s.endpoint_id and d.status = 'pending' limit ${MOST_COUNTED}) waiting)`,
    deaths: '0',
    reason: `coalesce(s.disabled_reason, '${SILENT}')`,
    since: 's.failing_since',
    begun_at: 'null::timestamptz(3)',
    isolated_at: 's.disabled_at',
  }
  return its[column] ?? `s.${column}`
}
const byId = statement('job_by_id', select(jobs, 'where job_id = $1'))
const letGo = statement('job_let_go', 'delete from jobs where merchant_id = $1 and kind = $2 and job = $3')
const howMany = statement('jobs_isolated', 'select count(*)::int as isolated from jobs where isolated_at is not null')

type Reads = Pick<Context, 'query' | 'now'>

export async function readQueues(context: Reads, depths: Statement) {
  const now = context.now()
  const rows = await context.query<Depth>(depths, [now])
  return rows.map(row => ({
    ...row,
    oldest_age_seconds: row.oldest_due_at === null ? 0 : Math.max(0, Math.round(between(row.oldest_due_at, now) / 1000)),
  }))
}

const howManyFail = statement(
  'webhook_endpoints_failing',
  `select count(*) filter (where s.disabled_at is null)::int as failing, count(s.disabled_at)::int as disabled from ${failingEndpoints}`,
)

/** Endpoints at which nothing arrives, and those that were disabled. */
export const countFailing = async (context: Reads): Promise<{ failing: number; disabled: number }> =>
  (await context.query<{ failing: number; disabled: number }>(howManyFail, []))[0]!

export const countIsolated = async (context: Reads): Promise<number> =>
  (await context.query<{ isolated: number }>(howMany, []))[0]!.isolated

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

/** With the jobs that were tried more than once and have not completed. */
export async function listJobs(context: Reads, depths: Statement, { merchant_id, kind, isolated, limit = MOST_JOBS }: JobsAsk) {
  const [queues, found] = await Promise.all([
    readQueues(context, depths),
    context.query<Job>(troubled, [merchant_id ?? null, kind ?? null, isolated ?? null, limit]),
  ])
  return { queues, size: found.length, data: found.map(show) }
}

type Finds = { webhookEndpoints(merchant_id: string): Promise<readonly WebhookEndpoint[]>; refresh(): Promise<unknown> }
const endpointById = statement(
  'failing_webhook_endpoint',
  `select s.merchant_id, s.failing_since, s.disabled_reason from ${failingEndpoints} and s.endpoint_id = $1`,
)

async function callAgain(context: Context, finds: Finds, endpoint_id: string) {
  const [found] = await context.query<{ merchant_id: string; failing_since: Time; disabled_reason: string | null }>(endpointById, [
    endpoint_id,
  ])
  const endpoint = found && (await finds.webhookEndpoints(found.merchant_id)).find(one => one.endpoint_id === endpoint_id)
  if (!found || !endpoint) return refuse('not_found', { what: 'job' })
  await noteState(context, endpoint, forgiven)
  await finds.refresh()
  const { merchant_id, failing_since: since, disabled_reason } = found
  const shown = { job_id: endpoint_id, kind: ENDPOINT, merchant_id, job: endpoint_id, deaths: 0, begun_at: null }
  return show({ ...shown, tries: 0, reason: disabled_reason ?? SILENT, since, isolated_at: null })
}

/** The job is tried at the next tick, and its tries are counted anew. A disabled webhook endpoint is enabled. */
export async function retryJob(context: Context, finds: Finds, kinds: readonly Claimed[], job_id: string) {
  const [found] = await context.query<Job>(byId, [job_id])
  if (!found) return callAgain(context, finds, job_id)
  const { merchant_id, kind, job } = found
  await context.query(letGo, [merchant_id, kind, job])
  const claimed = kinds.find(one => one.name === kind)
  if (claimed) await context.query(claimed.move, [merchant_id, context.now(), ...job.split(' ')])
  return { ...show(found), tries: 0, isolated_at: null }
}
