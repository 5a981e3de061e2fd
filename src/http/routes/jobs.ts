import Type from 'typebox'
import { jobsQuery, listJobs, retryJob } from '../../scheduler/jobs.ts'
import { count, schema, text, texts, time, times } from '../answer-shapes.ts'
import { operator } from '../auth.ts'
import { endpoint, tagged } from '../endpoint.ts'

const jobAnswer = schema('Job', {
  job_id: text,
  kind: Type.String({ description: 'Its queue' }),
  merchant_id: Type.String({ description: 'Owner; @deployment for entries without a merchant' }),
  object: Type.String({ description: 'Object of the job: the key of its row, without the merchant' }),
  tries: count,
  ...texts('reason'),
  since: time,
  ...times('begun_at isolated_at'),
})
const queueAnswer = schema('Queue', {
  name: text,
  due: Type.Integer({ description: 'Number of due jobs' }),
  ...times('oldest_due_at'),
  oldest_age_seconds: Type.Integer({ description: 'Age of the oldest due job; 0 if none is due' }),
})

export const jobRoutes = tagged(
  'Jobs',
  'Scheduled work, for the operator of the service: the length of each queue, and the jobs that keep failing. A job that failed ten times is isolated: it is retried only once an hour, and no other job waits for it.',
  { confidential: 'personal data', sdk: ['jobs', 'Job'] },
  [
    endpoint('GET /jobs', 'listJobs', {
      title: 'List jobs',
      description:
        'Lists the queues and the jobs that were retried and are not complete: isolated jobs first, each with the reason. Webhook endpoints with failing deliveries are included (`kind: webhook_endpoint`, `job_id` is the `endpoint_id`; `tries` counts the attempts of waiting deliveries; isolated: the endpoint was disabled).',
      auth: operator,
      query: jobsQuery,
      answers: schema('Jobs', { queues: Type.Array(queueAnswer), size: count, data: Type.Array(jobAnswer) }),
      json: ({ service, context, query }) => listJobs(context, service.depths, query),
    }),
    endpoint('POST /jobs/{job_id}/retry', 'retryJob', {
      title: 'Retry a job',
      description:
        'Releases an isolated job, for example after the cause is fixed: it is retried immediately and its attempts are counted from zero. Deliveries to a disabled webhook endpoint are resumed.',
      auth: operator,
      answers: jobAnswer,
      json: ({ service, context, path: { job_id } }) => retryJob(context, service.settings, service.kinds, job_id),
    }),
  ],
)
